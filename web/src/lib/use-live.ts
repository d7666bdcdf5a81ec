import { useEffect, useEffectEvent } from 'react';

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
    const source = new EventSource(`/api/events/${encodeURIComponent(code)}/live`);
    let opened = false;
    source.addEventListener('open', () => {
      if (opened) changed(null);
      opened = true;
    });
    source.addEventListener('photos', ({ data }: MessageEvent<string>) => changed(JSON.parse(data) as LiveNews | null));
    return () => source.close();
  }, [code]);
}
