import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MB, MINUTE, SLIDESHOW_INTERVAL } from '@feierbild/contract/constants.ts';
import { chromium, type Page } from 'playwright';
import { adminOf, createEvent, deviceOf, hostOf, projectorOf, upload } from '../e2e/support/api.ts';
import { takeOver } from '../e2e/support/login.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import { startServer } from '../e2e/support/server.ts';
import { median } from './support/median.ts';
import { note, promise, round } from './support/report.ts';
import { canConfine, confine } from './support/small-machine.ts';

const MINUTES = Number(process.env.BENCH_MINUTES ?? 24 * 60);
/** Minutes whose memory is compared at the beginning and at the end: an hour each, in short runs a third. */
const COMPARED = Math.ceil(Math.min(60, MINUTES / 3));
const PHOTOS = 60;
const WINDOW = { width: 1920, height: 1080 };
/** Memory of the whole browser, bytes. */
const ROOM = 512 * 1024 * 1024;
/** Interval at which the slide is read, ms. */
const LOOK_MS = 2000;
/** Least share of the slides that fit into the time: a core that draws fades beside other work is late for some. */
const SLIDES = 0.9;

/**
 * Runs a wall for `BENCH_MINUTES` (a day), in a browser that has one core and 512 MB altogether; every ten minutes a photo comes and one
 * goes.
 */
export async function benchWallNight(): Promise<void> {
  if (!canConfine()) return note('needs root and cgroup v1');
  await using owned = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-wall-'));
  owned.defer(() => rm(folder, { recursive: true, force: true }));
  const server = await startServer();
  owned.defer(() => server.dispose());
  const machine = confine(folder, ROOM);
  owned.defer(() => machine.end());

  const event = await createEvent(await adminOf(server.url));
  const device = await deviceOf(server.url);
  const host = await hostOf(server.url, event);
  const ids: string[] = [];
  const add = async (seed: number): Promise<void> => {
    const [width, height] = seed % 3 === 0 ? [1536, 2048] : [2048, 1536];
    const answer = await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed, width, height) });
    ids.push(((await answer.json()) as { photo: { id: string } }).photo.id);
  };
  for (let seed = 0; seed < PHOTOS; seed++) await add(seed);

  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    viewport: WINDOW,
    baseURL: server.url,
    executablePath: machine.command,
    // Chromium measures the machine and not the group; on a machine of 512 MB it keeps fewer decoded pictures.
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--enable-low-end-device-mode'],
  });
  owned.defer(() => context.close());
  const page = await context.newPage();
  await takeOver(context, await projectorOf(server.url, event), server.url);
  await page.goto(`/slideshow/${event.code}`);
  await page
    .getByRole('img', { name: /^Foto \d/ })
    .first()
    .waitFor();

  const held: number[] = [];
  let [slides, still] = [0, 0];
  for (let minute = 1; minute <= MINUTES; minute++) {
    slides += await slidesOfAMinute(page);
    if (!(await isDrawing(page))) still += 1;
    held.push(machine.held());
    if (minute % 10 > 0) continue;
    await add(1000 + minute);
    await host.json('DELETE', `/api/photos/${ids.shift()}`, undefined, 204);
    note(`minute ${minute}: ${slides} slides, ${round(median(held.slice(-10)) / MB)} MB`);
  }

  const { bytes, met } = machine.most();
  note(
    `the most at once, with files that the kernel keeps, ${round(bytes / MB)} MB of ${round(ROOM / MB)}; the limit was met ${met} times`,
  );
  promise(`slides in ${MINUTES} minutes / those that they hold`, slides / ((MINUTES * MINUTE) / SLIDESHOW_INTERVAL), '>=', SLIDES);
  promise('minutes without a frame', still, '<=', 0);
  promise(
    'memory of the browser at the end / at the beginning',
    median(held.slice(-COMPARED)) / median(held.slice(0, COMPARED)),
    '<=',
    1.1,
  );
}

/** Counts the changes of the slide within a minute. */
async function slidesOfAMinute(page: Page): Promise<number> {
  const end = performance.now() + MINUTE;
  let [count, last] = [0, ''];
  while (performance.now() < end) {
    const shown = await page.evaluate(() =>
      Array.from(document.querySelectorAll<HTMLImageElement>('img[alt^="Foto"]'), ({ alt }) => alt).join(),
    );
    if (shown !== last && last !== '') count += 1;
    last = shown;
    await pause(LOOK_MS);
  }
  return count;
}

/** Tells whether the browser draws a frame within ten seconds. */
function isDrawing(page: Page): Promise<boolean> {
  const frame = page.evaluate(() => new Promise<boolean>((resolve) => void requestAnimationFrame(() => resolve(true))));
  return Promise.race([frame, pause(10_000, false, { ref: false })]);
}
