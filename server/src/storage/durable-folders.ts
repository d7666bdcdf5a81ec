import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createFairSemaphore } from '../lib/concurrency/fair-semaphore.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';

/** Folders whose existence and entries survive a power loss. They are readable by this user alone. */
export function createDurableFolders(folder: string) {
  const root = resolve(folder);
  // Also holds folders that are being created: nobody may use a folder before its parents are synced.
  const made = createSingleFlight<void>({ successMs: Infinity });
  const waiting = createSingleFlight<void>();
  const syncs = createFairSemaphore(({ length }) => (length === 0 ? Infinity : 1));

  /** fsync of a folder. Callers share a run that has not started yet. A run that has started may miss a caller's change, so later callers get the next. */
  function sync(path: string): Promise<void> {
    return waiting.run(path, () =>
      syncs.run([path], () => {
        waiting.forget(path);
        return syncNow(path);
      }),
    );
  }

  async function makeNow(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    for (let at = path; ; at = dirname(at)) {
      await sync(dirname(at));
      if (at === root) return;
    }
  }

  return {
    /** Creates a folder below the root with its parents; resolves once it survives a power loss. Costs nothing the second time. */
    make: (path: string): Promise<void> => made.run(path, () => makeNow(path)),
    /** Forgets that a folder was created, because it may have been removed. */
    forget: (path: string): void => made.forget(path),
    sync,
  };
}

async function syncNow(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}
