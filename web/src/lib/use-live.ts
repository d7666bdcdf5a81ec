import { useEffect, useEffectEvent } from 'react';

/** A browser does not reconnect after an answer other than 200, so the page does it, with pauses that double up to the longest one, ms. */
const FIRST_PAUSE_MS = 3000;
const LONGEST_PAUSE_MS = 60_000;

/** Photos that were deleted, and photos that were put into or removed from the slideshow. Others may have been added. */
export interface LiveNews {
  gone: readonly string[];
  slideshow: Readonly<Record<string, boolean>>;
}

/**
 * Calls `onChanged` when photos of the event were added, deleted or changed; with null if it is not known which: after a break of the
 * connection, or when the server refuses it (the event or the session may have ended). Pages also look from time to time, so
 * that without a connection they are only slower.
 */
export function useLive(code: string, onChanged: (news: LiveNews | null) => void): void {
  const changed = useEffectEvent(onChanged);
  useEffect(() => {
    let source: EventSource;
    let timer = 0;
    let pause = FIRST_PAUSE_MS;
    let missed = false;
    const connect = (): void => {
      source = new EventSource(`/api/events/${encodeURIComponent(code)}/live`);
      source.addEventListener('open', () => {
        pause = FIRST_PAUSE_MS;
        if (missed) changed(null);
        missed = false;
      });
      source.addEventListener('photos', ({ data }: MessageEvent<string>) => changed(JSON.parse(data) as LiveNews | null));
      source.addEventListener('error', () => {
        missed = true;
        if (source.readyState !== EventSource.CLOSED) return;
        if (pause === FIRST_PAUSE_MS) changed(null);
        timer = window.setTimeout(connect, pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      });
    };
    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [code]);
}
