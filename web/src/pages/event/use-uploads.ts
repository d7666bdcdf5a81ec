import type { Photo } from '@feierbild/contract/entities.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLeaveGuard } from '../../lib/leave-guard.ts';
import { setTitle } from '../../lib/title.ts';
import { hasUnsent, isUnsent } from './selection.ts';
import type { QueueState } from './queue-state.ts';
import { createUploadQueue, type UploadQueue } from './upload-queue.ts';

const LEAVE_QUESTION = 'Es wird noch hochgeladen. Die Seite trotzdem verlassen?';
const UNSENT_QUESTION = 'Die Auswahl ist noch nicht hochgeladen. Die Seite trotzdem verlassen?';

/** The page's upload queue for an event. `onStored` must stay the same function. */
export function useUploads(code: string, onStored: (photos: Photo[]) => void): QueueState & UploadQueue {
  const [queue] = useState(() => createUploadQueue(code, onStored));
  useEffect(() => queue.open(), [queue]);
  const state = useSyncExternalStore(queue.subscribe, queue.current, queue.current);
  const left = state.items.filter((item) => item.released && isUnsent(item)).length;
  useEffect(() => {
    setTitle({ left });
    // On the icon of a page that was added to the home screen.
    void navigator.setAppBadge?.(left).catch(() => undefined);
    return () => setTitle({ left: 0 });
  }, [left]);
  useLeaveGuard(hasUnsent(state.items), state.running || state.waiting ? LEAVE_QUESTION : UNSENT_QUESTION);
  return { ...queue, ...state };
}
