import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { MB } from '@feierbild/contract/constants.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { HEALTH } from '../features/health/health.ts';
import { bad, caution, clockLine, good, lineOf, reason, type Checked, type Line, type Lines } from './doctor-lines.ts';

/** Timeout of requests from outside, ms. */
const TIMEOUT = 15_000;
/** Timeout of the large body, ms: it may take a slow line. */
const UPLOAD_TIMEOUT = 120_000;
/** Bytes below the limit of a file: a form is a little larger than its file. */
const MARGIN = 64 * 1024;
/** Sizes of the parts in which guests' pages send if larger bodies are refused. */
const UPLOAD_PARTS = [32 * MB, 16 * MB, 8 * MB, 4 * MB, 2 * MB, 1 * MB];

const UNSET =
  'ist aus, aber vor einer https-Adresse steht ein Proxy: Alle Gäste gelten als einer, und Ordner von Fotoboxen werden abgelehnt. Tragen Sie die Adresse ein, von der er kommt.';

const ask = (url: string): Promise<Response> => fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });

/** Checks the way from outside through the proxy: https, reachability, trust in the proxy, clock, size of uploads. */
export async function* checkNetwork({ config: { publicUrl, trustProxy, maxUploadBytes } }: Checked): Lines {
  const https = HEALTH.https.ask({ publicUrl });
  if (https.severity !== 'good') yield* lineOf(HEALTH.https, https);
  if (publicUrl === null) return;
  // The service itself speaks http alone.
  const hasProxy = https.severity === 'good';
  if (hasProxy && trustProxy === false) yield bad('TRUST_PROXY', UNSET);
  let answer: Response;
  try {
    answer = await ask(`${publicUrl}/health`);
  } catch (error) {
    const why = `${publicUrl} antwortet nicht (${reason(error)}).`;
    return yield bad('PUBLIC_URL', `${why} Läuft der Dienst? Stimmen Name, Zertifikat und Proxy?`);
  }
  const body = await answer.text().catch(() => '');
  if (answer.status !== 200 || !body.includes('"ok"')) {
    const what = `Unter ${publicUrl} antwortet etwas anderes (Status ${answer.status}).`;
    return yield bad('PUBLIC_URL', `${what} Prüfen Sie die Weiterleitung des Proxys.`);
  }
  yield good('PUBLIC_URL', `${publicUrl} ist erreichbar.`);
  if (hasProxy && trustProxy !== false) yield proxyLine(publicUrl, trustProxy);
  const date = Date.parse(answer.headers.get('date') ?? '');
  yield Number.isNaN(date) ? caution('Uhr', 'ließ sich nicht vergleichen: Die Antwort nennt keine Zeit.') : clockLine('Uhr', date);
  yield bodyLine(publicUrl, maxUploadBytes);
}

/**
 * Checks that the service believes the proxy, by an answer that needs https. Whether the proxy also names the sender's address cannot be
 * seen from here.
 */
async function proxyLine(publicUrl: string, proxies: string[]): Promise<Line> {
  const folder = `${publicUrl}/dav/`;
  const asked = ask(folder).then(async (answer) => ({ said: (await answer.text()).trim(), why: `Status ${answer.status}` }));
  const { said, why } = await asked.catch((error: unknown) => ({ said: '', why: reason(error) }));
  if (said === errors.booth_login.text) return good('TRUST_PROXY', 'Der Dienst erfährt vom Proxy, dass Anfragen über https kommen.');
  if (said !== errors.https_required.text)
    return caution('TRUST_PROXY', `ließ sich nicht prüfen: Unter ${folder} antwortet etwas anderes (${why}). Prüfen Sie den Proxy.`);
  const cause = `Er kommt nicht von ${proxies.join(', ')} (dann gelten alle Gäste als einer), oder er sendet kein X-Forwarded-Proto.`;
  const what = 'Der Dienst erfährt vom Proxy nicht, dass Anfragen über https kommen, und lehnt Ordner von Fotoboxen ab.';
  return bad('TRUST_PROXY', `${what} ${cause} Berichtigen Sie das.`);
}

/** Checks that a body of nearly the largest size comes through, else finds the size that does: then the refusal is our own. */
async function bodyLine(publicUrl: string, maxUploadBytes: number): Promise<Line> {
  const address = new URL('/upload', publicUrl);
  const what = `${Math.round(maxUploadBytes / MB)} MB`;
  const [arrives, why] = await comesThrough(address, maxUploadBytes - MARGIN);
  if (arrives) return good('Uploads', `bis ${what} kommen durch.`);
  for (const part of UPLOAD_PARTS) {
    const [isLet] = part < maxUploadBytes ? await comesThrough(address, part) : [false];
    const most = `${what} kommen nicht durch (${why}), höchstens etwa ${part / MB} MB. Gäste senden dann kleinere Teile, Fotoboxen scheitern.`;
    if (isLet) return bad('Uploads', `${most} Erhöhen Sie die Grenze des Proxys (nginx: client_max_body_size).`);
  }
  return bad('Uploads', `Nicht einmal 1 MB kommt durch (${why}). Prüfen Sie den Proxy und seine Grenze (nginx: client_max_body_size).`);
}

async function comesThrough(address: URL, bytes: number): Promise<[arrives: boolean, why: string]> {
  try {
    const { status, said } = await post(address, bytes);
    return [status === 400 && said.includes('"device_id_missing"'), `Status ${status}`];
  } catch (error) {
    return [false, reason(error)];
  }
}

/** Sends `size` zero bytes as a form without a device; the answer may come before all are sent. */
async function post(url: URL, size: number): Promise<{ status: number; said: string }> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { 'content-type': 'multipart/form-data; boundary=doctor', 'content-length': size };
  const request = send(url, { method: 'POST', headers, timeout: UPLOAD_TIMEOUT });
  request.on('timeout', () => request.destroy(new Error('keine Antwort')));
  // Sending the rest fails after the answer.
  request.on('error', () => undefined);
  Readable.from(zeros(size)).pipe(request);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const said = await text(answer);
  request.destroy();
  return { status: answer.statusCode ?? 0, said };
}

function* zeros(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024);
  for (let left = size; left > 0; left -= piece.length) yield left >= piece.length ? piece : piece.subarray(0, left);
}
