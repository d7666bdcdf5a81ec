import type { Http } from '../../http/bind.ts';
import { drain } from '../../http/drain.ts';
import { Refusal } from '../../lib/errors.ts';
import { decodeHeaderText } from '../../lib/header-text.ts';
import { readForm } from './form.ts';
import type { Uploads } from './uploads.ts';

/** A sender who has to wait for the others is silent without being gone, ms. */
const PATIENCE = 10 * 60 * 1000;

export function uploadRoutes(http: Http, uploads: Uploads): void {
  http.bind('POST /upload', async ({ headers, visitor, request }) => {
    // Until the answer; the next request on the connection has the server's own limit again.
    request.raw.setTimeout(PATIENCE);
    const { socket } = request.raw;
    const gone = new AbortController();
    const hangUp = (): void => gone.abort(new Refusal('upload_incomplete'));
    socket.once('close', hangUp);
    const length = Number(request.headers['content-length']);
    try {
      const { status, photo, link } = await uploads.receive({
        visitor,
        eventCode: headers['event-code'] || null,
        deviceName: decodeHeaderText(headers['device-name'] ?? ''),
        password: headers['event-password'] === undefined ? null : decodeHeaderText(headers['event-password']),
        contentLength: Number.isSafeInteger(length) ? length : null,
        gone: gone.signal,
        form: readForm(request, uploads),
      });
      return { status, body: { photo, ...link } };
    } catch (error) {
      drain(request, uploads.maxBytes);
      throw error;
    } finally {
      socket.off('close', hangUp);
    }
  });
}
