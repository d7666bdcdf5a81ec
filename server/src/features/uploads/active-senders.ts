import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../lib/errors.ts';
import type { Sender } from './sender.ts';
import type { Connection } from './upload.ts';

/**
 * Bytes sent before a connection broke may still be in the kernel's buffers: the server reads on until none came for SILENT_MS, for
 * SETTLE_MS at most.
 */
const SILENT_MS = 200;
const SETTLE_MS = 5000;
const SETTLE_POLL_MS = 20;
/** A browser repeats a request that broke off as soon as it has a new connection. */
const REPEAT_MS = 5000;
/** Longest wait until a broken connection is noticed: that happens only once all bytes before the break are read. */
const NOTICE_MS = 250;

/** Where a request begins: at this byte, or it is a form with the whole file. */
export type From = number | 'form';

export interface Claim {
  from: From;
  /** Of the upload, as claimed; a form claims none. */
  version: number | null;
}

/** A sender of an upload that is being read on this node, until its disposal. */
export interface ActiveSender extends Disposable {
  /** A newer sender has taken its place: what it has sent is not kept. */
  isSuperseded(): boolean;
}

/** The senders of resumable uploads on this node, by upload: at most one is read at a time. */
export interface ActiveSenders {
  /**
   * Takes an upload over: ends the connection of the sender before. Throws Refusal upload_offset where that one claimed the upload later:
   * the database may answer claims in another order than it took them.
   */
  start(upload: string, claim: Claim, sender: Pick<Sender, 'silentMs' | 'hangUp'>, connection: Pick<Connection, 'gone'>): ActiveSender;
  /**
   * Ends the connection of a browser that repeats by itself, unknown to its page, a request of this upload that broke off a moment ago
   * (Chromium does so, from the first byte, where it had used the connection before). The page then asks where to resume, which costs less
   * than the repeat. An answer would not end it: browsers send the whole body first. One for each break. A request that
   * begins elsewhere than the broken one is none: another node may have said where to resume. Throws Refusal upload_incomplete.
   */
  refuseRepeat(upload: string, from: From, connection: Connection): Promise<void>;
  /**
   * Ends the connection of an upload's sender once nothing comes from it any more, and waits until what it had sent is kept. A client that
   * asks for that knows where to resume: its next request is no repeat.
   */
  settle(upload: string): Promise<void>;
  /** The same for all senders. */
  settleAll(): Promise<void>;
}

interface Active extends Claim {
  sender: Pick<Sender, 'silentMs' | 'hangUp'>;
  gone: AbortSignal;
  superseded: boolean;
  /** The browser's repeat came while this request was still being stored: its break is not recorded again. */
  repeated: boolean;
  ended: Promise<void>;
}

export function createActiveSenders(): ActiveSenders {
  const senders = new Map<string, Active>();
  /** Uploads of which a request broke off a moment ago. */
  const broken = new Map<string, { from: From; timer: NodeJS.Timeout }>();

  /** Where the one that broke off had begun. */
  function forget(upload: string): From | undefined {
    const before = broken.get(upload);
    clearTimeout(before?.timer);
    broken.delete(upload);
    return before?.from;
  }

  async function isRepeat(upload: string, from: From): Promise<boolean> {
    const active = senders.get(upload);
    if (active && active.from !== from) return false;
    if (active && !active.gone.aborted) await Promise.race([active.ended, pause(NOTICE_MS)]);
    if (!active?.gone.aborted || senders.get(upload) !== active) return forget(upload) === from;
    active.repeated = true;
    return true;
  }

  return {
    start(upload, claim, sender, { gone }) {
      const { from, version } = claim;
      const before = senders.get(upload);
      if (before) {
        if (version !== null && before.version !== null && before.version > version) throw new Refusal('upload_offset');
        before.superseded = true;
        before.sender.hangUp();
      }
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const active: Active = { ...claim, sender, gone, superseded: false, repeated: false, ended };
      senders.set(upload, active);
      return {
        isSuperseded: () => active.superseded,
        [Symbol.dispose]() {
          if (senders.get(upload) === active) senders.delete(upload);
          if (gone.aborted && !active.repeated) {
            forget(upload);
            broken.set(upload, { from, timer: setTimeout(() => broken.delete(upload), REPEAT_MS).unref() });
          }
          resolve();
        },
      };
    },

    async refuseRepeat(upload, from, { hangUp }) {
      if (!(await isRepeat(upload, from))) return;
      hangUp();
      throw new Refusal('upload_incomplete');
    },

    async settle(upload) {
      const active = senders.get(upload);
      if (active) await settle(active);
      forget(upload);
    },

    settleAll: async () => void (await Promise.all([...senders.values()].map(settle))),
  };
}

async function settle({ sender, ended }: Active): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  const until = performance.now() + SETTLE_MS;
  while (!over && sender.silentMs() < SILENT_MS && performance.now() < until) await pause(SETTLE_POLL_MS);
  sender.hangUp();
  await ended;
}
