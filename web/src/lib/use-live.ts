import { useEffect, useEffectEvent } from 'react';

/**
 * Calls `onChanged` when photos of the event came, went or changed, and after a broken connection is there again. Pages look
 * by themselves from time to time all the same: where the connection never comes about, they are only slower.
 */
export function useLive(code: string, onChanged: () => void): void {
  const changed = useEffectEvent(onChanged);
  useEffect(() => {
    const source = new EventSource(`/api/events/${encodeURIComponent(code)}/live`);
    let opened = false;
    source.addEventListener('open', () => {
      if (opened) changed();
      opened = true;
    });
    source.addEventListener('photos', () => changed());
    return () => source.close();
  }, [code]);
}
