import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { adminOf, createEvent, deviceOf, hostOf } from '../e2e/support/api.ts';
import { startServer } from '../e2e/support/server.ts';
import { benchPhotos } from './photos.ts';
import { manyOf, runLoad } from './support/load.ts';
import { readDelays } from './support/loop-delay.ts';
import { median } from './support/median.ts';
import { note, promise, round } from './support/report.ts';

/** Connections of one guest who invents devices. */
const CONNECTIONS = 32;
/** Uploads begun before the measurement, which fill their event (budget.ts). */
const FULL = 3000;
const FORMS = 12;

/**
 * Measures the cost of one guest's cheap writes for everybody else on a node with SQLite: upload starts with invented devices, and right
 * logins to a gallery.
 */
export async function benchBeginners(): Promise<void> {
  const [picture] = await benchPhotos(1);
  const delays = join(tmpdir(), `loop-delay-${process.pid}.json`);
  const server = await startServer({
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'support/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: delays,
  });
  try {
    const { url } = server;
    const admin = await adminOf(url);
    const [crowded, quiet] = [await createEvent(admin), await createEvent(admin)];
    const device = await deviceOf(url);
    const host = await hostOf(url, crowded);
    const gallery = await host.json<{ url: string }>('PUT', `/api/events/${crowded.code}/gallery`, { mode: 'open' });
    const token = gallery.url.split('#')[1] as string;

    const begin = async (): Promise<void> => {
      const named = [`filename ${btoa('a.jpg')}`, `eventCode ${btoa(crowded.code)}`].join(',');
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '5000000', 'upload-metadata': named };
      const made = randomBytes(16).toString('base64url');
      await fetch(`${url}/uploads`, { method: 'POST', headers: { ...headers, 'device-id': made } }).then((answer) => answer.text());
    };
    const login = async (): Promise<void> => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'device-id': device };
      const body = JSON.stringify({ code: crowded.code, token });
      await fetch(`${url}/auth/gallery/login`, { method: 'POST', headers, body }).then((answer) => answer.text());
    };

    /** Measures forms of another event, one after the other, ms each. */
    async function forms(): Promise<number[]> {
      const taken: number[] = [];
      for (let n = 0; n < FORMS; n++) {
        const load = { url, code: quiet.code, devices: [device], connections: 1 };
        const began = performance.now();
        await runLoad({ ...load, files: manyOf([picture as Buffer], 1, randomBytes(6).toString('hex')) });
        taken.push(performance.now() - began);
      }
      return taken;
    }

    const alone = median(await forms());
    let begun = 0;
    const filling = Array.from({ length: CONNECTIONS }, async () => {
      while (begun++ < FULL) await begin();
    });
    await Promise.all(filling);
    for (const [what, work] of [
      [`${CONNECTIONS} beginners`, begin],
      [`${CONNECTIONS} right gallery logins`, login],
    ] as const) {
      let on = true;
      const flood = Array.from({ length: CONNECTIONS }, async () => {
        for (; on; done++) await work();
      });
      let done = 0;
      const root = server.process.pid as number;
      await readDelays(root, delays);
      const beside = await forms();
      const loop = await readDelays(root, delays);
      on = false;
      await Promise.all(flood);
      note(`${done} beside; a form alone ${round(alone)} ms, beside ${what} ${round(median(beside))} ms`);
      promise(`slowest form beside ${what}`, Math.max(...beside) / 1000, '<=', 1, ' s');
      promise(`event-loop delay p99 beside ${what}`, loop.p99, '<=', 100, ' ms');
    }
  } finally {
    await server.dispose();
    rmSync(delays, { force: true });
  }
}
