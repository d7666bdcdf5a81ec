// Receives reports of a booth's software by HTTP (each with a finished picture's path), and copies the picture into the folder that
// fotobox.mjs watches. The README says how to use it.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { copyFile, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { basename, isAbsolute, join, parse as parsePath, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Misconfigured } from './misconfigured.mjs';

const USAGE = 'node ausloeser.mjs --folder ./bilder --quelle ORDNER [--einzelbilder] [--port 8765] [--host 127.0.0.1]';
const EXIT_SETTINGS = 78;
const PICTURE = /\.(?:jpe?g|png|webp|gif|avif|hei[cf]|mp4|mov|webm)$/i;
/** Interval of looks at an unfinished picture, time without a change that ends the wait, longest wait (a film takes its time): ms. */
const LOOK = 250;
const STILL = 1000;
const PATIENCE = 10 * 60_000;
const AWAITED = 100;
const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

try {
  await listen(readSettings(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Misconfigured)) throw error;
  say(error.message);
  process.exitCode = EXIT_SETTINGS;
}

function readSettings(args) {
  const text = { type: 'string' };
  const options = {
    folder: text,
    quelle: text,
    port: text,
    host: text,
    einzelbilder: { type: 'boolean' },
  };
  const values = parse(args, options);
  const isFolder = (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const mistakes = [];
  const [folder, source] = [values.folder, values.quelle].map((path) => resolve(path ?? ''));
  if (!values.folder || !isFolder(folder)) mistakes.push('--folder fehlt oder ist kein Ordner');
  if (!values.quelle || !isFolder(source)) mistakes.push('--quelle fehlt oder ist kein Ordner');
  const [port, host] = [Number(values.port ?? 8765), values.host ?? '127.0.0.1'];
  if (!Number.isInteger(port) || port < 0 || port > 65_535) mistakes.push('--port ist keine Zahl von 0 bis 65535');
  if (mistakes.length > 0) throw new Misconfigured(`${mistakes.join('. ')}.\n${USAGE}`);
  return { folder, source, port, host, single: values.einzelbilder ?? false };
}

function parse(args, options) {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Misconfigured(`${error.message}\n${USAGE}`);
  }
}

async function listen({ folder, source, port, host, single }) {
  const stopping = new AbortController();
  /** Paths of reported pictures that are not in the folder yet; many are still being written. */
  const awaited = new Set();
  let laying = Promise.resolve();

  const server = createServer((request, response) => {
    const end = (status) => response.writeHead(status, { 'content-length': 0, connection: 'close' }).end();
    try {
      end(handle(request));
    } catch (error) {
      say(error.message);
      end(error.status ?? 500);
    }
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.maxConnections = 32;
  /** The address as URLs write it. */
  const written = host.includes(':') ? `[${host}]` : host;
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if (error.code !== 'EADDRINUSE') throw new Misconfigured(`${written}:${port} lässt sich nicht öffnen: ${error.message}`);
    throw new Misconfigured(`Port ${port} ist belegt. Läuft der Auslöser schon?`);
  }
  const { address, port: opened } = server.address();
  const also = ['0.0.0.0', '::'].includes(address) ? ' (ebenso unter jeder Adresse dieses PCs)' : '';
  say(`Bereit: http://${also ? '127.0.0.1' : written}:${opened}/${also} legt Bilder in ${folder}.`);
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => {
      stopping.abort();
      server.close();
    });

  function handle(request) {
    // A page in a browser must not choose pictures of this PC, neither by its own name nor by one that resolves to this PC.
    const called = URL.canParse(`http://${request.headers.host}`) ? new URL(`http://${request.headers.host}`).hostname : '';
    const foreign = request.headers.origin !== undefined || (request.headers['sec-fetch-site'] ?? 'none') !== 'none';
    if (request.method !== 'GET' || foreign || ![...LOCAL, written, addressOf(request.socket)].includes(called))
      throw refusal(
        403,
        `Eine Anfrage an ${printable(called)} wurde abgelehnt: Angenommen werden nur Programme, die die Adresse dieses PCs nennen.`,
      );
    return takeReported(new URL(request.url, 'http://here').searchParams);
  }

  /** Accepts reports of dslrBooth and LumaBooth: `?event_type=processing_start&param1=…`; the last parameter is the finished file. */
  function takeReported(params) {
    const type = params.get('event_type');
    if (type !== 'processing_start' && !(single && type === 'file_download')) return 204;
    const name = [...params].findLast(([key, value]) => /^param\d+$/.test(key) && PICTURE.test(value))?.[1];
    if (name === undefined) throw refusal(400, `Eine Meldung ${type} nennt kein Bild.`);
    const path = resolve(source, name);
    if (!isInside(source, path)) throw refusal(403, `Das gemeldete Bild liegt nicht in ${source}.`);
    if (awaited.size >= AWAITED) throw refusal(503, 'Es wurden zu viele Bilder gemeldet, die nicht kommen.');
    if (!awaited.has(path)) void take(path);
    return 202;
  }

  async function take(path) {
    awaited.add(path);
    try {
      await bring(path);
    } catch (error) {
      if (!stopping.signal.aborted) say(`${printable(basename(path))}: ${error.message}`);
    } finally {
      awaited.delete(path);
    }
  }

  /** Copies a picture once it is whole, and tries again after errors of the system: the disk is full, or a program holds the file. */
  async function bring(path) {
    let until = null;
    for (;;) {
      await whole(path);
      // Pictures are copied one after the other, so that each sees the names that are taken.
      laying = laying.catch(() => undefined).then(() => lay(path));
      try {
        return await laying;
      } catch (error) {
        if (!error.code) throw error;
        if (until === null) say(`${printable(basename(path))}: ließ sich noch nicht kopieren (${error.code}).`);
        until ??= performance.now() + PATIENCE;
        if (performance.now() >= until) throw new Error(`ließ sich nicht kopieren (${error.code}).`);
      }
    }
  }

  /** Waits until a picture exists and has not changed for STILL ms. */
  async function whole(path) {
    const until = performance.now() + PATIENCE;
    let before;
    for (let since = 0; performance.now() < until; await sleep(LOOK, undefined, { signal: stopping.signal })) {
      const { size, mtimeMs } = await stat(path).catch(() => ({}));
      const now = size && `${size} ${mtimeMs}`;
      if (now !== before) since = performance.now();
      if (now && performance.now() - since >= STILL) return;
      before = now;
    }
    throw new Error('wurde gemeldet, aber kam nicht.');
  }

  /** Copies a picture as a whole or not at all: the watched folder skips the temporary name until the file is renamed. */
  async function lay(path) {
    const real = await realpath(path);
    if (!isInside(await realpath(source), real) || !(await stat(real)).isFile()) throw new Error(`liegt nicht in ${source}.`);
    const name = await freeName(real);
    if (name === null) return;
    const temporary = join(folder, `.${process.pid}-${name}.neu`);
    try {
      await copyFile(real, temporary);
      await rename(temporary, join(folder, name));
      say(`${printable(name)}: liegt im Ordner.`);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Finds a name that no other picture has, because that one may still wait for the network; null if this picture is there already. */
  async function freeName(path) {
    const { name, ext } = parsePath(path);
    for (let n = 1; ; n++) {
      const free = n === 1 ? `${name}${ext}` : `${name} (${n})${ext}`;
      const there = await stat(join(folder, free)).catch(() => null);
      if (!there) return free;
      const isSame = there.size === (await stat(path)).size && (await readFile(join(folder, free))).equals(await readFile(path));
      if (isSame) return null;
    }
  }
}

/** Returns the address under which this PC was reached, as URLs write it. */
function addressOf({ localAddress = '' }) {
  const plain = localAddress.replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}

function isInside(folder, path) {
  const way = relative(folder, path);
  return way !== '' && way.split(sep)[0] !== '..' && !isAbsolute(way);
}

function printable(name) {
  return name.replace(/\p{Cc}/gu, '?');
}

function refusal(status, message) {
  return Object.assign(new Error(message), { status });
}

function say(text) {
  console.error(`${new Date().toISOString()} ${text}`);
}
