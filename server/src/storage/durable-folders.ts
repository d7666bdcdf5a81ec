import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

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
  const made = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<void>>();
  const running = new Map<string, Promise<void>>();

  function sync(path: string): Promise<void> {
    const next = waiting.get(path);
    if (next) return next;
    const before = running.get(path) ?? Promise.resolve();
    const mine = before
      .catch(() => undefined)
      .then(async () => {
        waiting.delete(path);
        running.set(path, mine);
        try {
          await syncNow(path);
        } finally {
          if (running.get(path) === mine) running.delete(path);
        }
      });
    waiting.set(path, mine);
    return mine;
  }

  async function makeNow(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    for (let at = path; ; at = dirname(at)) {
      await sync(dirname(at));
      if (at === root) return;
    }
  }

  return {
    make(path) {
      const known = made.get(path);
      if (known) return known;
      // Kept while it runs: nobody may count on a folder before the one who makes it has synced its parents.
      const mine = makeNow(path);
      made.set(path, mine);
      mine.catch(() => made.delete(path));
      return mine;
    },
    forget: (path) => void made.delete(path),
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
