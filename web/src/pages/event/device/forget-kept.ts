import { recall } from '../../../lib/storage.ts';

/** Whether an earlier page of this browser left something for the event. */
export async function isKept(code: string): Promise<boolean> {
  try {
    return await (await import('./descriptors.ts')).isKept(code);
  } catch {
    return false;
  }
}

/** The event is over for guests: nothing of what this browser still wanted to send there stays. */
export async function forgetKept(code: string): Promise<void> {
  if (!recall('kept')?.split(' ').includes(code)) return;
  try {
    const { forgetEvent } = await import('./descriptors.ts');
    await forgetEvent(code);
  } catch {
    // Not reached, or refused: the next visit tries again.
  }
}
