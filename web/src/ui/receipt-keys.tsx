import type { ReadKeys } from '../lib/use-receipt-keys.ts';

/** The public keys by which receipts of deletions are verified, or one of them. */
export function ReceiptKeys({ read, only }: { read: ReadKeys; only?: string }) {
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
