import { recall } from '../../../lib/storage.ts';

const load = () => import('./descriptors.ts');

/** Whether an earlier page of this browser left something for the event. */
export function isKept(code: string): Promise<boolean> {
  return load()
    .then(({ isKept: asks }) => asks(code))
    .catch(() => false);
}

/** The event is over for guests: nothing of what this browser still wanted to send there stays. */
export async function forgetKept(code: string): Promise<void> {
  if (!recall('kept')?.split(' ').includes(code)) return;
  // Not reached, or refused: the next visit tries again.
  await load()
    .then(({ forgetEvent }) => forgetEvent(code))
    .catch(() => undefined);
}
