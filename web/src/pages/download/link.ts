import { askForFile } from '../../api/ask-for-file.ts';
import { ApiError, inTime, isRefusal, messageOf, refusalOf } from '../../api/client.ts';
import { tryAgain } from '../../lib/backoff.ts';
import { linked } from '../../texts/guest/download.ts';
import { saveFile } from '../../ui/download-link.tsx';

/** The requests about a temporary link, and what their answers mean. */

/** Returns the sentence for a link that gives nothing, which no further attempt changes; null for any other error. */
export function endOf(error: unknown): string | null {
  if (isRefusal(error, 'link_expired')) return linked.expired;
  if (isRefusal(error, 'link_invalid')) return linked.invalid;
  return isRefusal(error, 'video_not_shared') ? messageOf(error) : null;
}

/** Limit of an answer with the photo; after it the browser loads the photo itself. */
const PHOTO_MS = 5 * 60_000;

/**
 * Saves the photo of a temporary link as `photo_{timestamp}.jpg`; returns false for a video, which is not saved. If the server does not
 * answer or fails, the browser opens the link in a new tab instead. Throws the errors that `endOf` knows, or an Error with the sentence to
 * show.
 */
export async function savePhoto(url: string): Promise<boolean> {
  try {
    const photo = await fetchPhoto(url);
    if (photo) saveFile(photo, `photo_${Date.now()}.jpg`);
    return photo !== null;
  } catch (error) {
    if (endOf(error) !== null) throw error;
    const { status, code } = error instanceof ApiError ? error : { status: -1, code: null };
    if ((status >= 500 || code === 'no_connection' || code === 'not_ours') && window.open(url, '_blank')) return true;
    const message = messageOf(error, linked.status(status)).replace(/\.$/, '');
    throw new Error(linked.failed(message), { cause: error });
  }
}

/** First and longest pause between two questions for a photo that has not come yet. */
const ASK_MS = 3000;
const ASK_LONGEST_MS = 30_000;

/** Resolves with true once the link is there or has failed; with false after `gone`. */
export async function untilCome(url: string, gone: AbortSignal): Promise<boolean> {
  for (let pause = ASK_MS; ; pause = Math.min(ASK_LONGEST_MS, pause * 1.2)) {
    await new Promise<void>((resolve) => {
      const cancel = tryAgain(0, resolve, pause);
      gone.addEventListener('abort', () => (cancel(), resolve()), { once: true });
    });
    if (gone.aborted) return false;
    // A page in the background asks once it is visible again.
    if (document.hidden) {
      pause = ASK_MS;
      continue;
    }
    const answer = await askForFile(url);
    // No answer, or one of a server in trouble, is no news.
    if (answer && answer.status !== AWAITED && answer.status < 500 && answer.status !== 429) return !gone.aborted;
  }
}

/** The status of a link whose photo has not come yet. */
const AWAITED = 202;

/** Tells a video by its media type: some browsers show one as an `<img>`, without sound, and load all of it. */
const isVideo = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('video/') ?? false;

/** Asks what a link gives: a refusal, a video, or later; null for a photo, and if no answer comes. */
export async function whatIsLinked(url: string): Promise<ApiError | 'video' | 'waiting' | null> {
  const answer = await askForFile(url);
  if (answer?.status === AWAITED) return 'waiting';
  if (answer instanceof Response) return isVideo(answer) ? 'video' : null;
  return answer;
}

/** Asks for the id of a link's photo, by which it can be reported; null without an answer. */
export async function photoIdOf(url: string): Promise<string | null> {
  const answer = await askForFile(url);
  return answer instanceof Response ? answer.headers.get('photo-id') : null;
}

/**
 * Loads the photo; null for a video, of which nothing is loaded. Throws the server's refusal as ApiError, or ApiError no_connection, whose
 * message is a part of a sentence.
 */
async function fetchPhoto(url: string): Promise<Blob | null> {
  const read = async (signal: AbortSignal): Promise<Blob | ApiError | null> => {
    const answer = await fetch(url, { headers: { accept: 'image/*, application/octet-stream' }, signal });
    if (!answer.ok) return refusalOf(answer);
    if (!isVideo(answer)) return answer.blob();
    await answer.body?.cancel();
    return null;
  };
  const answer = await inTime(PHOTO_MS, read).catch(() => undefined);
  if (answer instanceof ApiError) throw answer;
  if (answer === null) return null;
  // The sign-in page of a hotel's Wi-Fi answers everything with 200 and HTML.
  if (!answer?.type.startsWith('image/')) throw new ApiError(0, 'no_connection', linked.line);
  return answer;
}
