import { useEffect, useEffectEvent } from 'react';
import { watchLive, type LiveNews } from './live.ts';

/** Runs `watchLive` while a page is shown. */
export function useLive(code: string, onChanged: (news: LiveNews | null) => void): void {
  const changed = useEffectEvent(onChanged);
  useEffect(() => watchLive(code, (news) => changed(news)), [code]);
}
