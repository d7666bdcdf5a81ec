/** A decoder process for videos, without any native addon: reads what they are from a few ranges of their bytes, and decodes nothing. */
import { serve } from './child-loop.ts';
import type { VideoTask } from './messages.ts';
import { readVideo } from './video/read-video.ts';
import { stillSource } from './video/still-source.ts';
import { Needed, sparseFile } from './video/sparse-file.ts';

const nothing = new Uint8Array();

await serve<VideoTask>(async ({ size, pieces, want }, bytes) => {
  try {
    const file = sparseFile(size, pieces, bytes);
    const { facts, clean } = readVideo(file);
    if (want === 'still') {
      const { head, piece } = stillSource(file, facts.type === 'video/webm');
      return { header: { facts, piece }, body: head };
    }
    return { header: { facts }, body: want === 'clean' ? Buffer.from(JSON.stringify(clean)) : nothing };
  } catch (error) {
    if (error instanceof Needed) return { header: { needed: [error.start, error.end] }, body: nothing };
    throw error;
  }
});
