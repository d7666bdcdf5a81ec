import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../lib/errors.ts';

/**
 * Bytes of a broken connection may still be in the kernel's buffers. The server reads on until none came for SILENT_MS, at most for
 * READ_MS. Then it waits until they are kept, at most for KEEP_MS; a page waits 30 s for its answer.
 */
const SILENT_MS = 200;
const READ_MS = 5000;
const KEEP_MS = 15_000;
const POLL_MS = 20;

/** The connection of an upload's sender. */
export interface Line {
  /** Returns how long the next bytes have been awaited; 0 while received bytes are being worked on. */
  silentMs(): number;
  hangUp(): void;
  /** Called while nothing is read from it: releases its slot. */
  rest(): void;
}

/** A sender of an upload that is being read on this node, until its disposal. */
export interface ActiveSender extends Disposable {
  line: Line;
  /** The upload's version after this sender took it over. */
  version: number;
  /** A newer sender has taken its place: a part that breaks off is not kept. */
  superseded: boolean;
  ended: Promise<void>;
}

/** The senders of resumable uploads on this node: at most one is read for an upload. `keepMs`: replaces KEEP_MS in tests. */
export function createSenders({ keepMs = KEEP_MS } = {}) {
  const senders = new Map<string, ActiveSender>();

  return {
    /**
     * Takes an upload over with its `version`: ends the connection of the sender before. Throws Refusal upload_offset if that sender has
     * the newer version: the database may answer in another order than it ran the writes.
     */
    start(upload: string, version: number, line: Line): ActiveSender {
      const before = senders.get(upload);
      if (before && before.version > version) throw new Refusal('upload_offset');
      if (before) {
        before.superseded = true;
        before.line.hangUp();
      }
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const active: ActiveSender = {
        line,
        version,
        superseded: false,
        ended,
        [Symbol.dispose]() {
          if (senders.get(upload) === active) senders.delete(upload);
          resolve();
        },
      };
      senders.set(upload, active);
      return active;
    },

    /** Ends the connection of an upload's sender, or of all, once it is silent, and waits until its bytes are kept. */
    async stop(upload?: string): Promise<void> {
      const some = [...senders].filter(([id]) => upload === undefined || id === upload);
      await Promise.all(some.map(([, active]) => stopped(active, keepMs)));
    },
  };
}

async function stopped({ line, ended }: ActiveSender, keepMs: number): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  const until = performance.now() + READ_MS;
  while (!over && line.silentMs() < SILENT_MS && performance.now() < until) await pause(POLL_MS);
  line.hangUp();
  await Promise.race([ended, pause(keepMs, undefined, { ref: false })]);
}
