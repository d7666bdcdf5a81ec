import { useEffect, useState } from 'react';
import { call, messageOf } from '../api/client.ts';

/** A public key by which receipts of deletions are verified. */
interface ReceiptKey {
  key_id: string;
  public_key: string;
}

/** The keys; null while they are being read. */
export type ReadKeys = { keys: ReceiptKey[] } | { error: string } | null;

/** Reads the public keys of receipts. */
export function useReceiptKeys(): ReadKeys {
  const [read, setRead] = useState<ReadKeys>(null);
  useEffect(() => {
    const ending = new AbortController();
    call('GET /api/receipt-keys', { signal: ending.signal }).then(setRead, (error: unknown) => {
      if (!ending.signal.aborted) setRead({ error: messageOf(error) });
    });
    return () => ending.abort();
  }, []);
  return read;
}
