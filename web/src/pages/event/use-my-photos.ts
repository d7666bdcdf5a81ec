import type { Photo } from '@feierbild/contract/entities.ts';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../../api/client.ts';

/** This device's photos of the event, newest first. They come by themselves: a list that fails must not keep anyone from uploading. */
export function useMyPhotos(code: string, deviceId: string) {
  const [mine, setMine] = useState<Photo[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    const earlier = call('GET /api/events/:ref/my-photos', {
      params: { ref: code },
      headers: { 'device-id': deviceId },
      signal: leaving.signal,
    });
    earlier.then(
      ({ photos }) => setMine((newer) => merged(newer, photos)),
      () => undefined,
    );
    return () => leaving.abort();
  }, [code, deviceId]);
  /** Takes in what a run has just stored, in its order. */
  const onStored = useCallback((photos: Photo[]) => setMine((before) => merged([...photos].reverse(), before)), []);
  const onDeleted = useCallback((id: string) => setMine((before) => before.filter((photo) => photo.id !== id)), []);
  return { mine, onStored, onDeleted };
}

/** A repeated upload answers with the first photo: each is listed once. */
function merged(newer: readonly Photo[], older: readonly Photo[]): Photo[] {
  return [...new Map([...newer, ...older].map((photo) => [photo.id, photo])).values()];
}
