import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { MB } from '@feierbild/contract/constants.ts';
import { count } from '../german.ts';
import { bad, caution, good, reason, type Check, type Line } from './line.ts';

const TIMEOUT = 15_000;
/** For the large body, ms: also over a slow line. */
const UPLOAD_TIMEOUT = 120_000;
/** Sessions and links tolerate less than people notice, ms. */
const SKEW_NOTED = 30_000;
const SKEW_WRONG = 300_000;
/** Below the limit of a file by this much: a form is a little larger than its file. */
const MARGIN = 64 * 1024;

/** The way from outside through the proxy: https, reachable, clock, size of uploads. */
export const checkNetwork: Check = async function* ({ config: { publicUrl, maxUploadBytes } }) {
  if (publicUrl === null)
    return yield caution('PUBLIC_URL', 'ist nicht gesetzt. Setzen Sie die https-Adresse, unter der Gäste den Dienst erreichen.');
  if (!publicUrl.startsWith('https:'))
    yield caution('PUBLIC_URL', `${publicUrl} ist keine https-Adresse. Außerhalb des eigenen Netzes nur hinter https betreiben.`);
  let answer: Response;
  try {
    answer = await fetch(`${publicUrl}/health`, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
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
  yield clockLine(answer.headers.get('date'));
  yield bodyLine(publicUrl, maxUploadBytes);
};

function clockLine(date: string | null): Line {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return caution('Uhr', 'ließ sich nicht vergleichen: Die Antwort nennt keine Zeit.');
  const skew = Math.abs(Date.now() - there);
  const seconds = count(Math.round(skew / 1000), 'Sekunde', 'Sekunden');
  if (skew < SKEW_NOTED) return good('Uhr', 'geht richtig.');
  return (skew < SKEW_WRONG ? caution : bad)('Uhr', `weicht um ${seconds} ab. Schalten Sie die Zeitsynchronisierung (NTP) ein.`);
}

/** Whether a body of nearly the largest size comes through: then the refusal is our own. */
async function bodyLine(publicUrl: string, maxUploadBytes: number): Promise<Line> {
  const size = maxUploadBytes - MARGIN;
  const what = `${Math.round(maxUploadBytes / MB)} MB`;
  try {
    const { status, text } = await post(new URL('/upload', publicUrl), size);
    if (status === 400 && text.includes('"device_id_missing"')) return good('Uploads', `bis ${what} kommen durch.`);
    if (status === 413) return bad('Uploads', `Der Proxy lehnt ${what} ab. Erhöhen Sie seine Grenze (nginx: client_max_body_size).`);
    return bad('Uploads', `Statt Feierbild antwortet etwas anderes (Status ${status}). Prüfen Sie den Proxy.`);
  } catch (error) {
    return bad('Uploads', `${what} kommen nicht durch (${reason(error)}). Erhöhen Sie die Grenze des Proxys.`);
  }
}

/** Sends `size` zero bytes as a form from no device; the answer may come before all are sent. */
function post(url: URL, size: number): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const headers = { 'content-type': 'multipart/form-data; boundary=doctor', 'content-length': size };
    const request = send(url, { method: 'POST', headers, timeout: UPLOAD_TIMEOUT }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('error', reject);
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text });
        request.destroy();
      });
    });
    request.on('timeout', () => request.destroy(new Error('keine Antwort')));
    request.on('error', reject);
    Readable.from(zeros(size)).pipe(request);
  });
}

function* zeros(size: number): Generator<Buffer> {
  const piece = Buffer.alloc(64 * 1024);
  for (let left = size; left > 0; left -= piece.length) yield left >= piece.length ? piece : piece.subarray(0, left);
}
