// Takes what the software of a booth reports by HTTP (a finished picture's path, or its address) and lays the picture into the folder that
// fotobox.mjs watches. The README says how to use it.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createWriteStream, statSync } from 'node:fs';
import { copyFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, extname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { Misconfigured } from './misconfigured.mjs';

const USAGE =
  'node ausloeser.mjs --folder ./bilder [--quelle ORDNER] [--einzelbilder] [--medien-von https://HOST] [--port 8765] [--host 127.0.0.1]';
const EXIT_SETTINGS = 78;
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|hei[cf]|mp4|mov|webm)$/i;
const EXTENSIONS = { 'image/jpeg': '.jpg', 'image/png': '.png', 'image/gif': '.gif', 'video/mp4': '.mp4' };
/** Of a report, and of a picture that is fetched, bytes. */
const REPORT_BYTES = 64 * 1024;
const MEDIA_BYTES = 500_000_000;
/** ms for a picture to be fetched. */
const PATIENCE = 120_000;
const LOCAL = ['127.0.0.1', 'localhost', '::1'];

try {
  listen(readSettings(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof Misconfigured)) throw error;
  say(error.message);
  process.exitCode = EXIT_SETTINGS;
}

function readSettings(args, env) {
  const text = { type: 'string' };
  const options = {
    folder: text,
    quelle: text,
    port: text,
    host: text,
    einzelbilder: { type: 'boolean' },
    'medien-von': { ...text, multiple: true },
  };
  const values = parse(args, options);
  const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const mistakes = [];
  const [folder, source] = [resolve(values.folder ?? ''), values.quelle && resolve(values.quelle)];
  if (!values.folder || !isFolder(folder)) mistakes.push('--folder fehlt oder ist kein Ordner');
  if (source && !isFolder(source)) mistakes.push('--quelle ist kein Ordner');
  const origins = values['medien-von'] ?? [];
  for (const origin of origins)
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      mistakes.push(`--medien-von ${origin} ist keine Adresse wie https://medien.example`);
  const secret = env.AUSLOESER_GEHEIMNIS ?? '';
  if (origins.length > 0 && secret.length < 16)
    mistakes.push('Für --medien-von fehlt die Umgebungsvariable AUSLOESER_GEHEIMNIS (mindestens 16 Zeichen)');
  if (!source && origins.length === 0) mistakes.push('Es fehlt --quelle oder --medien-von');
  if (mistakes.length > 0) throw new Misconfigured(`${mistakes.join('. ')}.\n${USAGE}`);
  const [port, host] = [Number(values.port ?? 8765), values.host ?? '127.0.0.1'];
  return { folder, source, origins, secret, port, host, single: values.einzelbilder ?? false };
}

function parse(args, options) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Misconfigured(`${error.message}\n${USAGE}`);
  }
}

function listen({ folder, source, origins, secret, port, host, single }) {
  const server = createServer((request, response) => {
    const end = (status) => response.writeHead(status, { 'content-length': 0, connection: 'close' }).end();
    handle(request).then(end, (error) => {
      say(error.message);
      end(error.status ?? 500);
    });
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.maxConnections = 32;
  server.listen(port, host, () => say(`Bereit: http://${host}:${server.address().port}/ legt Bilder in ${folder}.`));
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => server.close());

  async function handle(request) {
    const url = new URL(request.url, 'http://here');
    if (request.method === 'POST' && secret && sameText(url.pathname, `/${secret}`)) return fetchMedia(await readJson(request));
    // A page in this PC's browser must not choose pictures of it: not by its own name, nor by one that leads here.
    const called = URL.canParse(`http://${request.headers.host}`) ? new URL(`http://${request.headers.host}`).hostname : '';
    const foreign = request.headers.origin !== undefined || (request.headers['sec-fetch-site'] ?? 'none') !== 'none';
    if (request.method !== 'GET' || !source || foreign || ![...LOCAL, host].includes(called))
      throw refusal(403, 'Eine Anfrage wurde abgelehnt.');
    return takeReported(url.searchParams);
  }

  /** dslrBooth and LumaBooth: `?event_type=processing_start&param1=…`, the last parameter is the finished file. */
  async function takeReported(params) {
    const type = params.get('event_type');
    if (type !== 'processing_start' && !(single && type === 'file_download')) return 204;
    const names = [...params].filter(([name, value]) => /^param\d+$/.test(name) && PICTURE.test(value)).map(([, value]) => value);
    const name = names.at(-1);
    if (name === undefined) throw refusal(400, `Eine Meldung ${type} nennt kein Bild.`);
    const path = await realpath(resolve(source, name)).catch(() => null);
    if (!path?.startsWith((await realpath(source)) + sep) || !(await stat(path)).isFile())
      throw refusal(403, `Das gemeldete Bild liegt nicht in ${source}.`);
    await lay(basename(path), (target) => copyFile(path, target));
    return 200;
  }

  /** Webhooks: a JSON object with the address of the picture, which is fetched from the named places alone. */
  async function fetchMedia(report) {
    const addresses = Object.values(report ?? {}).filter((value) => typeof value === 'string' && URL.canParse(value));
    const address = addresses.map((value) => new URL(value)).findLast(({ origin }) => origins.includes(origin));
    if (!address) throw refusal(403, 'Eine Meldung nennt kein Bild von einem der Orte in --medien-von.');
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    const extension = PICTURE.test(address.pathname) ? extname(address.pathname) : EXTENSIONS[type];
    if (!response.ok || !extension || !response.body) throw refusal(502, `Das Bild von ${address.origin} kam nicht (${response.status}).`);
    // The same address is the same picture, however often it is reported.
    const name = `${createHash('sha256').update(address.href).digest('hex').slice(0, 16)}${extension}`;
    await lay(name, (target) => pipeline(Readable.fromWeb(response.body), bounded, createWriteStream(target)));
    return 200;
  }

  /** Complete or not at all: the watched folder passes over files of this name until they are renamed. */
  async function lay(name, write) {
    const temporary = join(folder, `.${process.pid}-${name}.neu`);
    try {
      await write(temporary);
      await rename(temporary, join(folder, name));
      say(`${name.replace(/\p{Cc}/gu, '?')}: liegt im Ordner.`);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }
}

async function* bounded(source) {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > MEDIA_BYTES) throw refusal(413, 'Ein gemeldetes Bild ist zu groß.');
    yield piece;
  }
}

async function readJson(request) {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) {
    text += piece;
    if (text.length > REPORT_BYTES) throw refusal(413, 'Eine Meldung ist zu lang.');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, 'Eine Meldung ist kein JSON.');
  }
}

function sameText(one, other) {
  const hash = (text) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}

function refusal(status, message) {
  return Object.assign(new Error(message), { status });
}

function say(text) {
  console.error(`${new Date().toISOString()} ${text}`);
}
