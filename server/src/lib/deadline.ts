import { Unavailable } from './errors.ts';

/**
 * Resolves like `work`. Once the signal is aborted, `work` should stop, and has `graceMs` left; then the signal's reason is thrown, even if
 * `work` hangs.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal, graceMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => void (timer = setTimeout(() => late.reject(signal.reason), graceMs));
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return Promise.race([work, late.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  });
}

/** Resolves like `work`; throws Unavailable if it takes longer than `ms`. The work itself is not stopped. */
export async function withDeadline<T>(work: Promise<T>, ms: number, dependency: string): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Unavailable(dependency, `no answer within ${ms} ms`)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}
