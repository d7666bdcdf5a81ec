import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { inTime, refusalOf, type ApiError } from '../api/client.ts';
import { hasPicture, releaseAtEnd } from './video.ts';

/** Pause between two questions whether the server is back. */
const ASK_PAUSE_MS = 2000;
const ASK_LIMIT_MS = 10_000;

/** `waiting`: the server cannot be reached; `unplayable`: this browser cannot play the video; an error: the server refuses it. */
type VideoState = 'playable' | 'waiting' | 'unplayable' | ApiError;
type VideoEvent = SyntheticEvent<HTMLVideoElement>;

/**
 * Plays a video of this site. After a break of the connection it continues at the same place as soon as the server answers again. A video
 * that is not `current` (another one is in front of it) is paused.
 */
export function useVideo(src: string, initial: VideoState | (() => VideoState) = 'playable', current = true) {
  const [state, setState] = useState(initial);
  const ref = useRef<HTMLVideoElement>(null);
  const inSight = useRef(current);
  /** The position in seconds at which the video was last resumed; a further stop there means that it cannot be played. */
  const stopped = useRef<number | null>(null);

  useEffect(() => (ref.current ? releaseAtEnd(ref.current) : undefined), []);

  useEffect(() => {
    inSight.current = current;
    // pause() on a video that was never played would begin to load it.
    if (!current && ref.current?.paused === false) ref.current.pause();
  }, [current]);

  async function resume(video: HTMLVideoElement): Promise<void> {
    if (video.error?.code === MediaError.MEDIA_ERR_DECODE) return setState('unplayable');
    const { currentTime, paused } = video;
    for (let asked = 0; ; asked++) {
      const answer = await ask(src);
      if (ref.current !== video) return;
      if (answer === 'there' && asked === 0 && stopped.current === currentTime) return setState('unplayable');
      if (answer === 'there') break;
      if (answer !== 'away') return setState(answer);
      setState('waiting');
      await new Promise((resolve) => setTimeout(resolve, ASK_PAUSE_MS));
    }
    stopped.current = currentTime;
    setState('playable');
    video.load();
    video.currentTime = currentTime;
    // Some browsers require a tap before each start; the browser's own button waits for it.
    if (!paused && inSight.current) await video.play().catch(() => undefined);
  }

  return {
    state,
    /** The properties of the `<video>` element. */
    props: {
      ref,
      src,
      onError: ({ currentTarget }: VideoEvent): void => void resume(currentTarget),
      onLoadedMetadata: ({ currentTarget }: VideoEvent): void => setState(hasPicture(currentTarget) ? 'playable' : 'unplayable'),
    },
  };
}

/**
 * Asks whether the server hands a video out; returns its refusal if it does not, and `away` if it does not answer or asks to come later, or
 * if somebody else answers.
 */
async function ask(url: string): Promise<'there' | 'away' | ApiError> {
  try {
    return await inTime(ASK_LIMIT_MS, async (signal) => {
      // Bypasses the cache: Firefox may make a request wait for another one to the same address, such as the video's own.
      const answer = await fetch(url, { headers: { range: 'bytes=0-0' }, cache: 'no-store', signal });
      if (answer.ok) return answer.headers.get('content-type')?.startsWith('video/') ? 'there' : 'away';
      const refusal = await refusalOf(answer);
      const { status, code } = refusal;
      return code !== 'not_ours' && status < 500 && status !== 429 ? refusal : 'away';
    });
  } catch {
    return 'away';
  }
}
