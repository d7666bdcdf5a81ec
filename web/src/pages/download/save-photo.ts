import { messageOf, NO_CONNECTION } from '../../api/client.ts';
import { download } from '../../texts.ts';

/** A refusal that trying again does not change; `message` is fit to be shown. */
class LinkEnded extends Error {}

/**
 * Saves the photo of a temporary link as `photo_{timestamp}.jpg`. Where the server does not answer, or has trouble, the
 * browser gets to try by itself in a new tab. Throws an Error whose message is to be shown.
 */
export async function savePhoto(url: string): Promise<void> {
  try {
    const photo = await fetchPhoto(url);
    if (photo) saveAs(photo, `photo_${Date.now()}.jpg`);
    else if (!window.open(url, '_blank')) throw new Error(NO_CONNECTION);
  } catch (error) {
    if (error instanceof LinkEnded) throw error;
    throw new Error(
      download.failed.replace('{message}', () => messageOf(error).replace(/\.$/, '')),
      { cause: error },
    );
  }
}

/** The photo; null where no answer came, or one that says that the server is in trouble. Throws where it refuses. */
async function fetchPhoto(url: string): Promise<Blob | null> {
  const answer = await fetch(url, { headers: { accept: 'image/*, application/octet-stream' } }).catch(() => null);
  if (!answer || answer.status >= 500) return null;
  if (answer.ok) return answer.blob().catch(() => null);
  if (answer.status === 410) throw new LinkEnded(download.expired);
  if (answer.status === 400) throw new LinkEnded(download.invalid);
  throw new Error(errorIn(await answer.text().catch(() => '')) ?? `Status ${answer.status}`);
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
