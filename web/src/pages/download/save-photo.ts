import { messageOf } from '../../api/client.ts';
import { download } from '../../texts.ts';

/** A refusal that trying again does not change; `message` is fit to be shown. */
class LinkEnded extends Error {}

/** The browser itself may have more luck; `message` says what happened, as a part of a sentence. */
class Trouble extends Error {}

const NO_ANSWER = 'Keine Verbindung';

/**
 * Saves the photo of a temporary link as `photo_{timestamp}.jpg`. Where the server does not answer, or has trouble, the
 * browser gets to try by itself in a new tab. Throws an Error whose message is to be shown.
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

/** The photo. Throws Trouble where no answer came or the server is in trouble, LinkEnded or an Error where it refuses. */
async function fetchPhoto(url: string): Promise<Blob> {
  const answer = await orTrouble(fetch(url, { headers: { accept: 'image/*, application/octet-stream' } }));
  if (answer.ok) {
    const photo = await orTrouble(answer.blob());
    // The sign-in page of a hotel's Wi-Fi answers everything with 200 and HTML.
    if (!photo.type.startsWith('image/')) throw new Trouble(NO_ANSWER);
    return photo;
  }
  if (answer.status === 410) throw new LinkEnded(download.expired);
  if (answer.status === 400) throw new LinkEnded(download.invalid);
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
  // Browsers take hold of the bytes in the click's own turn; phones are slower.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
