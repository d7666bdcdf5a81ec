import { MB } from '@feierbild/contract/constants.ts';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Photo } from '@feierbild/contract/entities.ts';
import { adminOf, cookieOf, createEvent, deviceOf, hostOf } from '../e2e/support/api.ts';
import { DESKTOP, launchBrowser, openPage } from '../e2e/support/browser.ts';
import { takeOver } from '../e2e/support/login.ts';
import { startServer } from '../e2e/support/server.ts';
import { drawVideo, FFMPEG } from '../server/src/images/testing/videos.ts';
import { median } from './support/median.ts';
import { quiet, treeCpuMs, watchMemory } from './support/processes.ts';
import { note, promise, round } from './support/report.ts';

const SIZE = 300 * MB;
const CUTS = 10;
/** Plays, in turn with a bare process; a server's first is slower than the later ones. */
const PLAYS = 5;
const PLAYERS = 50;
const PIECE_BYTES = 256 * 1024;
const READER = join(import.meta.dirname, 'support/bare-reader.ts');
/** The server's flags: without them, each 25 MB outside the heap would set off a full collection. */
const { flags: FLAGS } = JSON.parse(readFileSync(join(import.meta.dirname, '../server/runtime-flags.json'), 'utf8')) as { flags: string[] };

/** Measures a video of 300 MB: sent over a line that is cut, played by a browser, and by fifty at once. */
export async function benchVideo(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-video-'));
  const [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  try {
    const path = await drawLarge(folder);
    const event = await createEvent(await adminOf(server.url), { with_videos: true });
    const device = await deviceOf(server.url);
    const photo = await sendWithCuts(server.url, { path, code: event.code, device });
    const pid = server.process.pid as number;
    const host = await hostOf(server.url, event);
    const cookie = cookieOf(host);

    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, host, server.url);
    const [first, seeks] = [[] as number[], [] as number[]];
    for (let run = 0; run < 5; run++) {
      await page.goto(`/gallery/${event.code}`);
      await page.locator('[data-photo]').click();
      const video = page.locator('video');
      await video.waitFor();
      const times = await video.evaluate(async (element: HTMLVideoElement) => {
        element.muted = true;
        const on = (name: string) => new Promise((done) => element.addEventListener(name, done, { once: true }));
        let begun = performance.now();
        const loaded = on('loadeddata');
        void element.play();
        await loaded;
        const opened = performance.now() - begun;
        const sought: number[] = [];
        for (const share of [0.5, 0.9, 0.1, 0.7]) {
          const there = on('seeked');
          begun = performance.now();
          element.currentTime = element.duration * share;
          await there;
          sought.push(performance.now() - begun);
        }
        return { opened, sought };
      });
      first.push(times.opened / 1000);
      seeks.push(...times.sought.map((ms) => ms / 1000));
    }
    await context.close();
    promise('first frame of a sealed 300 MB video', median(first), '<=', 1, ' s');
    promise('seek in it', median(seeks), '<=', 0.3, ' s');

    const [served, alone]: [number[], number[]] = [[], []];
    for (let n = 0; n < PLAYS; n++) {
      await quiet(pid);
      const before = treeCpuMs(pid);
      await play(server.url, photo, cookie, Infinity);
      served.push((treeCpuMs(pid) - before) / (SIZE / (100 * MB)));
      alone.push((await readBare(path, folder)) / (SIZE / (100 * MB)));
    }
    note(
      `the server's CPU for each 100 MB: ${served.map(round).join(', ')} ms; reading, opening and copying them alone: ${alone.map(round).join(', ')} ms`,
    );
    promise("the server's CPU beyond that, medians", median(served) - median(alone), '<=', 50, ' ms');

    // The memory of fifty players must not grow with the length of their film.
    const [short, long]: [number[], number[]] = [[], []];
    for (let n = 0; n < PLAYS; n++) {
      short.push(await peakOf(4 * MB));
      long.push(await peakOf(24 * MB));
    }
    const inMB = (all: number[]): string => all.map((bytes) => round(bytes / MB)).join(', ');
    note(`memory of the server while ${PLAYERS} play: ${inMB(short)} MB after 4 MB each, ${inMB(long)} MB after 24 MB each`);
    promise('the latter over the former, medians', median(long) / median(short), '<=', 1.1);

    async function peakOf(most: number): Promise<number> {
      const watch = watchMemory(pid);
      await Promise.all(Array.from({ length: PLAYERS }, () => play(server.url, photo, cookie, most)));
      return watch.stop();
    }
  } finally {
    await browser.close();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Draws a short video over and over, with its moov at the end and a key frame each second, as phones write it. */
async function drawLarge(folder: string): Promise<string> {
  const [part, whole] = [join(folder, 'part.mp4'), join(folder, 'whole.mp4')];
  const short = await drawVideo({
    seconds: 10,
    width: 1280,
    height: 720,
    more: ['-g', '15', '-b:v', '24M', '-vf', 'noise=alls=60:allf=t'],
  });
  await writeFile(part, short);
  const loops = Math.ceil(SIZE / short.length);
  execFileSync(FFMPEG, ['-loglevel', 'error', '-y', '-stream_loop', String(loops), '-i', part, '-c', 'copy', '-fs', String(SIZE), whole]);
  return whole;
}

interface Sending {
  path: string;
  code: string;
  device: string;
}

/** Sends the video by tus, over connections of which ten are cut. */
async function sendWithCuts(url: string, { path, code, device }: Sending): Promise<Photo> {
  const { size } = await stat(path);
  const bytes = await readFile(path);
  const key = randomBytes(16).toString('base64url');
  const headers = { 'tus-resumable': '1.0.0', 'device-id': device };
  const metadata = `filename ${btoa('VID.mp4')},eventCode ${btoa(code)}`;
  await fetch(`${url}/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-key': key, 'upload-length': String(size), 'upload-metadata': metadata },
  });
  let sent = 0;
  const begun = performance.now();
  for (let cut = 1; ; cut++) {
    const head = await fetch(`${url}/uploads/${key}`, { method: 'HEAD', headers });
    const offset = Number(head.headers.get('upload-offset'));
    const until = cut <= CUTS ? Math.floor((size * cut) / (CUTS + 1)) : size;
    const answer = await patch(`${url}/uploads/${key}`, headers, bytes.subarray(offset), offset, until - offset);
    sent += answer.sent;
    if (answer.photo) {
      note(`300 MB sent with ${CUTS} cuts in ${round((performance.now() - begun) / 1000)} s`);
      promise('bytes sent over bytes of the video', sent / size, '<=', 1.05, '');
      return answer.photo;
    }
  }
}

/** Sends the bytes; after `cutAt` of them the connection breaks, unless these are all. */
function patch(url: string, headers: Record<string, string>, bytes: Buffer, offset: number, cutAt: number) {
  return new Promise<{ sent: number; photo: Photo | null }>((resolve) => {
    let sent = 0;
    const out = request(url, {
      method: 'PATCH',
      headers: {
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        'content-length': String(bytes.length),
      },
    });
    out.on('error', () => resolve({ sent, photo: null }));
    out.on('response', (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve({ sent, photo: (JSON.parse(Buffer.concat(pieces).toString()) as { photo: Photo }).photo }));
    });
    const write = (): void => {
      while (sent < bytes.length) {
        if (sent >= cutAt) return void out.destroy();
        const piece = bytes.subarray(sent, Math.min(sent + PIECE_BYTES, bytes.length, Math.max(cutAt, sent + 1)));
        sent += piece.length;
        if (!out.write(piece)) return void out.once('drain', write);
      }
      out.end();
    };
    write();
  });
}

/** Reads a video as a player does, up to `most` bytes. */
async function play(url: string, photo: Photo, cookie: string, most: number): Promise<void> {
  const answer = await fetch(`${url}${photo.video?.url}`, { headers: { cookie, range: 'bytes=0-' } });
  let read = 0;
  for await (const piece of answer.body as ReadableStream<Uint8Array>) {
    read += piece.length;
    if (read >= most) return;
  }
}

/** Returns the CPU time of a bare process that reads, opens and sends a video once, ms. */
async function readBare(path: string, folder: string): Promise<number> {
  const listener = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const sealed = join(folder, 'sealed');
  const reader = spawn(process.execPath, [...FLAGS, READER, path, sealed, String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([reader.stdout.setEncoding('utf8').toArray(), once(reader, 'close')]);
  listener.close();
  await rm(sealed);
  return Number(printed.join(''));
}
