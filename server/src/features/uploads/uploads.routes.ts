import type { Http } from '../../http/bind.ts';
import { drain } from '../../http/drain.ts';
import { Refusal } from '../../lib/errors.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import { readForm } from './form.ts';
import type { Uploads } from './uploads.ts';

/** While an upload waits for its turn nothing is read from its connection, which must not count as dead. */
const CONNECTION_TIMEOUT_MS = 10 * 60 * 1000;

export function uploadRoutes(http: Http, uploads: Uploads): void {
  http.bind('POST /upload', async ({ headers, visitor, request }) => {
    // For this request only: the next one on the connection gets the server's own timeout again.
    request.raw.setTimeout(CONNECTION_TIMEOUT_MS);
    const { socket } = request.raw;
    const gone = new AbortController();
    const onClose = (): void => gone.abort(new Refusal('upload_incomplete'));
    socket.once('close', onClose);
    const length = Number(request.headers['content-length']);
    try {
      const { status, photo, link } = await uploads.receive({
        visitor,
        eventCode: headers['event-code'] || null,
        deviceName: decodeHeaderText(headers['device-name'] ?? ''),
        password: headers['event-password'] === undefined ? null : decodeHeaderText(headers['event-password']),
        contentLength: Number.isSafeInteger(length) ? length : null,
        form: readForm(request, uploads.maxBytes),
        connection: { gone: gone.signal, hangUp: () => void request.raw.destroy() },
      });
      return { status, body: { photo, ...link } };
    } catch (error) {
      drain(request, uploads.maxBytes);
      throw error;
    } finally {
      socket.off('close', onClose);
    }
  });
}
