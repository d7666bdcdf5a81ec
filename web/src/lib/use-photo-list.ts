import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { onReturn, tryAgain } from './backoff.ts';
import type { ListState, PhotoList } from './photo-list.ts';
import { throttle } from './throttle.ts';
import { useLive } from './use-live.ts';

/** How often photos that came are asked for at most. */
const NEWS_PAUSE_MS = 2000;

/** Keeps the list of an event up to date: by live changes, where none arrive (without a `code` none do) every `pollMs`, and by trying again what failed. `wall`: see `useLive`. */
export function usePhotoList<Facts extends object>(
  code: string | null,
  list: PhotoList<Facts>,
  pollMs: number,
  wall = false,
): ListState<Facts> {
  const state = useSyncExternalStore(list.subscribe, list.current);
  const { failures } = state;

  useEffect(() => {
    if (failures > 0) return tryAgain(failures - 1, () => void list.retry());
  }, [failures, list]);

  const loadNew = useMemo(() => throttle(() => document.visibilityState === 'visible' && void list.loadNew(), NEWS_PAUSE_MS), [list]);
  useEffect(() => {
    const timer = setInterval(loadNew, pollMs);
    const ignore = onReturn(loadNew);
    return () => {
      clearInterval(timer);
      ignore();
      loadNew.cancel();
    };
  }, [loadNew, pollMs]);

  useLive(
    code,
    (news) => {
      void list.news(news);
      loadNew();
    },
    wall,
  );
  return state;
}
