import { ApiError, NO_CONNECTION } from '../api/client.ts';

/** Makes a call whose answer is awaited only for so long. Throws what `ask` throws; after that time ApiError no_connection. */
export async function inTime<T>(ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  try {
    return await ask(late.signal);
  } catch (error) {
    throw late.signal.aborted ? new ApiError(0, 'no_connection', NO_CONNECTION) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Null after this time, or as soon as `signal` is aborted. */
export function nullAfter(ms: number, signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(null);
    const timer = setTimeout(resolve, ms, null);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(null);
    });
  });
}
