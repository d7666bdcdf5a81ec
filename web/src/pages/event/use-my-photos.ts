import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useEffectEvent, useReducer, useState } from 'react';
import { call, type ApiError } from '../../api/client.ts';
import { untilAnswered } from '../../lib/backoff.ts';

/** Id of the headline „Meine Fotos“, for links. */
export const MY_PHOTOS = 'meine-fotos';

/** Reads this device's photos of the event, newest first. A list that fails to load must not keep anyone from uploading. */
export function useMyPhotos(code: string, deviceId: string | null) {
  const [mine, setMine] = useState<readonly Photo[]>([]);
  /** Ids of photos stored since the page was opened. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  /** Number of times that the list was asked for again. */
  const [round, askAgain] = useReducer((before: number) => before + 1, 0);
  const headers = { 'device-id': deviceId ?? '' };
  const read = async (): Promise<Photo[]> => (await call('GET /api/events/:ref/my-photos', { params: { ref: code }, headers })).photos;
  const ask = useEffectEvent(async () => {
    const before = new Set(mine);
    const photos = await read();
    // The answer is older than what was stored after the request, and newer than all else.
    return (now: readonly Photo[]) =>
      merged(
        now.filter((photo) => !before.has(photo)),
        photos,
      );
  });
  useEffect(() => (deviceId === null ? undefined : untilAnswered(() => ask(), setMine)), [deviceId, round]);
  /** Adds the photos that a run has just stored, in its order. */
  const onStored = useCallback((photos: Photo[]) => {
    setMine((before) => merged([...photos].reverse(), before));
    setFresh((before) => new Set([...before, ...photos.map(({ id }) => id)]));
  }, []);
  /** Deletes a photo for good. Throws ApiError if it still exists. */
  async function remove(id: string): Promise<void> {
    try {
      await call('DELETE /api/photos/:id', { params: { id }, headers });
    } catch (error) {
      // The host or another tab may have deleted it; the list knows.
      if ((error as ApiError).status !== 404 || (await read()).some((photo) => photo.id === id)) throw error;
    }
    setMine((before) => before.filter((photo) => photo.id !== id));
  }
  /** Removes announced twins of stored photos: an earlier page of this device has sent a preview of the same file. */
  const removeTwins = useEffectEvent(() => {
    const stored = mine.filter(({ id }) => fresh.has(id));
    for (const { id, state, filename, size } of mine)
      if (state === 'announced' && stored.some((one) => one.id !== id && one.filename === filename && one.size === size))
        void remove(id).catch(() => undefined);
  });
  useEffect(() => removeTwins(), [fresh]);
  return { mine, fresh, onStored, askAgain, remove };
}

/** Merges lists so that each photo occurs once, in its newer form: a repeated upload answers with the first photo. */
export function merged(newer: readonly Photo[], older: readonly Photo[]): Photo[] {
  return [...new Map([...newer, ...older, ...newer].map((photo) => [photo.id, photo])).values()];
}
