import { useCallback, useEffect, useState } from 'react';
import { call, isRefusal } from '../../api/client.ts';
import { takeToken, tokenInAddress } from '../../lib/address-token.ts';
import { untilAnswered } from '../../lib/backoff.ts';

export interface GalleryAccess {
  /** Whether this browser may enter the guests' gallery; false until that is known. */
  open: boolean;
  /** Asks once more, after this device has sent photos. */
  again(): void;
}

/**
 * Finds out whether this browser may enter the guests' gallery: by the address's token, which becomes a session, by an earlier session, or
 * because it sent photos. `on`: the event has a gallery, as far as that is known.
 */
export function useGalleryAccess(code: string, on: boolean, device: string | null): GalleryAccess {
  const [token, setToken] = useState('');
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  const again = useCallback(() => setAsked((before) => before + 1), []);
  useEffect(() => setToken((before) => tokenInAddress() || before), []);
  const worth = !open && (token !== '' || on);
  useEffect(() => {
    if (!worth) return undefined;
    return untilAnswered(
      () => enter(code, token, device),
      (entered) => {
        // Until the server has answered, the token stays for a reload or a change of the language.
        takeToken();
        setOpen(entered);
      },
    );
  }, [code, worth, token, device, asked]);
  return { open, again };
}

/** Enters the gallery; false if the server refuses, throws if it does not answer. */
async function enter(code: string, token: string, device: string | null): Promise<boolean> {
  // If the link is from an old card, this browser's earlier session may suffice.
  for (const body of token === '' ? [{ code }] : [{ code, token }, { code }]) {
    try {
      await call('POST /auth/gallery/login', { body, ...(device !== null && { headers: { 'device-id': device } }) });
      return true;
    } catch (error) {
      if (!isRefusal(error, 'invalid_credentials')) throw error;
    }
  }
  return false;
}
