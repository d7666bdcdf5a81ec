import { inTime, refusalOf, type ApiError } from './client.ts';

/** Limit of an answer without the file. */
const ANSWER_MS = 15_000;

/** The answer about a file that is handed out, or waits; the server's refusal; null if it does not answer. */
type FileAnswer = Response | ApiError | null;

/** Asks whether the server hands out a file, of which nothing is loaded. */
export async function askForFile(path: string): Promise<FileAnswer> {
  const ask = (method: 'HEAD' | 'GET') => inTime(ANSWER_MS, (signal) => fetch(path, { method, signal })).catch(() => null);
  const head = await ask('HEAD');
  if (!head || head.ok) return head;
  // Only a body says why; a proxy may refuse HEAD alone.
  const answer = (await ask('GET')) ?? head;
  if (!answer.ok) return refusalOf(answer);
  await answer.body?.cancel();
  return answer;
}
