import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { hasPicture } from './video.ts';

export const LINE_BROKEN = 'Die Verbindung ist unterbrochen. Das Video geht von selbst weiter.';

/** Between two questions whether the server is back. */
const ASK_PAUSE_MS = 2000;
const ASK_TIMEOUT_MS = 10_000;

/** `waiting`: its server cannot be reached; `unplayable`: this browser cannot play it, or it is not handed out. */
type VideoState = 'playable' | 'waiting' | 'unplayable';
type VideoEvent = SyntheticEvent<HTMLVideoElement>;

interface PlayedVideo {
  state: VideoState;
  /** Of the `<video>` that plays it. */
  props: {
    ref: RefObject<HTMLVideoElement | null>;
    src: string;
    onError: (event: VideoEvent) => void;
    onLoadedMetadata: (event: VideoEvent) => void;
  };
}

/**
 * A video of this site. Where its line breaks it goes on at the same place as soon as the server answers again. It is paused where
 * it is not `current`: others are shown in front of it.
 */
export function useVideo(src: string, initial: VideoState | (() => VideoState) = 'playable', current = true): PlayedVideo {
  const [state, setState] = useState(initial);
  const ref = useRef<HTMLVideoElement>(null);
  const left = useRef(false);
  const inSight = useRef(current);
  /** Where it stopped the last time although its server answered, in seconds. */
  const stopped = useRef<number | null>(null);

  useEffect(() => {
    const video = ref.current;
    left.current = false;
    // A video that was taken off the page would hold its connection and its memory for a while.
    return () => {
      left.current = true;
      video?.removeAttribute('src');
      video?.load();
    };
  }, []);

  useEffect(() => {
    inSight.current = current;
    // At one that was never played, pause() would begin to load it.
    if (!current && ref.current?.paused === false) ref.current.pause();
  }, [current]);

  async function resume(video: HTMLVideoElement): Promise<void> {
    if (video.error?.code === MediaError.MEDIA_ERR_DECODE) return setState('unplayable');
    const { currentTime, paused } = video;
    for (let asked = 0; ; asked++) {
      const answer = await ask(src);
      if (left.current) return;
      if (answer === 'refused' || (answer === 'there' && asked === 0 && stopped.current === currentTime)) return setState('unplayable');
      if (answer === 'there') break;
      setState('waiting');
      await new Promise((resolve) => setTimeout(resolve, ASK_PAUSE_MS));
    }
    stopped.current = currentTime;
    setState('playable');
    video.load();
    video.currentTime = currentTime;
    // Where the browser wants a tap for each beginning, its own button waits for one.
    if (!paused && inSight.current) await video.play().catch(() => undefined);
  }

  return {
    state,
    props: {
      ref,
      src,
      onError: ({ currentTarget }) => void resume(currentTarget),
      onLoadedMetadata: ({ currentTarget }) => setState(hasPicture(currentTarget) ? 'playable' : 'unplayable'),
    },
  };
}

/** Whether the server hands a video out; `away` where it does not answer, or asks to come later. */
async function ask(url: string): Promise<'there' | 'refused' | 'away'> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), ASK_TIMEOUT_MS);
  try {
    // Not from the cache: Firefox may let a request wait for another one of the same address, which the video has under way.
    const { ok, status } = await fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store', signal: timeout.signal });
    if (ok) return 'there';
    return status < 500 && status !== 429 ? 'refused' : 'away';
  } catch {
    return 'away';
  } finally {
    clearTimeout(timer);
  }
}
