import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import { NotAPhoto } from './decoder.ts';
import { readFrames, type Answer } from './frames.ts';
import { ANSWER_FD, encodeHead, type Task } from './messages.ts';
import { INFO_FD, type Launch } from './sandbox.ts';

/** What one photo may cost. */
export interface Limits {
  /** ms from its last byte to the answer. */
  time: number;
  /** Resident bytes of the process. */
  memory: number;
}

/** One decoder process, for one job at a time. */
export interface Child {
  /** Settles when the process has started; rejects if it ends before. */
  ready: Promise<void>;
  ended: Promise<void>;
  /**
   * Sends the photo as its bytes come, and waits for the answer, whose body has at most `most` bytes. Throws NotAPhoto where
   * the process refuses it or exceeds the limits, ChildDied where it ends for another reason, NotBegun where `source` throws
   * before its first bytes, and what it throws later. After any throw but a refusal by the process itself and NotBegun, it is gone.
   */
  run(task: Task, source: () => AsyncIterable<Bytes>, size: number, most: number): Promise<Answer>;
  /** Of the process that decodes, as seen from here; null while it starts. */
  pid(): number | null;
  /** Resident bytes; 0 where the system does not tell. */
  memory(): number;
  kill(): void;
}

/** The process ended by itself, or by somebody else's hand. */
export class ChildDied extends Error {}

/** By somebody else's SIGKILL, as the kernel does where memory is short: that says nothing of the photo. */
export class ChildKilled extends ChildDied {}

/** A refusal by the process, which is well and stays. */
export class Refused extends NotAPhoto {}

/** The source threw `cause` before its first bytes: the process has not heard of the photo, and stays. */
export class NotBegun extends Error {}

const START_TIME = 30_000;
/** ms until the source's next bytes. */
const SOURCE_TIME = 120_000;
const WATCH_INTERVAL = 50;
/** What a process ends with whose child a SIGKILL ended (128 and its number): bwrap passes it on so. */
const EXIT_KILLED = 137;
/** The kernel, short of memory, should end these processes first (0 is usual, 1,000 the most). */
const OOM_SCORE = '800';

export function startChild({ command, args, env, isolated }: Launch, limits: Limits): Child {
  const child = spawn(command, args, { env, stdio: ['pipe', 'ignore', 'pipe', 'pipe', isolated ? 'pipe' : 'ignore'] });
  const stdin = child.stdin as Writable;
  const stderr = child.stderr as Readable;
  const answers = child.stdio[ANSWER_FD] as Readable;
  let pid: number | null = isolated ? null : (child.pid ?? null);
  let complaint = '';
  /** Why we ended it. */
  let verdict: Error | null = null;
  let alive = true;
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  /** Continues a delivery that waits for the pipe. */
  let wake = () => {};
  const started = Promise.withResolvers<void>();
  const ready = started.promise;
  const ending = Promise.withResolvers<void>();
  let pending: PromiseWithResolvers<Answer> | null = null;
  /** Of the body of the answer that is awaited; the one that announces the process has none. */
  let mostBytes = 0;
  let delivering = false;

  function condemn(error: Error) {
    verdict ??= error;
    kill();
  }

  /** bwrap is left alone where possible: it ends after the process and leaves no zombie behind. */
  function kill() {
    if (!alive) return;
    if (pid === null || !killed(pid)) child.kill('SIGKILL');
  }

  function limit(time: number, error: () => Error) {
    clearTimeout(timer);
    timer = setTimeout(() => condemn(error()), time);
  }

  function settle(finish: (waiting: PromiseWithResolvers<Answer>) => void) {
    clearTimeout(timer);
    clearInterval(watch);
    const waiting = pending;
    pending = null;
    if (waiting) finish(waiting);
  }

  function end() {
    if (!alive) return;
    alive = false;
    const killedByOthers = child.signalCode === 'SIGKILL' || (isolated && child.exitCode === EXIT_KILLED);
    const Death = killedByOthers ? ChildKilled : ChildDied;
    const error = verdict ?? new Death(`the decoder process ended (${child.signalCode ?? child.exitCode}) ${complaint}`.trim());
    settle((waiting) => waiting.reject(error));
    wake();
    started.reject(error);
    ending.resolve();
  }

  child.once('error', end);
  child.once('close', end);
  // A process that is gone shows by its end, not by the pipes that break.
  for (const stream of [stdin, stderr, answers]) stream.on('error', () => {});
  stdin.on('drain', () => wake());
  stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-500)));
  ready.catch(() => {});
  if (isolated) {
    void readPid(child.stdio[INFO_FD] as Readable).then((found) => {
      pid = found;
      protect(found);
    });
  } else if (pid !== null) protect(pid);

  limit(START_TIME, () => new ChildDied('the decoder process does not start'));
  readFrames(
    answers,
    () => mostBytes,
    (answer) => {
      if (!answer) return condemn(new NotAPhoto('the decoder answers nonsense'));
      if (!pending) {
        clearTimeout(timer);
        return started.resolve();
      }
      if (delivering) return condemn(new NotAPhoto('the decoder answers before it was asked'));
      const refusal = refusalOf(answer.header);
      settle((waiting) => (refusal === null ? waiting.resolve(answer) : waiting.reject(new Refused(refusal))));
    },
  );

  async function deliver(task: Task, source: () => AsyncIterable<Bytes>, size: number) {
    const waitForSource = () => limit(SOURCE_TIME, () => new Error('the photo can not be read in time'));
    waitForSource();
    let sent = 0;
    for await (const piece of begun(source())) {
      if (!alive) return;
      if (sent === 0) stdin.write(encodeHead(task, size));
      sent += piece.length;
      if (sent > size) throw new Error('the photo has more bytes than announced');
      if (stdin.write(piece)) continue;
      limit(limits.time, () => new ChildDied('the decoder process does not read'));
      await new Promise<void>((resolve) => (wake = resolve));
      if (!alive) return;
      waitForSource();
    }
    if (sent < size) throw new Error('the photo has fewer bytes than announced');
    if (!alive) return;
    delivering = false;
    limit(limits.time, () => new NotAPhoto('decoding takes too long'));
  }

  function run(task: Task, source: () => AsyncIterable<Bytes>, size: number, most: number): Promise<Answer> {
    if (!alive) return Promise.reject(new ChildDied('the decoder process has ended'));
    pending = Promise.withResolvers<Answer>();
    const answer = pending.promise;
    mostBytes = most;
    delivering = true;
    watch = setInterval(() => {
      if (memory() > limits.memory) condemn(new NotAPhoto('decoding takes too much memory'));
    }, WATCH_INTERVAL);
    deliver(task, source, size).catch((error: Error) => {
      if (error instanceof NotBegun) settle((waiting) => waiting.reject(error));
      else condemn(error);
    });
    return answer;
  }

  function memory(): number {
    return alive && pid !== null ? residentBytes(pid) : 0;
  }

  return { ready, ended: ending.promise, run, pid: () => (alive ? pid : null), memory, kill };
}

/** What comes of a source; NotBegun where nothing does. */
async function* begun(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let came = false;
  try {
    for await (const piece of source) {
      if (piece.length === 0) continue;
      came = true;
      yield piece;
    }
  } catch (cause) {
    throw came ? cause : new NotBegun('the photo can not be read', { cause });
  }
}

function refusalOf(header: unknown): string | null {
  return typeof header === 'object' && header !== null && 'refused' in header ? String(header.refused) : null;
}

async function readPid(stream: Readable): Promise<number | null> {
  try {
    const info = JSON.parse((await stream.setEncoding('utf8').toArray()).join('')) as { 'child-pid': number };
    return info['child-pid'];
  } catch {
    // bwrap ended before it had a process.
    return null;
  }
}

function protect(pid: number | null): void {
  if (pid !== null) writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE).catch(() => {});
}

/** False where there is no such process any more. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
