/** Reads a video of any accepted container. Throws NotTaken for everything else. */
import type { VideoTask } from '../messages.ts';
import { cleanMp4 } from './clean-mp4.ts';
import { cleanWebm } from './clean-webm.ts';
import type { CleanCopy, RawProbe } from './probe.ts';
import { readMp4 } from './mp4.ts';
import { NotTaken, sparseFile, type SparseFile } from './sparse-file.ts';
import { readWebm } from './webm.ts';

const EBML = 0x1a45dfa3;

/** Reads a video's properties. */
export const readVideo = (file: SparseFile): RawProbe => (isWebm(file) ? readWebm(file).probe : readMp4(file).probe);

/** Plans the copy without location; reads the file to its end. */
export const cleanVideo = (file: SparseFile): CleanCopy => (isWebm(file) ? cleanWebm(file) : cleanMp4(file));

function isWebm(file: SparseFile): boolean {
  if (file.size < 16) throw new NotTaken('too short');
  return file.bytes(0, 4).readUInt32BE(0) === EBML;
}

/** Answers one request to the decoder process. `first`: the video's first bytes; `fetch` has the server send the bytes [start, end). */
export function answerVideo({ size, want }: VideoTask, first: Buffer, fetch: (start: number, end: number) => Buffer) {
  const file = sparseFile(size, first, fetch);
  return want === 'probe'
    ? { header: { probe: readVideo(file) }, body: Buffer.alloc(0) }
    : { header: { copy: true }, body: Buffer.from(JSON.stringify(cleanVideo(file))) };
}
