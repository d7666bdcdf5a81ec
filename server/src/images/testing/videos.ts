import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** ffmpeg draws short videos for tests. */
export const FFMPEG = '/usr/bin/ffmpeg';
const FFPROBE = '/usr/bin/ffprobe';
export const hasFfmpeg = existsSync(FFMPEG);

const PICTURE = {
  h264: ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', 'ultrafast'],
  hevc: ['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params', 'log-level=error'],
  av1: ['-c:v', 'libsvtav1', '-preset', '12', '-svtav1-params', 'fast-decode=1'],
  vp8: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8'],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
  mpeg4: ['-c:v', 'mpeg4'],
};
const SOUND = {
  aac: ['-c:a', 'aac'],
  opus: ['-c:a', 'libopus'],
  mp3: ['-c:a', 'libmp3lame'],
  vorbis: ['-c:a', 'libvorbis'],
  pcm: ['-c:a', 'pcm_s16le'],
};

export interface TestVideo {
  container?: 'mp4' | 'mov' | 'webm' | 'mkv';
  picture?: keyof typeof PICTURE;
  sound?: keyof typeof SOUND | null;
  seconds?: number;
  /** Sides as coded, before rotation. */
  width?: number;
  height?: number;
  /** Further arguments for the output. */
  more?: string[];
}

/** Draws a moving, humming video. */
export async function drawVideo(video: TestVideo = {}): Promise<Buffer<ArrayBuffer>> {
  const { container = 'mp4', picture = 'h264', sound = 'aac', seconds = 2, width = 320, height = 180, more = [] } = video;
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-video-'));
  try {
    const path = join(folder, `video.${container}`);
    const input = ['-f', 'lavfi', '-i', `testsrc2=size=${width}x${height}:rate=15:duration=${seconds}`];
    const hum = sound === null ? [] : ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
    const coded = [...PICTURE[picture], ...(sound === null ? ['-an'] : SOUND[sound])];
    await run([...input, ...hum, ...coded, '-threads', '1', '-strict', 'experimental', ...more, path]);
    return (await readFile(path)) as Buffer<ArrayBuffer>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Rewrites a video by ffmpeg, copying its streams; `before` has the input's arguments, as `-display_rotation`. */
export async function remux(video: Uint8Array, to: string, { before = [], more = [] }: { before?: string[]; more?: string[] }) {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-video-'));
  try {
    const [from, path] = [join(folder, 'from'), join(folder, `to.${to}`)];
    await writeFile(from, video);
    await run([...before, '-i', from, '-c', 'copy', ...more, path]);
    return (await readFile(path)) as Buffer<ArrayBuffer>;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns everything that ffprobe reads of a video: container, streams, chapters, tags, and the data of its packets. */
export async function probe(video: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-video-'));
  try {
    const path = join(folder, 'video');
    await writeFile(path, video);
    const shown = ['-show_format', '-show_streams', '-show_chapters', '-show_packets', '-show_data', '-of', 'json', '-export_xmp', '1'];
    const { stdout } = await promisify(execFile)(FFPROBE, ['-loglevel', 'error', ...shown, path], { maxBuffer: 256 * 1024 * 1024 });
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(args: string[]): Promise<void> {
  await promisify(execFile)(FFMPEG, ['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', ...args]);
}
