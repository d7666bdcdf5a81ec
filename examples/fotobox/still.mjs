// Stills of videos: the server draws none, so this PC does if it has ffmpeg.
import { execFile } from 'node:child_process';

/** Longest time for one still, ms. */
const LIMIT = 20_000;
/** Largest still that the server accepts, bytes, and its longest edge here, pixels. */
const STILL_BYTES = 400 * 1024;
const EDGE = 1280;
/** Positions of the still in the video, seconds: the beginning only if the video is shorter. */
const INSTANTS = [1, 0];
/** ffmpeg's scale for JPEG: 2 is best, 31 worst. */
const QUALITIES = [4, 12];

/** Draws a still of a video, a JPEG; null if ffmpeg cannot draw one, undefined if it is not installed. */
export async function drawStill(path) {
  for (const instant of INSTANTS) {
    for (const quality of QUALITIES) {
      const still = await ffmpeg(path, instant, quality);
      if (still === undefined) return undefined;
      if (still.length === 0) break;
      if (still.length <= STILL_BYTES) return still;
    }
  }
  return null;
}

/** Runs ffmpeg; returns its output, which is empty after an error, or undefined if it is not installed. */
function ffmpeg(path, instant, quality) {
  const shape = `scale=iw*sar:ih,scale=min(${EDGE}\\,iw):min(${EDGE}\\,ih):force_original_aspect_ratio=decrease`;
  const input = ['-nostdin', '-loglevel', 'error', '-protocol_whitelist', 'file', '-ss', String(instant), '-i', `file:${path}`];
  const output = ['-frames:v', '1', '-an', '-vf', shape, '-c:v', 'mjpeg', '-q:v', String(quality), '-f', 'image2pipe', '-'];
  return new Promise((resolve) => {
    execFile('ffmpeg', [...input, ...output], { encoding: 'buffer', timeout: LIMIT, maxBuffer: 64 * STILL_BYTES }, (error, still) => {
      if (error?.code === 'ENOENT') resolve(undefined);
      else resolve(error ? Buffer.alloc(0) : still);
    });
  });
}
