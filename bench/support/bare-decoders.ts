import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Measures the thumbnails per second of one bare sharp process a core (at least two), as many as the server's decoders. */
export async function bareDecoders(pictures: Uint8Array[], count: number): Promise<number> {
  const cores = Math.max(2, availableParallelism());
  const script = join(import.meta.dirname, 'bare-decoder.mjs');
  const children = Array.from({ length: cores }, () => fork(script, { serialization: 'advanced', env: { MALLOC_ARENA_MAX: '2' } }));
  const all = (message: object) =>
    Promise.all(children.map((child) => new Promise((resolve) => child.once('message', resolve) && child.send(message))));
  await all({ pictures });
  const started = performance.now();
  await all({ count: count / cores });
  const seconds = (performance.now() - started) / 1000;
  for (const child of children) child.kill();
  return count / seconds;
}
