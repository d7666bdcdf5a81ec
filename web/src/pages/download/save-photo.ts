import { inTime, messageOf, refusalOf, type ApiError } from '../../api/client.ts';
import { download } from '../../texts.ts';

/** The link has expired or never existed, which no further attempt changes; `message` is the German sentence to show. */
export class LinkEnded extends Error {}

/** The server did not answer or failed; `message` says what happened, as a part of a sentence. */
class Trouble extends Error {}

const NO_ANSWER = 'Keine Verbindung';

/** Longest wait for an answer without the photo, and with it, ms: after that the browser loads it by itself. */
const ANSWER_MS = 15_000;
const PHOTO_MS = 5 * 60_000;

/**
 * Saves the photo of a temporary link as `photo_{timestamp}.jpg`. Where the server does not answer or fails, the browser
 * opens the link in a new tab instead. Throws LinkEnded, or an Error with the German sentence to show.
 */
export async function savePhoto(url: string): Promise<void> {
  try {
    saveAs(await fetchPhoto(url), `photo_${Date.now()}.jpg`);
  } catch (error) {
    if (error instanceof LinkEnded) throw error;
    if (error instanceof Trouble && window.open(url, '_blank')) return;
    throw new Error(
      download.failed.replace('{message}', () => messageOf(error).replace(/\.$/, '')),
      { cause: error },
    );
  }
}

/** Asks why a link shows no picture: it has ended, or it is a video; null where that is not known. */
export async function whyNoPicture(url: string): Promise<LinkEnded | 'video' | null> {
  try {
    const head = await askLink(url, 'HEAD');
    if (head.ok) return head.headers.get('content-type')?.startsWith('video/') ? 'video' : null;
    // Only the body says whether it is the server that refuses.
    return endOf(await refusalOf(await askLink(url, 'GET')));
  } catch {
    return null;
  }
}

/** The number of a link's photo, by which it can be reported; null where it cannot be asked. */
export async function photoIdOf(url: string): Promise<string | null> {
  return askLink(url, 'HEAD').then(
    ({ headers }) => headers.get('photo-id'),
    () => null,
  );
}

function askLink(url: string, method: 'HEAD' | 'GET'): Promise<Response> {
  return inTime(ANSWER_MS, (signal) => fetch(url, { method, signal }));
}

function endOf({ code }: ApiError): LinkEnded | null {
  if (code === 'link_expired') return new LinkEnded(download.expired);
  return code === 'link_invalid' ? new LinkEnded(download.invalid) : null;
}

/** The photo. Throws Trouble where no answer came or the server is in trouble, LinkEnded or an Error where it refuses. */
async function fetchPhoto(url: string): Promise<Blob> {
  const read = async (signal: AbortSignal): Promise<Blob | ApiError> => {
    const answer = await fetch(url, { headers: { accept: 'image/*, application/octet-stream' }, signal });
    return answer.ok ? answer.blob() : refusalOf(answer);
  };
  const answer = await inTime(PHOTO_MS, read).catch((cause: unknown) => {
    throw new Trouble(NO_ANSWER, { cause });
  });
  // The sign-in page of a hotel's Wi-Fi answers everything with 200 and HTML.
  if (answer instanceof Blob && !answer.type.startsWith('image/')) throw new Trouble(NO_ANSWER);
  if (answer instanceof Blob) return answer;
  const end = endOf(answer);
  if (end) throw end;
  const message = answer.message || `Status ${answer.status}`;
  throw answer.status >= 500 || answer.code === 'not_ours' ? new Trouble(message) : new Error(message);
}

function saveAs(photo: Blob, name: string): void {
  const url = URL.createObjectURL(photo);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Phones read the bytes some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
