import { tryAgain } from './backoff.ts';

/** A browser does not reconnect after an answer other than 200, so the page does it, with pauses that double from this one, ms. */
const FIRST_PAUSE_MS = 3000;
/** The server sends a heartbeat every 25 s. A line that is silent for so long is dead, and no browser notices. */
const SILENCE_MS = 60_000;

/**
 * Deleted photos, photos put into or removed from the slideshow, videos that got their poster, and announced photos by what their original
 * was. Others may have been added, and the event edited.
 */
export interface LiveNews {
  gone: readonly string[];
  slideshow: Readonly<Record<string, boolean>>;
  posters: readonly string[];
  received?: readonly string[];
  replaced?: readonly string[];
  unreadable?: readonly string[];
  /** The host's choice for the walls, or the event, was changed. */
  wall?: true;
}

/**
 * Calls back when the event was edited, or its photos changed. After a break of the connection the server sends the missed changes. Null:
 * they are not known, because the break was too long, or the server refuses (the event or the session may have ended). Pages also poll:
 * without a connection they are only slower. `wall`: the page is one. Returns a function that ends it.
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
      // With a number, the server sends what was missed. A wall has read the host's choice before; no news tells of a press since then.
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
