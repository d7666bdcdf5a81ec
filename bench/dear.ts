import { adminOf, createEvent, deviceOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { animatedGif, animatedWebp, progressiveJpeg } from '../server/src/images/testing/bombs.ts';
import { benchPhotos } from './photos.ts';
import { endlessly, manyOf, runLoad, type BenchFile } from './support/load.ts';
import { note, promise, round } from './support/report.ts';

/** Senders in one event. */
const SENDERS = 6;
/** Forms that guests of the same event and of another one send meanwhile, in sequence. */
const FORMS = 10;

/**
 * Measures the longest answer to a photo of 12 MP while guests send animations, two thirds of which are accepted, as fast as they are
 * answered.
 */
export async function benchDear(): Promise<void> {
  const pictures = await benchPhotos(4);
  const animations = [await animatedWebp(100_000), animatedGif(400_000), await animatedWebp(1, { width: 16_000, height: 12_000 })];
  const server = await startServer();
  try {
    const admin = await adminOf(server.url);
    const [event, other] = [await createEvent(admin), await createEvent(admin)];
    const devices: string[] = [];
    while (devices.length <= SENDERS) devices.push(await deviceOf(server.url));
    const guest = devices.pop() as string;

    async function longestMs(code: string, name: string): Promise<number> {
      let longest = 0;
      for (const file of manyOf(pictures, FORMS, name)) {
        const { seconds, statuses } = await runLoad({ url: server.url, code, devices: [guest], connections: 1, files: [file] });
        if (statuses[201] !== 1) throw new Error(`a photo was not taken: ${JSON.stringify(statuses)}`);
        longest = Math.max(longest, seconds * 1000);
      }
      return longest;
    }

    async function beside(bombs: Uint8Array[], name: string) {
      const end = new AbortController();
      const files = until(endlessly(bombs, name), end.signal);
      const load = runLoad({ url: server.url, code: event.code, devices, connections: SENDERS, files });
      const [same, others] = [await longestMs(event.code, `same ${name}`), await longestMs(other.code, `other ${name}`)];
      end.abort();
      note(`${name}: ${JSON.stringify((await load).statuses)}`);
      return { same, others };
    }

    note(`the longest answer to a form beside nobody ${round(await longestMs(event.code, 'alone'))} ms`);
    const { same, others } = await beside(animations, 'animations');
    promise(`the longest answer to a form beside ${SENDERS} senders of animations, in their event`, same, '<=', 1000, ' ms');
    promise('the same, in another event', others, '<=', 1000, ' ms');
    const pictured = await beside([progressiveJpeg(16_000, 12_000, 16)], 'pictures of 192 megapixels in 16 scans, which are taken');
    promise(
      `the longest answer to a form beside ${SENDERS} senders of pictures of 192 megapixels, in their event`,
      pictured.same,
      '<=',
      1000,
      ' ms',
    );
    promise('the same, in another event', pictured.others, '<=', 1000, ' ms');
  } finally {
    await server.dispose();
  }
}

function* until(files: Iterable<BenchFile>, end: AbortSignal): Generator<BenchFile> {
  for (const file of files) {
    if (end.aborted) return;
    yield file;
  }
}
