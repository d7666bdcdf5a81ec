import { useEffect, useState } from 'react';

/** What the page does for videos. */
export type Videos = typeof import('./videos.ts');

/** Loads it where there may be some; null until it is there. Who sends photos only loads none of it. */
export function useVideos(wanted: boolean): Videos | null {
  const [videos, setVideos] = useState<Videos | null>(null);
  useEffect(() => {
    // Without it a video is sent all the same, and a host's browser draws its poster.
    if (wanted) import('./videos.ts').then(setVideos, () => undefined);
  }, [wanted]);
  return videos;
}
