import { setTimeout as sleep } from 'node:timers/promises';

export interface Shutdown {
  /** Called at the signal: reports this node as not ready. */
  drain(): void;
  /** Then everything is still served, so that proxies notice in time. */
  delayMs: number;
  /** Ends what runs, and resolves once all of it is done. */
  close(): Promise<void>;
  /** After this time, requests that still run are cut. */
  timeoutMs: number;
}

/**
 * Ends the process on SIGTERM after the delay, on SIGINT (Ctrl-C on a terminal) without a delay. The exit code is 0, or 1 if a
 * request was cut. A second signal skips the delay, a third one ends the process at once.
 */
export function endOnSignal({ drain, delayMs, close, timeoutMs }: Shutdown): void {
  let signals = 0;
  const skip = new AbortController();
  const end = async (delay: number): Promise<void> => {
    signals += 1;
    if (signals === 2) skip.abort();
    if (signals > 2) process.exit(1);
    if (signals > 1) return;
    drain();
    await sleep(delay, undefined, { signal: skip.signal }).catch(() => undefined);
    setTimeout(() => process.exit(1), timeoutMs).unref();
    await close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void end(delayMs));
  process.on('SIGINT', () => void end(0));
}
