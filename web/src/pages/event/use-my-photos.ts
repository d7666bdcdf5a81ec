import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useState } from 'react';
import { ApiError, call } from '../../api/client.ts';

/** Id of their headline, for links that lead there. */
export const MY_PHOTOS = 'meine-fotos';

/** This device's photos of the event, newest first. A list that fails to load must not keep anyone from uploading. */
export function useMyPhotos(code: string, deviceId: string | null) {
  const [mine, setMine] = useState<readonly Photo[]>([]);
  /** Ids of those stored since the page was opened. */
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const read = useCallback(
    async (signal?: AbortSignal): Promise<Photo[]> => {
      const options = { params: { ref: code }, headers: { 'device-id': deviceId ?? '' } };
      return (await call('GET /api/events/:ref/my-photos', { ...options, ...(signal && { signal }) })).photos;
    },
    [code, deviceId],
  );
  useEffect(() => {
    if (deviceId === null) return;
    const leaving = new AbortController();
    read(leaving.signal).then(
      (photos) => setMine((newer) => merged(newer, photos)),
      () => undefined,
    );
    return () => leaving.abort();
  }, [read, deviceId]);
  /** Takes in what a run has just stored, in its order. */
  const onStored = useCallback((photos: Photo[]) => {
    setMine((before) => merged([...photos].reverse(), before));
    setFresh((before) => new Set([...before, ...photos.map(({ id }) => id)]));
  }, []);
  /** Deletes one for good. Throws ApiError where it is still there. */
  const remove = useCallback(
    async (id: string): Promise<void> => {
      try {
        await call('DELETE /api/photos/:id', { params: { id }, headers: { 'device-id': deviceId ?? '' } });
        setMine((before) => before.filter((photo) => photo.id !== id));
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
        // Deleted already, by the host or another tab? The list knows.
        const photos = await read();
        setMine(photos);
        if (photos.some((photo) => photo.id === id)) throw error;
      }
    },
    [deviceId, read],
  );
  return { mine, fresh, onStored, remove };
}

/** A repeated upload answers with the first photo: each is listed once. */
function merged(newer: readonly Photo[], older: readonly Photo[]): Photo[] {
  return [...new Map([...newer, ...older].map((photo) => [photo.id, photo])).values()];
}
