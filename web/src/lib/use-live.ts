import { useEffect, useEffectEvent } from 'react';

/** A browser gives a connection up for good after one answer that is not 200: then we try again, after 3 s and up to a minute, ms. */
const FIRST_PAUSE = 3000;
const LONGEST_PAUSE = 60_000;

/** Photos that went, and photos whose place in the slideshow changed; others may have come. */
export interface LiveNews {
  gone: readonly string[];
  slideshow: Readonly<Record<string, boolean>>;
}

/**
 * Calls `onChanged` when photos of the event came, went or changed, and after a broken connection is there again; without news
 * where nobody knows which. Pages look by themselves from time to time all the same: where the connection never comes about,
 * they are only slower.
 */
export function useLive(code: string, onChanged: (news: LiveNews | null) => void): void {
  const changed = useEffectEvent(onChanged);
  useEffect(() => {
    let source: EventSource;
    let timer = 0;
    let pause = FIRST_PAUSE;
    let missed = false;
    const connect = (): void => {
      source = new EventSource(`/api/events/${encodeURIComponent(code)}/live`);
      source.addEventListener('open', () => {
        pause = FIRST_PAUSE;
        if (missed) changed(null);
        missed = false;
      });
      source.addEventListener('photos', ({ data }: MessageEvent<string>) => changed(JSON.parse(data) as LiveNews | null));
      source.addEventListener('error', () => {
        missed = true;
        if (source.readyState !== EventSource.CLOSED) return;
        timer = window.setTimeout(connect, pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE);
      });
    };
    connect();
    return () => {
      clearTimeout(timer);
      source.close();
    };
  }, [code]);
}
