import { call } from '../../api/client.ts';

/** Between two questions, and for how long an answer is awaited. */
const ASK_MS = 2_000;
const ANSWER_MS = 2_500;

/**
 * Asks the server every other second (some 700 bytes) whether it can be reached, until it answers; then calls `back`, where it had not
 * answered before. A server that answers at once is there: what failed had another cause. Returns what ends it.
 */
export function watchLine(back: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let timer = 0;
  async function ask(lost: boolean): Promise<void> {
    const there = await answers(signal);
    if (signal.aborted) return;
    if (!there) timer = window.setTimeout(() => void ask(true), ASK_MS);
    else if (lost) back();
  }
  void ask(false);
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

async function answers(ended: AbortSignal): Promise<boolean> {
  const giveUp = new AbortController();
  const stop = (): void => giveUp.abort();
  const timer = window.setTimeout(stop, ANSWER_MS);
  ended.addEventListener('abort', stop);
  try {
    await call('GET /health', { signal: giveUp.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    ended.removeEventListener('abort', stop);
  }
}
