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
