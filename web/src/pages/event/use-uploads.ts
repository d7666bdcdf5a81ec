import type { Photo } from '@feierbild/contract/entities.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLeaveGuard } from '../../lib/leave-guard.ts';
import { setTitle } from '../../lib/title.ts';
import { t } from '../../texts/guest/guest.ts';
import { isAtRisk } from './item.ts';
import { isRunning, isStuck, type QueueState } from './queue/machine.ts';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';
import { leftOf } from './queue/selection.ts';

/** The page's upload queue for an event. `onStored` must stay the same function. */
export function useUploads(code: string, onStored: (photos: Photo[]) => void): QueueState & UploadQueue {
  const [queue] = useState(() => createUploadQueue(code, onStored));
  useEffect(() => queue.open(), [queue]);
  const state = useSyncExternalStore(queue.subscribe, queue.current, queue.current);
  const left = leftOf(state.items);
  useEffect(() => {
    setTitle({ left });
    // On the icon of a page that was added to the home screen.
    void navigator.setAppBadge?.(left).catch(() => undefined);
    return () => setTitle({ left: 0 });
  }, [left]);
  useLeaveGuard(state.items.some(isAtRisk), isRunning(state) || isStuck(state) ? t.leave.uploading : t.leave.unsent);
  return { ...queue, ...state };
}
