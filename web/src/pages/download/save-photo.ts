import { messageOf } from '../../api/client.ts';
import { download } from '../../texts.ts';

/** The link has expired or never existed, which no further attempt changes; `message` is the German sentence to show. */
export class LinkEnded extends Error {}

/** The server did not answer or failed; `message` says what happened, as a part of a sentence. */
class Trouble extends Error {}

const NO_ANSWER = 'Keine Verbindung';

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
  const answer = await fetch(url, { method: 'HEAD' }).catch(() => null);
  if (!answer) return null;
  return endOf(answer) ?? (answer.ok && answer.headers.get('content-type')?.startsWith('video/') ? 'video' : null);
}

function endOf({ status }: Response): LinkEnded | null {
  if (status === 410) return new LinkEnded(download.expired);
  return status === 400 ? new LinkEnded(download.invalid) : null;
}

/** The photo. Throws Trouble where no answer came or the server is in trouble, LinkEnded or an Error where it refuses. */
async function fetchPhoto(url: string): Promise<Blob> {
  const answer = await orTrouble(fetch(url, { headers: { accept: 'image/*, application/octet-stream' } }));
  if (answer.ok) {
    const photo = await orTrouble(answer.blob());
    // The sign-in page of a hotel's Wi-Fi answers everything with 200 and HTML.
    if (!photo.type.startsWith('image/')) throw new Trouble(NO_ANSWER);
    return photo;
  }
  const end = endOf(answer);
  if (end) throw end;
  const message = errorIn(await answer.text().catch(() => '')) ?? `Status ${answer.status}`;
  throw answer.status >= 500 ? new Trouble(message) : new Error(message);
}

function orTrouble<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw new Trouble(NO_ANSWER, { cause });
  });
}

/** The field `error` of a JSON body, where it is one. */
function errorIn(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { error?: string }).error;
  } catch {
    return undefined;
  }
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
