import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import { NotAPhoto } from './decoder.ts';
import { ANSWER_FD, encodeHead, readFrames, type Answer, type Progress } from './messages.ts';
import { cpuMs, queuedMs, residentBytes } from './process-times.ts';
import { INFO_FD, withStdio, type Launch } from './sandbox.ts';

/** What one photo may cost. */
export interface Limits {
  /** From its last byte to the answer. By then a process that worked, within `cpuMs`, has been kept waiting by others. */
  timeMs: number;
  /** Of the cores, by the size that its header says, which is 0 until it was read. Where the system does not report it, `timeMs` alone counts. */
  cpuMs(pixels: number): number;
  /** Resident memory of the process. */
  memoryBytes: number;
}

/** The process could not be started, or ended without being told to. */
export class ChildDied extends Error {}

/** The machine has too little for it: the kernel killed it for want of memory, or its time came to an end while others had the cores. Says nothing about the photo. */
export class ChildKilled extends ChildDied {}

/** The process refuses the photo and goes on working. */
export class Refused extends NotAPhoto {}

/** The photo exceeded the limits of time or memory, and its process is gone. */
export class TooDear extends NotAPhoto {}

/** The source threw `cause` before its first bytes: nothing was sent to the process, which goes on working. */
export class SourceFailed extends Error {}

const START_LIMIT_MS = 30_000;
/** Longest wait for the source's next bytes. */
const SOURCE_LIMIT_MS = 120_000;
/** How often memory and time of a busy process are measured. */
const CHECK_MS = 50;
/** Of a core's time. */
const LEAST_SHARE = 0.02;
const MOST_SHARE = 0.5;
/** Of the time, spent in the queue for a core. */
const QUEUED_SHARE = 0.5;
/** Exit code of bwrap when its child was ended by SIGKILL (128 and the signal's number). */
const EXIT_KILLED = 137;
/** When memory is short the kernel should end these processes first (0 is usual, 1,000 the highest). */
const OOM_SCORE = '800';

/**
 * Whether a process was late because of others: it had a core for `cpuMs` of `timeMs` and queued for one for `queuedMs`. With little of both
 * it hangs, and with much of a core it would take too long on any machine.
 */
export function wasKeptWaiting(cpuMs: number, queuedMs: number, timeMs: number): boolean {
  const share = cpuMs / timeMs;
  return share < MOST_SHARE && (share > LEAST_SHARE || queuedMs / timeMs > QUEUED_SHARE);
}

export type Child = ReturnType<typeof startChild>;

/** Starts a decoder process, for one job at a time. Throws where none can be started (no free file descriptor, for example). */
export function startChild({ command, args, env, isolated }: Launch, limits: Limits) {
  const child = withStdio(['pipe', 'ignore', 'pipe', 'pipe'], isolated, (stdio) => spawn(command, args, { env, stdio }));
  // Without file descriptors for its pipes there is no stdio, and the reason comes as an event that would end the server.
  child.on('error', () => {});
  if (!child.stdin) throw new ChildDied('no pipes to the process');
  const { stdin } = child;
  const stderr = child.stderr as Readable;
  const answers = child.stdio[ANSWER_FD] as Readable;
  let pid: number | null = isolated ? null : (child.pid ?? null);
  let complaint = '';
  /** Why the server killed it. */
  let reason: Error | null = null;
  let alive = true;
  let timer: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  /** Continues a delivery that waits until the pipe takes more. */
  let resume = () => {};
  const ending = Promise.withResolvers<void>();
  const started = Promise.withResolvers<Answer>();
  /** Who waits for the next answer; the first one says that the process is ready. */
  let pending: PromiseWithResolvers<Answer> | null = started;
  /** Of the body of the next answer; the first has none. */
  let maxBodyBytes = 0;
  let delivering = false;
  /** Of the picture, as the process says before it decodes it. */
  let pixels = 0;

  function killBecause(error: Error) {
    reason ??= error;
    kill();
  }

  /** Kills the decoder itself, not bwrap, where its pid is known: bwrap then ends after it and leaves no zombie. */
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
  // The end of the process is handled above; errors of its pipes say nothing more.
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
      if (!answer) return killBecause(new NotAPhoto('the decoder answers nonsense'));
      if (delivering || !pending) return killBecause(new NotAPhoto('the decoder answers before it was asked'));
      if (pending !== started && isProgress(answer.header)) return void ({ pixels } = answer.header);
      const refusal = refusalOf(answer.header);
      settle((waiting) => (refusal === null ? waiting.resolve(answer) : waiting.reject(new Refused(refusal))));
    },
  );

  /** Ends its work after `timeMs`, with this error unless others had the cores. */
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
      // The answer may come at once after the last byte, which therefore waits for the end of the source.
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
   * Sends the photo as its bytes come, and waits for the answer. Throws Refused where the process refuses the photo, TooDear
   * where it exceeds the limits, NotAPhoto where it breaks the protocol, ChildDied where it ends for another reason. An error of `source`
   * is thrown as SourceFailed before its first bytes, and as it is afterwards. Only Refused and SourceFailed leave the process alive.
   */
  function run(task: object, source: () => AsyncIterable<Bytes>, size: number, maxAnswerBytes: number): Promise<Answer> {
    if (!alive || reason) return Promise.reject(new ChildDied('the decoder process has ended'));
    pending = Promise.withResolvers<Answer>();
    const answer = pending.promise;
    maxBodyBytes = maxAnswerBytes;
    delivering = true;
    pixels = 0;
    const cpuBefore = cpu();
    watch = setInterval(() => {
      if (memory() > limits.memoryBytes) killBecause(new TooDear('decoding takes too much memory'));
      if (cpu() - cpuBefore > limits.cpuMs(pixels)) killBecause(new TooDear('decoding takes too long'));
    }, CHECK_MS);
    deliver(task, source, size).catch((error: Error) => {
      if (error instanceof SourceFailed) settle((waiting) => waiting.reject(error));
      else killBecause(error);
    });
    return answer;
  }

  /** Resident memory, bytes; 0 where the system does not report it. */
  function memory(): number {
    return alive && pid !== null ? residentBytes(pid) : 0;
  }

  /** Time of the cores that it has used, ms; 0 where the system does not report it. */
  function cpu(): number {
    return alive && pid !== null ? cpuMs(pid) : 0;
  }

  /** Time in which it could have worked and had no core, ms; 0 where the system does not report it. */
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

/** What a source yields, without empty pieces; throws SourceFailed where it throws before the first bytes. */
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

/** The size that it reports is not trusted: a lie only earns it the longest time. */
function isProgress(header: unknown): header is Progress {
  return typeof header === 'object' && header !== null && 'pixels' in header && typeof header.pixels === 'number';
}

async function readPid(stream: Readable): Promise<number | null> {
  try {
    const info = JSON.parse((await stream.setEncoding('utf8').toArray()).join('')) as { 'child-pid': number };
    return info['child-pid'];
  } catch {
    // bwrap ended before it started the decoder.
    return null;
  }
}

/** Tells the kernel to end this process first when memory is short. */
function offerToKernel(pid: number | null): void {
  if (pid !== null) writeFile(`/proc/${pid}/oom_score_adj`, OOM_SCORE).catch(() => {});
}

/** False where the process has ended already. */
function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
