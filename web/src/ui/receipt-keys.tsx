import { useEffect, useState } from 'react';
import { call, messageOf } from '../api/client.ts';

type Keys = { key_id: string; public_key: string }[];

/** The public keys by which receipts of deletions are verified, or one of them. */
export function ReceiptKeys({ only }: { only?: string }) {
  const [read, setRead] = useState<{ keys: Keys } | { error: string } | null>(null);
  useEffect(() => {
    const ending = new AbortController();
    call('GET /api/receipt-keys', { signal: ending.signal }).then(setRead, (error: unknown) => {
      if (!ending.signal.aborted) setRead({ error: messageOf(error) });
    });
    return () => ending.abort();
  }, []);
  if (!read) return <p className="soft">Der öffentliche Schlüssel wird geladen …</p>;
  if ('error' in read) return <p className="soft">Der öffentliche Schlüssel ließ sich nicht laden: {read.error}</p>;
  return read.keys
    .filter(({ key_id }) => only === undefined || only === key_id)
    .map(({ key_id, public_key }) => (
      <p key={key_id}>
        Öffentlicher Schlüssel {key_id}: <code style={{ overflowWrap: 'anywhere' }}>{public_key}</code>
      </p>
    ));
}
