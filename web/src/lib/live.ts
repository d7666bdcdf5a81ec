import { tryAgain } from './backoff.ts';

/** First pause before the page reconnects after an answer other than 200, where no browser does; it doubles each time. */
const FIRST_PAUSE_MS = 3000;
/** Silence after which a connection counts as dead, which no browser notices: the server sends a heartbeat every 25 s. */
const SILENCE_MS = 60_000;

/**
 * Changes by photo id: deleted, put into or removed from the slideshow, videos that got their poster, and announced photos by the state
 * of their original. Photos may also have been added, and the event edited.
 */
export interface LiveNews {
  gone: readonly string[];
  slideshow: Readonly<Record<string, boolean>>;
  posters: readonly string[];
  received?: readonly string[];
  replaced?: readonly string[];
  unreadable?: readonly string[];
  /** Set if the host's choice for the walls, or the event, was changed. */
  wall?: true;
}

/**
 * Calls back when the event was edited, or its photos changed. After a break of the connection the server sends the missed changes. Null
 * means unknown changes: the break was too long, or the server refuses (the event or the session may have ended). Pages also poll, so
 * they are only slower without a connection. `wall` is set where the page is a wall. Returns a function that ends it.
 */
export function watchLive(code: string, changed: (news: LiveNews | null) => void, wall = false): () => void {
  let source: EventSource;
  let cancel = (): void => undefined;
  let silence = 0;
  /** Answers other than 200 since the last connection. */
  let refusals = 0;
  let missed = false;
  /** The number of the last change that was received. */
  let last = '';
  const alive = (): void => {
    clearTimeout(silence);
    silence = window.setTimeout(() => {
      source.close();
      missed = true;
      connect();
    }, SILENCE_MS);
  };
  const connect = (): void => {
    const query = new URLSearchParams({ ...(last && { last }), ...(wall && { wall: '1' }) }).toString();
    source = new EventSource(`/api/events/${encodeURIComponent(code)}/live${query && `?${query}`}`);
    alive();
    source.addEventListener('open', () => {
      alive();
      refusals = 0;
      // If `last` is known, the server sends the missed changes. A wall reads the host's choice again: no news reports a press made before
      // this connection.
      if (missed && last === '') changed(null);
      else if (wall && last === '') changed({ gone: [], slideshow: {}, posters: [], wall: true });
      missed = false;
    });
    source.addEventListener('heartbeat', alive);
    source.addEventListener('photos', ({ data, lastEventId }: MessageEvent<string>) => {
      alive();
      last = lastEventId;
      changed(JSON.parse(data) as LiveNews | null);
    });
    source.addEventListener('error', () => {
      missed = true;
      if (source.readyState !== EventSource.CLOSED) return;
      clearTimeout(silence);
      if (refusals === 0) changed(null);
      cancel = tryAgain(refusals, connect, FIRST_PAUSE_MS);
      refusals += 1;
    });
  };
  connect();
  return () => {
    cancel();
    clearTimeout(silence);
    source.close();
  };
}
