import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Bytes } from '../lib/bytes.ts';
import { programIn, SYSTEM_LIBRARIES, mountLibraries, bubblewrap } from './sandbox.ts';

/** For one picture. */
const LIMIT_MS = 20_000;
const LIMIT_CPU_S = 20;
const LIMIT_MEMORY_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_STILL_BYTES = 4 * 1024 * 1024;
/** Outside of the library folders, but needed to load libraries on Debian: the links of update-alternatives and the linker's cache. */
const LINKER_FILES = ['/etc/alternatives', '/etc/ld.so.cache'];

/** The program that draws still pictures of videos; undefined where it is not installed. */
export const findFfmpeg = (): string | undefined => programIn('ffmpeg');

/**
 * A JPEG of a video at an instant, by ffmpeg in namespaces of its own with nothing but its libraries, limited in time and memory.
 * Null where there is none to be had.
 */
export async function drawStill(source: AsyncIterable<Bytes>, atSeconds: number): Promise<Bytes | null> {
  const [ffmpeg, bwrap, prlimit] = [findFfmpeg(), bubblewrap(), programIn('prlimit')];
  if (!ffmpeg || !bwrap || !prlimit) return null;
  const sandbox = [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    '--clearenv',
    ...SYSTEM_LIBRARIES.flatMap(mountLibraries),
    ...LINKER_FILES.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    '--ro-bind',
    ffmpeg,
    ffmpeg,
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    '--',
    ffmpeg,
  ];
  const limits = [`--as=${LIMIT_MEMORY_BYTES}`, `--cpu=${LIMIT_CPU_S}`];
  const input = ['-hide_banner', '-loglevel', 'quiet', '-threads', '1', '-protocol_whitelist', 'pipe', '-i', 'pipe:0', '-an', '-sn', '-dn'];
  const output = [
    '-ss',
    String(atSeconds),
    '-frames:v',
    '1',
    '-vf',
    'scale=iw*sar:ih,scale=min(1600\\,iw):-2',
    '-f',
    'image2pipe',
    '-c:v',
    'mjpeg',
    'pipe:1',
  ];
  const child = spawn(prlimit, [...limits, bwrap, ...sandbox, ...input, ...output], { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
  const ended = once(child, 'close').catch(() => undefined);
  try {
    const [still] = await Promise.all([collectUpTo(child.stdout, MAX_STILL_BYTES), feed(child.stdin, source)]);
    return still;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    await ended;
  }
}

/** It stops reading when it has its picture. */
async function feed(pipe: Writable, source: AsyncIterable<Bytes>): Promise<void> {
  let open = true;
  const closed = new Promise<void>((resolve) => {
    for (const name of ['error', 'close']) pipe.once(name, () => resolve(void (open = false)));
  });
  for await (const piece of source) {
    if (!open) return;
    if (!pipe.write(piece)) await Promise.race([once(pipe, 'drain').catch(() => undefined), closed]);
  }
  if (open) pipe.end();
}

async function collectUpTo(pipe: Readable, most: number): Promise<Bytes | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of pipe as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > most) return null;
    pieces.push(piece);
  }
  return size === 0 ? null : Buffer.concat(pieces);
}
