import { useEffect, useRef, useState } from 'react';
import { isVideoFile, type Item } from '../selection.ts';
import { posterOf, sendPoster } from './poster.ts';

interface PostersProps {
  items: readonly Item[];
  running: boolean;
  /** Null until the server has told it. */
  deviceId: string | null;
  /** Takes the picture of a chosen video; null where this browser can draw none. */
  show(id: string, picture: Blob | null): void;
  /** The server has posters that were not listed yet. */
  onSent(): void;
}

/** Draws a picture of each chosen video, and gives it to the server once the video is there. Shows nothing. */
export function Posters({ items, running, deviceId, show, onSent }: PostersProps): null {
  const drawn = useRef(new Set<string>());
  const sent = useRef(new Set<string>());
  /** Posters that the server took since the list was read. */
  const [news, setNews] = useState(0);
  useEffect(() => {
    for (const item of items) {
      const { id, file, photo } = item;
      if (!file || !isVideoFile(item)) continue;
      if (!drawn.current.has(id)) {
        drawn.current.add(id);
        void posterOf(file).then((picture) => show(id, picture));
      }
      if (photo?.video && deviceId !== null && !sent.current.has(id)) {
        sent.current.add(id);
        void sendPoster(file, photo, deviceId).then((taken) => taken && setNews((before) => before + 1));
      }
    }
  }, [items, deviceId, show]);
  // During a run the line is for files; at its end the list has them all.
  useEffect(() => {
    if (news === 0 || running) return;
    setNews(0);
    onSent();
  }, [news, running, onSent]);
  return null;
}
