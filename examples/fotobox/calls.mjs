// The calls of the contract (docs/fotobox.md), and the meaning of each answer for the picture.
import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';

/** Size above which a picture is sent to /uploads, where a broken upload can be resumed, bytes. Broken ones are sent there, too. */
const LARGE = 4_000_000;
/** Bytes of a request to /uploads: the most, and the fewest that a proxy's limit may allow. */
const PIECE = 16_000_000;
const PIECE_LEAST = 64_000;
/** Bytes of a request that a proxy with a limit of its own has let through so far. */
let piece = PIECE;

/** Time for an answer, and for each byte of the request (256 kbit/s), ms. */
const PATIENCE = 60_000;
const PATIENCE_PER_BYTE = 1 / 32;

/** Answers that tell of mistakes in the settings, whatever the picture. */
const SETTINGS = {
  wrong_event_password: 'Das Fotobox-Passwort ist falsch. Bitte prüfen Sie FOTOBOX_PASSWORT.',
  upload_disabled:
    'Das Fotobox-Passwort ist falsch, oder die Fotobox ist für dieses Event ausgeschaltet. Bitte prüfen Sie FOTOBOX_PASSWORT.',
  event_not_found: 'Ein Event mit diesem Code gibt es nicht. Bitte prüfen Sie --event.',
  event_code_missing: 'Ein Event mit diesem Code gibt es nicht. Bitte prüfen Sie --event.',
  device_id_missing: 'Der Server nimmt die Geräte-ID nicht an. Bitte prüfen Sie die Datei .fotobox.json im Ordner.',
};
const NOT_RECOGNISED =
  'Der Server hat das Foto als das eines Gastes genommen: Das Fotobox-Passwort ist falsch, oder die Fotobox ist für dieses Event ausgeschaltet. Bitte prüfen Sie FOTOBOX_PASSWORT.';

/** Fetches a Device-ID; throws if the server cannot be reached, or is not Feierbild's. */
export async function fetchDeviceId(server) {
  const response = await fetch(`${server}/device_id`, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });
  const body = await response.json().catch(() => null);
  const id = body?.device_id;
  if (!response.ok || typeof id !== 'string' || !/^[\w-]{16,128}$/.test(id)) throw new Error(notFeierbild(response, body));
  return id;
}

/**
 * Fetches the key under which tokens are made. Throws if the server cannot be reached, or if the settings are wrong: then `settings` of
 * the error is true.
 */
export async function fetchBoothKey({ server, event, password }) {
  const request = {
    redirect: 'manual',
    headers: { 'Event-Password': encodeURIComponent(password) },
    signal: AbortSignal.timeout(PATIENCE),
  };
  const response = await fetch(`${server}/api/events/${encodeURIComponent(event)}/booth-key`, request);
  const body = await response.json().catch(() => null);
  if (response.ok && typeof body?.key === 'string' && typeof body.event_id === 'string') return { key: body.key, event_id: body.event_id };
  const wrong = Object.hasOwn(SETTINGS, body?.code ?? '') ? SETTINGS[body.code] : null;
  throw Object.assign(new Error(wrong ?? notFeierbild(response, body)), { settings: wrong !== null });
}

/**
 * Sends one picture, and judges the answer:
 * `{kind: 'done', address, expires, still?}`: stored; `still` is the address for the still of a video;
 * `{kind: 'refused', reason}`: never send it again;
 * `{kind: 'stop', reason}`: the settings are wrong, the picture stays;
 * `{kind: 'away', reason}`: the server could not be reached, which says nothing of this picture;
 * `{kind: 'wait', reason, seconds?, from?}`: send it again later, at the earliest after `seconds`; `from` is how many bytes of the picture
 * the server had before this attempt sent it more.
 */
export async function sendPicture(picture, settings, deviceId) {
  const answer = await attempt(picture, settings, deviceId);
  // While others guess passwords from the same address, the server trusts a device only once it has sent a photo, as it now has.
  const second = answer.kind === 'guest' ? await attempt(picture, settings, deviceId, { anew: true }) : answer;
  if (second.kind !== 'guest') return second;
  // Only this call tells a wrong password from a server that checks no passwords for some minutes.
  return fetchBoothKey(settings).then(
    () => ({ kind: 'wait', reason: 'Der Server hat das Fotobox-Passwort eben nicht geprüft.' }),
    (error) => (error.settings ? { kind: 'stop', reason: NOT_RECOGNISED } : { kind: 'wait', reason: unreachable(error) }),
  );
}

async function attempt(picture, settings, deviceId, { anew = false } = {}) {
  const { path, size, failures, from: before } = picture;
  const now = await stat(path).catch((error) => error);
  if (now instanceof Error) return { kind: 'wait', reason: `Die Datei ist nicht lesbar (${now.code}).` };
  if (now.size !== size) return { kind: 'wait', reason: 'Die Datei wird gerade noch geschrieben.' };
  const sending = { picture, settings, deviceId };
  const inPieces = () => size > Math.min(LARGE, piece) || failures > 0 || before !== undefined;
  let from;
  const begin = (offset) => (from = offset);
  try {
    for (;;) {
      const response = inPieces() ? await goOn({ ...sending, key: keyOf(picture, settings, deviceId, anew), begin }) : await post(sending);
      const body = parse(await response.text());
      // The request is too large for a proxy, not for the server.
      if (response.status !== 413 || isCode(body?.code) || piece <= PIECE_LEAST) return { ...judge(response, body, settings.server), from };
      piece = Math.max(PIECE_LEAST, Math.ceil(Math.min(piece, size) / 2));
    }
  } catch (error) {
    const reason = unreachable(error);
    // The server keeps nothing of a form that broke off: the attempt after it, which begins at 0 in pieces, is not the second one.
    if (!inPieces()) return { kind: 'wait', reason, from: -1 };
    // Without an answer in time, the picture itself may be what holds the server up.
    return from === undefined && error instanceof TypeError ? { kind: 'away', reason } : { kind: 'wait', reason, from };
  }
}

/** Returns the limit of a request with so many bytes. It grows with each failure, for slow networks. */
function limit({ failures }, bytes) {
  return AbortSignal.timeout(Math.ceil((PATIENCE + bytes * PATIENCE_PER_BYTE) * (1 + Math.min(failures, 9))));
}

/** Names the link's token, which the picture's QR code has already. */
const linkToken = ({ token }) => (token ? { 'Link-Token': token } : {});

/** Sends the whole picture in one request. */
async function post({ picture, settings, deviceId }) {
  const form = new FormData();
  form.append('file', new Blob([await readFile(picture.path)]), picture.name);
  return fetch(`${settings.server}/upload`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
    headers: {
      'Device-ID': deviceId,
      'Event-Code': encodeURIComponent(settings.event),
      'Device-Name': encodeURIComponent(settings.deviceName),
      'Event-Password': encodeURIComponent(settings.password),
      ...linkToken(picture),
    },
    signal: limit(picture, picture.size),
  });
}

/** Sends the rest of a picture by tus 1.0.0, piece by piece, and tells `begin` where. Returns the answer to the last request. */
async function goOn({ picture, settings, deviceId, key, begin }) {
  const { path, name, size } = picture;
  const tus = { 'Device-ID': deviceId, 'Tus-Resumable': '1.0.0' };
  const url = `${settings.server}/uploads/${key}`;
  let offset = 0;
  const head = await fetch(url, { method: 'HEAD', redirect: 'manual', headers: tus, signal: limit(picture, 0) });
  if (head.status === 200) offset = Number(head.headers.get('upload-offset'));
  else if (![404, 410].includes(head.status)) return head;
  else {
    const metadata = { filename: name, eventCode: settings.event, deviceName: settings.deviceName };
    const pairs = Object.entries(metadata).map(([field, value]) => `${field} ${Buffer.from(value).toString('base64')}`);
    const headers = {
      ...tus,
      'Upload-Length': String(size),
      'Upload-Metadata': pairs.join(','),
      'Upload-Key': key,
      'Event-Password': encodeURIComponent(settings.password),
      ...linkToken(picture),
    };
    const created = await fetch(`${settings.server}/uploads`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      signal: limit(picture, 0),
    });
    if (created.status !== 201) return created;
    await created.arrayBuffer();
  }
  begin(offset);
  const file = await open(path);
  try {
    for (;;) {
      // A complete upload has no bytes left to send: the answer says which photo it became.
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(piece, size - offset)), 0, null, offset);
      const headers = { ...tus, ...linkToken(picture), 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
      const body = buffer.subarray(0, bytesRead);
      const response = await fetch(url, { method: 'PATCH', body, redirect: 'manual', headers, signal: limit(picture, bytesRead) });
      const has = response.status === 204 ? Number(response.headers.get('upload-offset')) : 0;
      if (!(has > offset)) return response;
      offset = has;
    }
  } finally {
    await file.close();
  }
}

/** Sends a stored video's still, a JPEG; returns whether the server took it. */
export async function sendStill(still, address, { server }, deviceId) {
  const form = new FormData();
  form.append('file', new Blob([still]), 'standbild.jpg');
  const request = { method: 'PUT', body: form, redirect: 'manual', headers: { 'Device-ID': deviceId } };
  return fetch(server + address, { ...request, signal: AbortSignal.timeout(PATIENCE) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Returns an upload's key: the same one for the same picture after a restart, and nobody else's. 128 bits in base64url. */
function keyOf({ key, failures }, { event }, deviceId, anew) {
  const parts = [deviceId, event, key, ...(anew ? ['anew', failures] : [])];
  return createHash('sha256').update(parts.join('/')).digest().subarray(0, 16).toString('base64url');
}

function judge(response, body, server) {
  const { status } = response;
  if ((status === 200 || status === 201) && typeof body?.photo?.id === 'string') {
    const still = body.photo.video && `/api/photos/${encodeURIComponent(body.photo.id)}/poster`;
    return typeof body.download_url === 'string'
      ? { kind: 'done', address: server + body.download_url, expires: body.expires_at, still }
      : { kind: 'guest' };
  }
  const { code, error } = body ?? {};
  const reason = isCode(code) ? `${error} (${status} ${code})` : notFeierbild(response, body);
  if (Object.hasOwn(SETTINGS, code ?? '')) return { kind: 'stop', reason: SETTINGS[code] };
  // A broken connection is the only 400 that is worth another attempt.
  if (isCode(code) && [400, 413, 415].includes(status) && code !== 'upload_incomplete') return { kind: 'refused', reason };
  const seconds = Number(response.headers.get('retry-after'));
  return { kind: 'wait', reason, ...(seconds > 0 && { seconds }) };
}

/** Whether the answer has a code, as the server's own answers do. */
const isCode = (code) => typeof code === 'string';

/** Explains an answer from between: of a hotel's login page, a proxy without a server behind it, or a wrong address. */
function notFeierbild(response, body) {
  const target = response.headers.get('location');
  if (target) return `Der Server leitet weiter nach ${target}. Bitte prüfen Sie --server und das Netz.`;
  return body?.error ? `${body.error} (${response.status})` : `Die Antwort ${response.status} kommt nicht von Feierbild.`;
}

/** Explains why there was no answer, in German if a person can do something about it. */
export function unreachable(error) {
  if (error.name === 'TimeoutError') return 'Der Server antwortet nicht rechtzeitig.';
  return error instanceof TypeError ? `Keine Verbindung (${error.cause?.code ?? error.message}).` : error.message;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
