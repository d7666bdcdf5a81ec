import { useEffect, useEffectEvent } from 'react';
import { watchLive, type LiveNews } from './live.ts';

/** The same while a page is shown (`watchLive`). */
export function useLive(code: string, onChanged: (news: LiveNews | null) => void): void {
  const changed = useEffectEvent(onChanged);
  useEffect(() => watchLive(code, (news) => changed(news)), [code]);
}
