import { useEffect, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { hasPicture } from './video.ts';

export const LINE_BROKEN = 'Die Verbindung ist unterbrochen. Das Video geht von selbst weiter.';

/** Between two questions whether the server is back. */
const ASK_PAUSE_MS = 2000;
const ASK_TIMEOUT_MS = 10_000;

/** `waiting`: its server cannot be reached; `unplayable`: this browser cannot play it, or it is not handed out. */
type FilmState = 'playable' | 'waiting' | 'unplayable';
type FilmEvent = SyntheticEvent<HTMLVideoElement>;

interface Film {
  state: FilmState;
  /** Of the `<video>` that plays it. */
  props: {
    ref: RefObject<HTMLVideoElement | null>;
    src: string;
    onError: (event: FilmEvent) => void;
    onLoadedMetadata: (event: FilmEvent) => void;
  };
}

/** A film of this site. Where its line breaks it goes on at the same place as soon as the server answers again. */
export function useFilm(src: string, initial: FilmState | (() => FilmState) = 'playable'): Film {
  const [state, setState] = useState(initial);
  const ref = useRef<HTMLVideoElement>(null);
  const left = useRef(false);
  /** Where it stopped the last time although its server answered, in seconds. */
  const stopped = useRef<number | null>(null);

  useEffect(() => {
    const film = ref.current;
    left.current = false;
    // A film that was taken off the page would hold its connection and its memory for a while.
    return () => {
      left.current = true;
      film?.removeAttribute('src');
      film?.load();
    };
  }, []);

  async function resume(film: HTMLVideoElement): Promise<void> {
    if (film.error?.code === MediaError.MEDIA_ERR_DECODE) return setState('unplayable');
    const { currentTime, paused } = film;
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
    film.load();
    film.currentTime = currentTime;
    // Where the browser wants a tap for each beginning, its own button waits for one.
    if (!paused) await film.play().catch(() => undefined);
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

/** Whether the server hands a film out; `away` where it does not answer, or asks to come later. */
async function ask(url: string): Promise<'there' | 'refused' | 'away'> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ASK_TIMEOUT_MS);
  try {
    const { ok, status } = await fetch(url, { headers: { range: 'bytes=0-0' }, signal: patience.signal });
    if (ok) return 'there';
    return status < 500 && status !== 429 ? 'refused' : 'away';
  } catch {
    return 'away';
  } finally {
    clearTimeout(timer);
  }
}
