import { useCallback, useEffect, useState } from 'react';
import { call, isRefusal } from '../../api/client.ts';
import { takeToken, tokenInAddress } from '../../lib/address-token.ts';
import { untilAnswered } from '../../lib/backoff.ts';

export interface GalleryAccess {
  /** This browser may enter the guests' gallery; false until that is known. */
  open: boolean;
  /** Asks once more: this device has sent photos. */
  again(): void;
}

/**
 * Whether this browser may enter the guests' gallery: by the token of the address, which becomes a session, by an earlier session, or because
 * it sent photos. `on`: the event has a gallery, as far as that is known.
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
        // Until the server has answered, a reload, or a link to another language, finds the token.
        takeToken();
        setOpen(entered);
      },
    );
  }, [code, worth, token, device, asked]);
  return { open, again };
}

/** False where the server says so; throws where it does not answer. */
async function enter(code: string, token: string, device: string | null): Promise<boolean> {
  // After the link of an old card what this browser has already.
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
