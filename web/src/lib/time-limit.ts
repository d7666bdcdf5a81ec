/** Returns the result of `work`, or `late` after `ms` or as soon as `signal` is aborted. For work that cannot be cancelled itself. */
export function within<T, L>(ms: number, work: Promise<T>, late: L, signal?: AbortSignal): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(), ms);
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve(late);
    };
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    work.then(resolve, reject).finally(end);
  });
}
