import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { BACKUPS_KEPT_DAYS, DAY, DISK_SCARCE, DISK_TOO_LITTLE, HOUR, MB, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { explainTrouble } from '../trouble.ts';
import { createDecoder } from '../images/create-decoder.ts';
import { createLog } from '../lib/log.ts';
import { INSTALL_AGAIN, START } from '../lib/release.ts';
import { single } from '../lib/stages.ts';
import type { Parts } from '../services.ts';
import { Failure, type Command, type Operator } from './command.ts';
import { SAMPLES } from './doctor-samples.ts';
import { count, number, size } from './german.ts';

/** The service on this machine answers at once, or not at all; from outside it may take its time, ms. */
const LOCAL_TIMEOUT = 3_000;
const TIMEOUT = 15_000;
/** For the large body, ms: also over a slow line. */
const UPLOAD_TIMEOUT = 120_000;
/** Sessions and links tolerate less than people notice, ms. */
const SKEW_NOTED = 30_000;
const SKEW_WRONG = 300_000;
/** Below the limit of a file by this much: a form is a little larger than its file. */
const MARGIN = 64 * 1024;
/** A daily backup may take its time. */
const BACKUP_LATE = 26 * HOUR;
/** Uploads end after 24 hours without a byte, by a run that comes every hour. */
const LATE_HOURS = 27;

const NOT_READY = 'Auf der Platte für Uploads fehlt Platz, die Decoder starten nicht, oder er endet gerade. Das Log sagt es („not ready“).';

/** One line of the diagnosis; German, with what to do where it is not well. */
interface Line {
  state: 'gut' | 'Achtung' | 'Fehler';
  about: string;
  text: string;
}
/** What a check finds out about one thing: each line as soon as it is known. */
type Lines = AsyncGenerator<Line, void, void>;
/** What is examined; `folder`: of the backups, where it was named. */
type Checked = Pick<Operator, 'config' | 'parts'> & { folder: string | undefined };

const CHECKS: ((checked: Checked) => Lines)[] = [
  checkDisk,
  checkService,
  checkStores,
  checkUploads,
  checkNetwork,
  checkDecoder,
  checkBackup,
];
const WIDTH = 'Achtung'.length;

export const doctor: Command = {
  name: 'doctor',
  parameters: '[<Ordner der Sicherungen>]',
  summary: 'untersucht die Umgebung: Platz, Dienst, Uhr, Proxy, Decoder, Datenbank, Speicher, Sicherungen',
  async run({ args: [folder] }, { config, parts, terminal }) {
    let failed = false;
    for (const check of CHECKS) {
      for await (const { state, about, text } of check({ config, parts, folder })) {
        failed ||= state === 'Fehler';
        terminal.print(`${state.padEnd(WIDTH)}  ${about}: ${text}`);
      }
    }
    return failed ? 1 : 0;
  },
};

const good = (about: string, text: string): Line => ({ state: 'gut', about, text });
const caution = (about: string, text: string): Line => ({ state: 'Achtung', about, text });
const bad = (about: string, text: string): Line => ({ state: 'Fehler', about, text });

/** What an error says, in short. */
function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message || String(error);
}

/** Whether the data folder can be written to, and how much fits. */
async function* checkDisk({ config: { dataDir } }: Checked): Lines {
  const probe = join(dataDir, `.doctor-${process.pid}`);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(probe, 'ok');
  } catch (error) {
    return yield bad('DATA_DIR', `${dataDir} ist nicht beschreibbar (${reason(error)}). Geben Sie dem Benutzer des Dienstes Rechte.`);
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const room = `${size(free)} frei`;
  if (free < DISK_TOO_LITTLE) yield bad('Platz', `nur ${room} in ${dataDir}. Schaffen Sie Platz, sonst werden Fotos abgelehnt.`);
  else if (free < DISK_SCARCE) yield caution('Platz', `${room} in ${dataDir}. Ein großes Fest braucht mehr als 10 GB.`);
  else yield good('Platz', `${dataDir} ist beschreibbar, ${room}.`);
}

/** Whether the service answers on this machine. */
async function* checkService({ config: { host, port } }: Checked): Lines {
  const everywhere = host === '0.0.0.0' || host === '::';
  const address = everywhere ? '127.0.0.1' : isIPv6(host) ? `[${host}]` : host;
  const ask = (path: string) =>
    fetch(`http://${address}:${port}${path}`, { redirect: 'manual', signal: AbortSignal.timeout(LOCAL_TIMEOUT) });
  try {
    const answer = await ask('/health');
    const body = await answer.text();
    if (answer.status !== 200 || !body.includes('"ok"'))
      yield caution('Dienst', `Auf Port ${port} antwortet etwas anderes (Status ${answer.status}). Prüfen Sie PORT.`);
    else if ((await ask('/ready')).ok) yield good('Dienst', `Der Dienst läuft auf Port ${port}.`);
    else yield caution('Dienst', `Der Dienst läuft auf Port ${port}, ist aber nicht bereit (/ready): ${NOT_READY}`);
  } catch (error) {
    yield caution('Dienst', `Der Dienst antwortet nicht auf Port ${port} (${reason(error)}). Starten Sie ihn: ${START}.`);
  }
}

/** Database, photo store and the first password. */
async function* checkStores({ parts }: Checked): Lines {
  let opened: Parts;
  try {
    opened = await parts();
    await opened.db.check();
  } catch (error) {
    const trouble = `${troubleOf(error)}. Prüfen Sie DATABASE_URL und die Rechte in DATA_DIR.`;
    return yield bad('Datenbank', error instanceof Failure ? error.message : trouble);
  }
  const { db, blobs, admins, config } = opened;
  const last = (await db.migrations()).at(-1) ?? 'leer';
  yield good('Datenbank', `${db.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} antwortet, Stand ${last}.`);
  yield blobs.check().then(
    () => good('Fotospeicher', 'ist beschreibbar.'),
    (error: unknown) => bad('Fotospeicher', `${troubleOf(error)}. Prüfen Sie STORAGE_URL und Zugangsdaten.`),
  );
  if (config.s3) {
    const { bucketDeletions, bucketVersioning } = await import('../storage/s3-client.ts');
    yield bucketDeletions(config.s3).then(
      (how) =>
        how === 'together'
          ? good('Löschen', 'Der Bucket löscht einzelne Fotos und viele auf einmal.')
          : caution('Löschen', 'Der Bucket löscht Fotos nur einzeln. Das geht, aber ein großes Event zu löschen dauert länger.'),
      (error: unknown) =>
        bad('Löschen', `Der Bucket löscht keine Fotos: ${explainTrouble(error).text}. Prüfen Sie die Rechte der Zugangsdaten.`),
    );
    const kept =
      'Der Bucket behält gelöschte Fotos als alte Versionen. Schalten Sie die Versionierung aus und löschen Sie die alten Versionen.';
    yield bucketVersioning(config.s3).then(
      (state) => (state === 'off' ? good('Versionierung', 'Der Bucket behält keine gelöschten Fotos.') : bad('Versionierung', kept)),
      (error: unknown) => caution('Versionierung', `ließ sich nicht feststellen: ${explainTrouble(error).text}. Sie muss aus sein.`),
    );
  }
  if (await admins.initialPasswordInUse())
    yield caution('Passwort', 'Das erste Verwaltungspasswort ist noch in Gebrauch. Ändern Sie es: admin password.');
}

function troubleOf(error: unknown): string {
  const { text, refused } = explainTrouble(error);
  return `${refused ? 'lehnt ab' : 'antwortet nicht'}: ${text}`;
}

/** What uploads that broke off hold, and whether those that were given up are removed. */
async function* checkUploads({ parts }: Checked): Lines {
  const found = await parts()
    .then(({ uploads }) => uploads.resumable.list())
    .catch(() => null);
  if (!found) return yield caution('Übertragungen', 'ließen sich ohne Datenbank nicht prüfen.');
  if (found.length === 0) return yield good('Übertragungen', 'Keine ist unterbrochen.');
  const hours = Math.floor((Date.now() - (Math.min(...found.map(({ expires_at }) => expires_at)) - UPLOAD_KEPT)) / HOUR);
  const since = hours < 1 ? 'weniger als einer Stunde' : count(hours, 'Stunde', 'Stunden');
  const many = found.length === 1 ? '1 ist' : `${number(found.length)} sind`;
  const sumOf = (what: 'parts' | 'received'): number => found.reduce((sum, upload) => sum + Number(upload[what]), 0);
  const held = `${many} nicht fertig, mit ${count(sumOf('parts'), 'Teil', 'Teilen')} (${size(sumOf('received'))})`;
  const text = `${held}; die älteste seit ${since} ohne ein Byte.`;
  if (hours < LATE_HOURS) yield good('Übertragungen', text);
  else yield caution('Übertragungen', `${text} Abgelaufene entfernt der Dienst jede Stunde: läuft er?`);
}

/** The way from outside through the proxy: https, reachable, clock, size of uploads. */
async function* checkNetwork({ config: { publicUrl, maxUploadBytes } }: Checked): Lines {
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
}

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
    const { status, said } = await post(new URL('/upload', publicUrl), size);
    if (status === 400 && said.includes('"device_id_missing"')) return good('Uploads', `bis ${what} kommen durch.`);
    if (status === 413) return bad('Uploads', `Der Proxy lehnt ${what} ab. Erhöhen Sie seine Grenze (nginx: client_max_body_size).`);
    return bad('Uploads', `Statt Feierbild antwortet etwas anderes (Status ${status}). Prüfen Sie den Proxy.`);
  } catch (error) {
    return bad('Uploads', `${what} kommen nicht durch (${reason(error)}). Erhöhen Sie die Grenze des Proxys.`);
  }
}

/** Sends `size` zero bytes as a form from no device; the answer may come before all are sent. */
async function post(url: URL, size: number): Promise<{ status: number; said: string }> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = { 'content-type': 'multipart/form-data; boundary=doctor', 'content-length': size };
  const request = send(url, { method: 'POST', headers, timeout: UPLOAD_TIMEOUT });
  request.on('timeout', () => request.destroy(new Error('keine Antwort')));
  // After the answer the rest cannot be sent.
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

/** Decodes a photo of either kind with the real processes. */
async function* checkDecoder(): Lines {
  const decoder = createDecoder({ processes: 1, log: createLog('silent') });
  try {
    for (const [name, bytes] of Object.entries(SAMPLES)) {
      const about = `Decoder ${name}`;
      try {
        const { width, height } = await decoder.decode(() => single(bytes), bytes.length, { owner: '' });
        yield width === 64 && height === 64 ? good(about, 'liest Fotos.') : bad(about, `liest falsch. ${INSTALL_AGAIN}`);
      } catch (error) {
        yield bad(about, `liest keine Fotos (${reason(error)}). ${INSTALL_AGAIN}`);
      }
    }
    const alone = 'Decoder nicht isoliert. Installieren Sie bubblewrap und erlauben Sie unprivilegierte Namensräume.';
    yield decoder.isolated ? good('Abschottung', 'Die Decoder laufen isoliert.') : caution('Abschottung', alone);
  } finally {
    await decoder.close();
  }
}

/**
 * Whether the newest backup is fresh enough to help, and young enough to be kept: the newest in a folder or, without one, the last
 * that this database has noted.
 */
async function* checkBackup({ parts, folder: given }: Checked): Lines {
  const opened = await parts().catch(() => null);
  if (!opened) return yield caution('Sicherung', 'ließ sich ohne Datenbank nicht prüfen.');
  const folder = given && resolve(given);
  const newest = folder === undefined ? await opened.backup.last() : { at: await opened.backup.newest(folder), folder };
  if (newest === null) return yield caution('Sicherung', 'Noch nie wurde gesichert. Richten Sie ein tägliches „backup“ ein.');
  if (newest.at === null)
    return yield bad('Sicherung', `In ${newest.folder} ist keine vollständige. Richten Sie ein tägliches „backup“ ein.`);
  const age = Date.now() - newest.at;
  const old = age < 2 * DAY ? count(Math.floor(age / HOUR), 'Stunde', 'Stunden') : count(Math.floor(age / DAY), 'Tag', 'Tage');
  const text = `Die neueste, in ${newest.folder}, ist ${old} alt`;
  if (age > BACKUPS_KEPT_DAYS * DAY)
    yield bad('Sicherung', `${text}, keine darf älter als ${BACKUPS_KEPT_DAYS} Tage werden. Sichern Sie täglich.`);
  else if (age > BACKUP_LATE) yield caution('Sicherung', `${text}. Sichern Sie täglich.`);
  else yield good('Sicherung', `${text}.`);
}
