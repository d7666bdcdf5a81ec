import { useEffect, useEffectEvent } from 'react';
import { watchLive, type LiveNews } from './live.ts';
import { oneAtATime } from './one-at-a-time.ts';

/**
 * Runs `watchLive` while a page is shown. `onChanged` reads what changed, one read at a time: in a wave of uploads, news comes faster than
 * answers, and a read that each news broke off would never end.
 */
export function useLive(code: string, onChanged: (news: LiveNews | null) => Promise<unknown>): void {
  const changed = useEffectEvent(onChanged);
  useEffect(() => {
    const read = oneAtATime<LiveNews>((news) => changed(news));
    return watchLive(code, (news) => void read(news));
  }, [code]);
}
