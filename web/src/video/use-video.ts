import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { inTime, refusalOf } from '../api/client.ts';
import { hasPicture, releaseAtEnd } from './video.ts';

/** Between two questions whether the server is back. */
const ASK_PAUSE_MS = 2000;
const ASK_LIMIT_MS = 10_000;

/** `waiting`: its server cannot be reached; `unplayable`: this browser cannot play it, or it is not handed out. */
type VideoState = 'playable' | 'waiting' | 'unplayable';
type VideoEvent = SyntheticEvent<HTMLVideoElement>;

/**
 * A video of this site. Where its line breaks it goes on at the same place as soon as the server answers again. It is paused where
 * it is not `current`: others are shown in front of it.
 */
export function useVideo(src: string, initial: VideoState | (() => VideoState) = 'playable', current = true) {
  const [state, setState] = useState(initial);
  const ref = useRef<HTMLVideoElement>(null);
  const inSight = useRef(current);
  /** The position of the last stop although the server answered, in seconds. */
  const stopped = useRef<number | null>(null);

  useEffect(() => (ref.current ? releaseAtEnd(ref.current) : undefined), []);

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
      if (ref.current !== video) return;
      if (answer === 'refused' || (answer === 'there' && asked === 0 && stopped.current === currentTime)) return setState('unplayable');
      if (answer === 'there') break;
      setState('waiting');
      await new Promise((resolve) => setTimeout(resolve, ASK_PAUSE_MS));
    }
    stopped.current = currentTime;
    setState('playable');
    video.load();
    video.currentTime = currentTime;
    // Some browsers want a tap before each start: the browser's own button waits for it.
    if (!paused && inSight.current) await video.play().catch(() => undefined);
  }

  return {
    state,
    /** Of the `<video>` that plays it. */
    props: {
      ref,
      src,
      onError: ({ currentTarget }: VideoEvent): void => void resume(currentTarget),
      onLoadedMetadata: ({ currentTarget }: VideoEvent): void => setState(hasPicture(currentTarget) ? 'playable' : 'unplayable'),
    },
  };
}

/** Whether the server hands a video out; `away` where it does not answer, or asks to come later, or somebody else answers. */
async function ask(url: string): Promise<'there' | 'refused' | 'away'> {
  try {
    return await inTime(ASK_LIMIT_MS, async (signal) => {
      // Not from the cache: Firefox may let a request wait for another one of the same address, which the video has under way.
      const answer = await fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store', signal });
      if (answer.ok) return answer.headers.get('content-type')?.startsWith('video/') ? 'there' : 'away';
      const { status, code } = await refusalOf(answer);
      return code !== 'not_ours' && status < 500 && status !== 429 ? 'refused' : 'away';
    });
  } catch {
    return 'away';
  }
}
