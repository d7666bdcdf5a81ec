import { setTimeout as pause } from 'node:timers/promises';
import type { Sender } from './sender.ts';

/** What a sender sent before its line broke may still lie in the machine: it is read on for this long without a byte, and in all. */
const SILENT_MS = 200;
const SETTLE_MS = 5000;
/** Between two looks at it. */
const LOOK_MS = 20;

/** A sender of an upload that is being read on this node. Its end is its disposal. */
export interface Run extends Disposable {
  /** A newer sender has taken its place: what it has sent is not kept. */
  superseded(): boolean;
}

/** The senders of resumable uploads on this node, by upload: at most one is read at a time. */
export interface Running {
  /** Takes an upload over: hangs up on the sender before. */
  begin(upload: string, sender: Pick<Sender, 'silentMs' | 'hangUp'>): Run;
  /** Hangs up on an upload's sender once nothing comes from it any more, and waits until what it had sent is kept. */
  settle(upload: string): Promise<void>;
  /** The same for all senders. */
  settleAll(): Promise<void>;
}

interface Sending {
  sender: Pick<Sender, 'silentMs' | 'hangUp'>;
  superseded: boolean;
  ended: Promise<void>;
}

export function createRunning(): Running {
  const runs = new Map<string, Sending>();

  return {
    begin(upload, sender) {
      const before = runs.get(upload);
      if (before) {
        before.superseded = true;
        before.sender.hangUp();
      }
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const run: Sending = { sender, superseded: false, ended };
      runs.set(upload, run);
      return {
        superseded: () => run.superseded,
        [Symbol.dispose]() {
          if (runs.get(upload) === run) runs.delete(upload);
          resolve();
        },
      };
    },

    async settle(upload) {
      const run = runs.get(upload);
      if (run) await settle(run);
    },

    settleAll: async () => void (await Promise.all([...runs.values()].map(settle))),
  };
}

async function settle({ sender, ended }: Sending): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  const until = performance.now() + SETTLE_MS;
  while (!over && sender.silentMs() < SILENT_MS && performance.now() < until) await pause(LOOK_MS);
  sender.hangUp();
  await ended;
}
