/** Reads a video of any container that is taken. Throws Needed, and NotTaken for everything else. */
import type { Video } from './facts.ts';
import { readMp4 } from './mp4.ts';
import { NotTaken, type SparseFile } from './sparse-file.ts';
import { readWebm } from './webm.ts';

const EBML = 0x1a45dfa3;

export function readVideo(file: SparseFile): Video {
  if (file.size < 16) throw new NotTaken('too short');
  return file.bytes(0, 4).readUInt32BE(0) === EBML ? readWebm(file) : readMp4(file);
}
