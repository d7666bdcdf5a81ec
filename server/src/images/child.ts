import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import { NotAPhoto } from './decoder.ts';
import { ANSWER_FD, encodeHead, readFrames, type Answer, type Progress } from './messages.ts';
import { cpuMs, queuedMs, residentBytes } from './process-times.ts';
import { INFO_FD, withStdio, type Launch } from './sandbox.ts';

/** Limits for one photo. */
export interface Limits {
  /** Time from the photo's last byte to the answer. A process that worked until then, within `cpuMs`, was kept waiting by others. */
  timeMs: number;
  /** CPU time by the pixels in the photo's header (0 until it was read). Systems that do not report CPU time apply `timeMs` alone. */
  cpuMs(pixels: number): number;
  /** Resident memory of the process, bytes. */
  memoryBytes: number;
}

/** The process failed to start, or ended unexpectedly. */
export class ChildDied extends Error {}

/**
 * The machine lacks resources: the kernel killed the process for want of memory, or its time ended while others had the cores. The photo
 * may be fine.
 */
export class ChildKilled extends ChildDied {}

/** The process refuses the photo and goes on working. */
export class Refused extends NotAPhoto {}

/** The photo exceeded the limits of time or memory; its process is gone. */
export class TooDear extends NotAPhoto {}

/** The source threw `cause` before its first bytes. The process got nothing and goes on working. */
export class SourceFailed extends Error {}

const START_LIMIT_MS = 30_000;
/** Longest wait for the source's next bytes. */
const SOURCE_LIMIT_MS = 120_000;
/** Interval at which memory and time of a busy process are measured. */
const CHECK_MS = 50;
/** Shares of a core between which a late process counts as kept waiting. */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.5;
/** Share of the time in the queue for a core from which on a process counts as kept waiting. */
const QUEUED_SHARE = 0.5;
/** Exit code of bwrap after SIGKILL to its child (128 and the signal's number). */
const EXIT_KILLED = 137;
/** Makes the kernel end these processes first when memory is short (0 is usual, 1,000 the highest). */
const OOM_SCORE = '800';

/**
 * Tells whether other processes made a process late: it had a core for `cpuMs` of `timeMs` and queued for one for `queuedMs`. With little
 * of both it hangs, and with much of a core it would take too long on any machine.
 */
export function wasKeptWaiting(cpuMs: number, queuedMs: number, timeMs: number): boolean {
  const share = cpuMs / timeMs;
  return share < MOST_SHARE && (share > LEAST_SHARE || queuedMs / timeMs > QUEUED_SHARE);
}

export type Child = ReturnType<typeof startChild>;

/** Starts a decoder process, for one job at a time. Throws if none can be started (no free file descriptor, for example). */
export function startChild({ command, args, env, isolated }: Launch, limits: Limits) {
  const child = withStdio(['pipe', 'ignore', 'pipe', 'pipe'], isolated, (stdio) => spawn(command, args, { env, stdio }));
  // Without free file descriptors there is no stdio, and the reason comes as an event; unhandled, that would end the server.
  child.on('error', () => {});
  if (!child.stdin) throw new ChildDied('no pipes to the process');
  const { stdin } = child;
  const stderr = child.stderr as Readable;
  const answers = child.stdio[ANSWER_FD] as Readable;
  let pid: number | null = isolated ? null : (child.pid ?? null);
  let complaint = '';
  /** The server's reason for killing the process. */
  let reason: Error | null = null;
  let alive = true;
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  /** Continues a delivery that waits until the pipe takes more. */
  let resume = () => {};
  const ending = Promise.withResolvers<void>();
  const started = Promise.withResolvers<Answer>();
  /** The next answer; the first one tells that the process is ready. */
  let pending: PromiseWithResolvers<Answer> | null = started;
  /** Limit of the next answer's body, bytes; the first answer has no body. */
  let maxBodyBytes = 0;
  let delivering = false;
  /** Size of the picture, as the process reports before it decodes it. */
  let pixels = 0;
  /** CPU time that the process had used before its job, ms. */
  let cpuAtStart = 0;

  function killBecause(error: Error) {
    reason ??= error;
    kill();
  }

  /** Kills the decoder itself if its pid is known: bwrap then ends after it and leaves no zombie. */
  function kill() {
    if (!alive) return;
    if (pid === null || !killed(pid)) child.kill('SIGKILL');
  }

  function limit(ms: number, error: () => Error) {
    clearTimeout(timer);
    timer = setTimeout(() => killBecause(error()), ms);
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
    const error = reason ?? new Death(`the decoder process ended (${child.signalCode ?? child.exitCode}) ${complaint}`.trim());
    settle((waiting) => waiting.reject(error));
    resume();
    ending.resolve();
  }

  child.once('error', end);
  child.once('close', end);
  // `end` handles the end of the process; errors of its pipes add nothing.
  for (const stream of [stdin, stderr, answers]) stream.on('error', () => {});
  stdin.on('drain', () => resume());
  stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-500)));
  started.promise.catch(() => {});
  if (isolated) {
    void readPid(child.stdio[INFO_FD] as Readable).then((found) => {
      pid = found;
      offerToKernel(found);
    });
  } else if (pid !== null) offerToKernel(pid);

  limit(START_LIMIT_MS, () => new ChildDied('the decoder process does not start'));
  readFrames(
    answers,
    () => maxBodyBytes,
    (answer) => {
      // A process that is being killed has no say.
      if (reason) return;
      if (!answer) return killBecause(new NotAPhoto('the decoder answers nonsense'));
      if (delivering || !pending) return killBecause(new NotAPhoto('the decoder answers before it was asked'));
      if (pending !== started && isProgress(answer.header)) {
        ({ pixels } = answer.header);
        return look();
      }
      const refusal = refusalOf(answer.header);
      settle((waiting) => (refusal === null ? waiting.resolve(answer) : waiting.reject(new Refused(refusal))));
    },
  );

  /** Kills the process after `timeMs`, with this error unless others had the cores. */
  function limitWork(failure: () => Error): void {
    const [cpuBefore, queuedBefore] = [cpu(), queued()];
    limit(limits.timeMs, () => {
      const isBusy = wasKeptWaiting(cpu() - cpuBefore, queued() - queuedBefore, limits.timeMs);
      return isBusy ? new ChildKilled('the machine is too busy to decode in time') : failure();
    });
  }

  async function deliver(task: object, source: () => AsyncIterable<Bytes>, size: number) {
    const waitForSource = () => limit(SOURCE_LIMIT_MS, () => new Error('the photo can not be read in time'));
    waitForSource();
    let sent = 0;
    let last: Bytes | null = null;
    for await (const piece of piecesOf(source())) {
      if (!alive) return;
      if (sent === 0) stdin.write(encodeHead(task, size));
      sent += piece.length;
      if (sent > size) throw new Error('the photo has more bytes than announced');
      // The answer may follow the last byte at once, so that byte waits for the end of the source.
      if (sent === size) last = piece;
      if (last || stdin.write(piece)) continue;
      limitWork(() => new ChildDied('the decoder process does not read'));
      await new Promise<void>((resolve) => (resume = resolve));
      if (!alive) return;
      waitForSource();
    }
    if (sent < size) throw new Error('the photo has fewer bytes than announced');
    if (!alive) return;
    delivering = false;
    limitWork(() => new TooDear('decoding takes too long'));
    if (last) stdin.write(last);
  }

  /**
   * Sends the photo as its bytes come, and waits for the answer. Throws Refused if the process refuses the photo, TooDear if the photo
   * exceeds the limits, NotAPhoto if the process breaks the protocol, ChildDied if it ends for another reason. An error of `source` before
   * its first bytes is thrown as SourceFailed, a later one unchanged. Only Refused and SourceFailed leave the process alive.
   */
  function run(task: object, source: () => AsyncIterable<Bytes>, size: number, maxAnswerBytes: number): Promise<Answer> {
    if (!alive || reason) return Promise.reject(new ChildDied('the decoder process has ended'));
    pending = Promise.withResolvers<Answer>();
    const answer = pending.promise;
    maxBodyBytes = maxAnswerBytes;
    delivering = true;
    pixels = 0;
    cpuAtStart = cpu();
    watch = setInterval(look, CHECK_MS);
    deliver(task, source, size).catch((error: Error) => {
      if (error instanceof SourceFailed) settle((waiting) => waiting.reject(error));
      else killBecause(error);
    });
    return answer;
  }

  /** Kills the process if its job has used too much. */
  function look(): void {
    if (memory() > limits.memoryBytes) killBecause(new TooDear('decoding takes too much memory'));
    if (cpu() - cpuAtStart > limits.cpuMs(pixels)) killBecause(new TooDear('decoding takes too long'));
  }

  /** Returns the resident memory, bytes; 0 if the system does not report it. */
  function memory(): number {
    return alive && pid !== null ? residentBytes(pid) : 0;
  }

  /** Returns the used CPU time, ms; 0 if the system does not report it. */
  function cpu(): number {
    return alive && pid !== null ? cpuMs(pid) : 0;
  }

  /** Returns the time in the queue for a core, ms; 0 if the system does not report it. */
  function queued(): number {
    return alive && pid !== null ? queuedMs(pid) : 0;
  }

  return {
    /** Settles when the process has started; rejects with ChildDied if it ends before. */
    ready: started.promise,
    ended: ending.promise,
    run,
    /** Process id as seen from the server; null while the process starts. */
    pid: (): number | null => (alive ? pid : null),
    memory,
    cpu,
    kill,
  };
}

/** Yields a source's pieces except empty ones. Throws SourceFailed if the source throws before its first bytes. */
async function* piecesOf(source: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let begun = false;
  try {
    for await (const piece of source) {
      if (piece.length === 0) continue;
      begun = true;
      yield piece;
    }
  } catch (cause) {
    throw begun ? cause : new SourceFailed('the photo can not be read', { cause });
  }
}

function refusalOf(header: unknown): string | null {
  return typeof header === 'object' && header !== null && 'refused' in header ? String(header.refused) : null;
}

/** Recognizes a report of the picture's size. The size is not trusted: a lie only earns the process the longest time. */
function isProgress(header: unknown): header is Progress {
  return typeof header === 'object' && header !== null && 'pixels' in header && typeof header.pixels === 'number';
}

async function readPid(stream: Readable): Promise<number | null> {
  try {
    const info = JSON.parse((await stream.setEncoding('utf8').toArray()).join('')) as { 'child-pid': number };
    return info['child-pid'];
  } catch {
    // bwrap ended before it could start
    return null;
  }
}

function offerToKernel(pid: number | null): void {
  if (pid !== null) writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE).catch(() => {});
}

/** Sends SIGKILL; false: the process has already ended. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
