import { backoffMs } from '../../lib/backoff.ts';
import { recall } from '../../lib/storage.ts';
import { within } from '../../lib/time-limit.ts';
import type { QueueContext } from './queue-context.ts';

interface RemovalHooks {
  /** Loads the code that asks the server. */
  load(): Promise<void>;
  /** Returns the signal that is aborted when the page is left. */
  left(): AbortSignal;
  /** Called when all withdrawn uploads are gone. */
  confirmed(): void;
}

/** Removes uploads and their previews from the server, as soon as it can be reached. */
export function createRemovals(context: Pick<QueueContext, 'tus' | 'sender'>, { load, left, confirmed }: RemovalHooks) {
  let withdrawn: Promise<unknown> = Promise.resolve();

  /** Removes an upload and its preview; resolves once the server has confirmed it. */
  async function terminate(key: string): Promise<void> {
    const signal = left();
    // The server knows this device's id from the begun upload.
    const from = context.sender ?? { deviceId: recall('device_id') ?? '', password: '' };
    for (let attempt = 0; !signal.aborted; attempt++) {
      await load();
      if (await context.tus?.terminate(key, from, signal)) return;
      await within(backoffMs(attempt), new Promise<never>(() => undefined), undefined, signal);
    }
  }

  return {
    terminate,
    /** Removes uploads, and calls `confirmed` once these and all earlier ones are gone. */
    withdraw(keys: readonly string[]): void {
      const all = (withdrawn = Promise.all([withdrawn, ...keys.map(terminate)]));
      void all.then(() => {
        if (all === withdrawn) confirmed();
      });
    },
  };
}
