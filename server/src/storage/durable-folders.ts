import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createKeyedMutex } from '../lib/concurrency/keyed-mutex.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';

export interface DurableFolders {
  /** Makes a folder below the root with its parents; resolves when a power loss can no longer undo it. Free once made. */
  make(path: string): Promise<void>;
  /** Forgets that a folder was made, because it may be gone. */
  forget(path: string): void;
  /** fsync of a folder: one run serves everyone who asked before it started. */
  sync(path: string): Promise<void>;
}

/** Folders whose existence and entries survive a power loss. They are readable by this user alone. */
export function createDurableFolders(folder: string): DurableFolders {
  const root = resolve(folder);
  // Kept from the start on: nobody may count on a folder before the one who makes it has synced its parents.
  const made = createSingleFlight<void>({ successMs: Infinity });
  const waiting = createSingleFlight<void>();
  const syncs = createKeyedMutex();

  /** Whoever asks while a run waits shares it; who asks after it began may have changed what it did not see, and gets the next. */
  function sync(path: string): Promise<void> {
    return waiting.run(path, () =>
      syncs.run(path, () => {
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
    make: (path) => made.run(path, () => makeNow(path)),
    forget: (path) => made.forget(path),
    sync,
  };
}

async function syncNow(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
