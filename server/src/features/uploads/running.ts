import { setTimeout as pause } from 'node:timers/promises';
import type { Sender } from './sender.ts';

/** What a sender sent before its line broke may still lie in the machine: it is read on for this long without a byte, and in all. */
const SILENT_MS = 200;
const SETTLE_MS = 5000;
/** Between two looks at it. */
const LOOK_MS = 20;
/** A browser repeats a request that broke off as soon as it has a new connection. */
const REPEAT_MS = 5000;
/** The end of a connection is noticed once what came before it is read. */
const NOTICE_MS = 250;

/** A sender of an upload that is being read on this node. Its end is its disposal. */
export interface Run extends Disposable {
  /** A newer sender has taken its place: what it has sent is not kept. */
  superseded(): boolean;
}

/** The senders of resumable uploads on this node, by upload: at most one is read at a time. */
export interface Running {
  /** Takes an upload over: hangs up on the sender before. `gone` aborts where the sender's connection has ended. */
  begin(upload: string, sender: Pick<Sender, 'silentMs' | 'hangUp'>, gone: AbortSignal): Run;
  /**
   * Whether a request of this upload that comes now is taken for a browser's own repeat of one that broke off a moment ago: Chromium does
   * so, from the request's first byte and unknown to its page, where it had used the connection before. One for each break.
   */
  isRepeat(upload: string): Promise<boolean>;
  /**
   * Hangs up on an upload's sender once nothing comes from it any more, and waits until what it had sent is kept. Whoever asks for that
   * knows where to go on: what comes next is no repeat.
   */
  settle(upload: string): Promise<void>;
  /** The same for all senders. */
  settleAll(): Promise<void>;
}

interface Sending {
  sender: Pick<Sender, 'silentMs' | 'hangUp'>;
  gone: AbortSignal;
  superseded: boolean;
  /** Its repeat came before all that it had sent was kept. */
  repeated: boolean;
  ended: Promise<void>;
}

export function createRunning(): Running {
  const runs = new Map<string, Sending>();
  /** Uploads of which a request broke off a moment ago. */
  const broken = new Map<string, NodeJS.Timeout>();

  function forget(upload: string): boolean {
    clearTimeout(broken.get(upload));
    return broken.delete(upload);
  }

  return {
    begin(upload, sender, gone) {
      const before = runs.get(upload);
      if (before) {
        before.superseded = true;
        before.sender.hangUp();
      }
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const run: Sending = { sender, gone, superseded: false, repeated: false, ended };
      runs.set(upload, run);
      return {
        superseded: () => run.superseded,
        [Symbol.dispose]() {
          if (runs.get(upload) === run) runs.delete(upload);
          if (gone.aborted && !run.repeated) {
            forget(upload);
            broken.set(upload, setTimeout(() => broken.delete(upload), REPEAT_MS).unref());
          }
          resolve();
        },
      };
    },

    async isRepeat(upload) {
      const run = runs.get(upload);
      if (run && !run.gone.aborted) await Promise.race([run.ended, pause(NOTICE_MS)]);
      if (!run?.gone.aborted || runs.get(upload) !== run) return forget(upload);
      run.repeated = true;
      return true;
    },

    async settle(upload) {
      const run = runs.get(upload);
      if (run) await settle(run);
      forget(upload);
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
