/** What the decoder process for videos answers to one request. Runs in the sandbox. */
import type { VideoTask } from './messages.ts';
import { cleanVideo, readVideo } from './video/read-video.ts';
import { sparseFile } from './video/sparse-file.ts';

const nothing = new Uint8Array();

/** `first`: the video's first bytes; `fetch` has the server send the bytes [start, end). Throws NotTaken. */
export function answerVideo(
  { size, want }: VideoTask,
  first: Buffer,
  fetch: (start: number, end: number) => Buffer,
): { header: object; body: Uint8Array } {
  const file = sparseFile(size, first, fetch);
  return want === 'facts'
    ? { header: { facts: readVideo(file) }, body: nothing }
    : { header: { copy: true }, body: Buffer.from(JSON.stringify(cleanVideo(file))) };
}
