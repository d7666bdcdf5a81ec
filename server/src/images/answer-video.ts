/** What the decoder process for videos answers to one request. Runs in the sandbox. */
import type { VideoTask } from './messages.ts';
import { readVideo } from './video/read-video.ts';
import { Needed, sparseFile } from './video/sparse-file.ts';

const nothing = new Uint8Array();

/** `bytes` are those of the task's pieces. Throws NotTaken. */
export function answerVideo({ size, pieces, want }: VideoTask, bytes: Buffer): { header: object; body: Uint8Array } {
  try {
    const file = sparseFile(size, pieces, bytes);
    const { facts, clean } = readVideo(file);
    return { header: { facts }, body: want === 'clean' ? Buffer.from(JSON.stringify(clean)) : nothing };
  } catch (error) {
    if (error instanceof Needed) return { header: { needed: [error.start, error.end] }, body: nothing };
    throw error;
  }
}
