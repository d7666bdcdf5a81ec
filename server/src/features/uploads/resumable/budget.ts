import { GB, OPEN_UPLOAD_BYTES, OPEN_UPLOADS } from '@feierbild/contract/constants.ts';
import type { EventRow, UploadRow } from '../../../database/schema.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { OpenUploadStore, Scope, Usage } from './open-uploads.store.ts';

/** Of an event: a feast of 600 phones, each of which sends six at once; and what these may come to. */
const EVENT_UPLOADS = 4000;
const EVENT_BYTES = 20 * GB;
/** All guests of a feast may share one network; a quarter is left to others all the same. */
const NETWORK_SHARE = 3 / 4;
/** Who was fed so recently is on the line, ms. */
const FED_MS = 60_000;
/** A whole upload that was fed so recently is becoming a photo, or waits for a slot and a decoder, ms. */
const COMPLETING_MS = 15 * 60_000;
/** Looked at at a time. */
const PAGE_ROWS = 64;

interface Parts {
  store: Pick<OpenUploadStore, 'usage' | 'firstToEnd'>;
  clock: Clock;
  end(upload: Pick<UploadRow, 'id'>): Promise<void>;
}

/**
 * What open uploads may hold by device, network and event, as if each came to its whole length. A newcomer is never refused: where a budget
 * is full, those end that were fed longest ago (`firstToEnd`). So nobody can hold what others need, and no part that comes is refused.
 */
export function createBudget({ store, clock, end }: Parts) {
  return {
    /** Ends what is in the way of a new upload. Returns how many that were. */
    async makeRoom(upload: UploadRow, { storage_limit }: Pick<EventRow, 'storage_limit'>): Promise<number> {
      const bytes = Math.min(EVENT_BYTES, Math.max(storage_limit ?? Infinity, OPEN_UPLOAD_BYTES));
      const limits: Record<Scope, Usage> = {
        device: { uploads: OPEN_UPLOADS, bytes: OPEN_UPLOAD_BYTES },
        network: { uploads: EVENT_UPLOADS * NETWORK_SHARE, bytes: bytes * NETWORK_SHARE },
        event: { uploads: EVENT_UPLOADS, bytes },
      };
      let ended = 0;
      for (;;) {
        const usage = await store.usage(upload);
        const excessOf = (scope: Scope): Usage => ({
          uploads: usage[scope].uploads + 1 - limits[scope].uploads,
          bytes: usage[scope].bytes + upload.length - limits[scope].bytes,
        });
        const scope = (['device', 'network', 'event'] as const).find((one) => excessOf(one).uploads > 0 || excessOf(one).bytes > 0);
        if (!scope) return ended;
        const excess = excessOf(scope);
        const short = excess.uploads > 0 ? 'uploads' : 'bytes';
        const now = clock.now();
        const instants = { now, fedSince: now - FED_MS, wholeSince: now - COMPLETING_MS };
        const first = await store.firstToEnd(upload, scope, { short, ...instants, limit: PAGE_ROWS });
        // All others are completing.
        if (first.length === 0) return ended;
        for (const { id, length } of first) {
          if (excess[short] <= 0) break;
          await end({ id });
          excess.uploads -= 1;
          excess.bytes -= length;
          ended += 1;
        }
      }
    },
  };
}
