import type { Photo } from '@feierbild/contract/entities.ts';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLeaveGuard } from '../../lib/leave-guard.ts';
import { hasUnsent } from './selection.ts';
import { createUploadQueue, type QueueState, type UploadQueue } from './upload-queue.ts';

const LEAVE_QUESTION = 'Es werden noch Fotos hochgeladen. Die Seite trotzdem verlassen?';
const UNSENT_QUESTION = 'Die ausgewählten Fotos sind noch nicht hochgeladen. Die Seite trotzdem verlassen?';

/** The page's upload queue. `onStored` must stay the same function. */
export function useUploads(onStored: (photos: Photo[]) => void): QueueState & UploadQueue {
  const [queue] = useState(() => createUploadQueue(onStored));
  useEffect(() => queue.open(), [queue]);
  const state = useSyncExternalStore(queue.subscribe, queue.current, queue.current);
  useLeaveGuard(hasUnsent(state.items), state.running || state.waiting ? LEAVE_QUESTION : UNSENT_QUESTION);
  return { ...queue, ...state };
}
