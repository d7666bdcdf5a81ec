import { Refusal } from '../../lib/errors.ts';
import type { StoredUpload } from '../uploads/uploads.ts';

/** Photos that are counted, some hundred bytes each. The oldest is forgotten, and then stays. */
const PHOTOS = 20_000;
/** Of a photo that was told before this node counted. */
const UNKNOWN = Number.POSITIVE_INFINITY;

/**
 * How often booths were told of a photo that it is stored, and have not deleted it since, under whatever names, sessions and forms: the
 * same bytes are one photo, and it goes with the last of these alone. 0 is a photo that goes.
 */
export function createTold() {
  const times = new Map<string, number>();
  const set = (photoId: string, count: number): void => {
    times.delete(photoId);
    times.set(photoId, count);
    if (times.size > PHOTOS) times.delete(times.keys().next().value as string);
  };
  return {
    /** For a photo that is about to be told, `again` under the same name. Throws Refusal unavailable where it was deleted meanwhile. */
    add(stored: StoredUpload, again = false): StoredUpload {
      const { id } = stored.photo;
      const count = times.get(id) ?? (stored.status === 201 ? 0 : UNKNOWN);
      if (times.get(id) === 0) throw new Refusal('unavailable', { retryAfter: 1 });
      if (!again) set(id, count + 1);
      return stored;
    },
    /** Takes one back; `remove` is called for the last, and says whether the photo is gone. */
    async takeBack(photoId: string, remove: () => Promise<boolean>): Promise<void> {
      const count = times.get(photoId) ?? UNKNOWN;
      if (count === 0) return;
      set(photoId, count - 1);
      if (count > 1) return;
      let isGone = false;
      try {
        isGone = await remove();
      } finally {
        if (!isGone) set(photoId, count);
      }
    },
  };
}
