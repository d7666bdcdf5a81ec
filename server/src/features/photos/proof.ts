import type { Trx } from '../../database/open.ts';
import type { PhotoRow } from '../../database/schema.ts';
import { NotAPhoto } from '../../images/decoder.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { collect } from '../../lib/stages.ts';
import { BlobMissing, type Derived, type Variant } from '../../storage/blob-store.ts';
import { Tampered, type Key } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Ground } from '../ground.ts';
import type { PhotoStore, Rendition } from './photos.store.ts';

/** Mean difference of brightness (of 255) up to which a preview shows its original: browsers scale, round and convert colours differently. */
const ALIKE = 12;

/** What the trail says, and what pages are told. */
const NEWS = { 'preview.replaced': 'replaced', 'original.unreadable': 'unreadable' } as const;
type Action = keyof typeof NEWS;

interface Parts extends Pick<Ground, 'decoder' | 'log'> {
  store: Pick<PhotoStore, 'settle'>;
  audit: Pick<Audit, 'record'>;
  open(key: Key, photo: PhotoRow, variant: Variant): AsyncIterable<Bytes>;
  /** Makes one of the server's own pictures of the original. */
  make(photo: PhotoRow, variant: Derived, key: Key): Promise<Rendition | null>;
}

/**
 * Decodes an original that was received after its preview, and compares the two. A preview that shows something else makes place for
 * pictures of the server's own; an original that cannot be decoded leaves its preview.
 */
export function createProof({ decoder, log, store, audit, open, make }: Parts) {
  /** How much the phone's picture differs; null where it is lost. */
  async function differenceOf(photo: PhotoRow, key: Key): Promise<number | null> {
    const picture = await collect(open(key, photo, 'thumbnail')).catch((error: unknown) => {
      if (error instanceof BlobMissing || error instanceof Tampered) return null;
      throw error;
    });
    if (!picture) return null;
    return decoder.difference(() => open(key, photo, 'original'), photo.size, picture, { owner: photo.event_id });
  }

  async function record(trx: Trx, eventId: string, action: Action): Promise<void> {
    const event = await trx.selectFrom('events').select('code').where('id', '=', eventId).executeTakeFirstOrThrow();
    await audit.record({ actor: 'system', action, eventId, eventCode: event.code }, trx);
  }

  async function settle(photo: PhotoRow, settled: Pick<PhotoRow, 'state' | 'drawn_by'>, action?: Action) {
    await store.settle(photo, settled, {
      ...(action && { news: NEWS[action], also: (trx: Trx) => record(trx, photo.event_id, action) }),
    });
  }

  /** Does nothing where another node was first. Throws where database, store or decoder fail: the photo stays received. */
  return async (photo: PhotoRow, key: Key): Promise<void> => {
    try {
      const difference = await differenceOf(photo, key);
      const isOther = photo.drawn_by === 'replaced' || (difference !== null && difference > ALIKE);
      if (!isOther && difference !== null) return await settle(photo, { state: 'stored', drawn_by: 'phone' });
      const redrawn = [await make(photo, 'thumbnail', key), await make(photo, 'preview', key)];
      if (redrawn.includes(null)) return;
      await settle(photo, { state: 'stored', drawn_by: isOther ? 'replaced' : 'server' }, isOther ? 'preview.replaced' : undefined);
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
      log.warn({ photo: photo.id }, 'an original cannot be decoded: its preview stays');
      await settle(photo, { state: 'unreadable', drawn_by: 'phone' }, 'original.unreadable');
    }
  };
}
