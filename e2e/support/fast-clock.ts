import type { Page } from 'playwright';

declare global {
  interface Window {
    fastClock: { run(ms: number, interval: number): Promise<number>; pictures(): number };
  }
}

/**
 * Lets the test run the page's clock, as fast as pictures load and videos begin: a night takes a minute. Timers fire in their order, each
 * after the effects of the one before it. The network, rendering and the shortest timers stay real. Requests for /health fail, so that a
 * wall does not reload at its hour of the night.
 */
export async function installFastClock(page: Page): Promise<void> {
  await page.route('**/health', (route) => route.abort());
  await page.addInitScript(() => {
    // React waits up to 300 ms before it shows a page's late content.
    const REAL_BELOW_MS = 500;
    const SETTLE_MS = 40;
    // On a busy machine SETTLE_MS may pass before this page had its turn.
    const LEAST_TURNS = 20;
    // Limit of the wait for loading pictures and starting videos.
    const LOADING_MAX_MS = 10_000;
    const realTimeout = window.setTimeout.bind(window);
    const realClear = window.clearTimeout.bind(window);
    const realNow = performance.now.bind(performance);
    const timers = new Map<number, { at: number; ms: number; every: boolean; run(): void }>();
    let now = Date.now();
    let last = 1_000_000_000;
    const add =
      (every: boolean) =>
      (run: () => void, ms = 0) => {
        if (!every && ms < REAL_BELOW_MS) return realTimeout(run, ms);
        timers.set(++last, { at: now + ms, ms, every, run });
        return last;
      };
    const drop = (id: number): void => void (timers.delete(id) || realClear(id));
    Object.assign(window, { setTimeout: add(false), setInterval: add(true), clearTimeout: drop, clearInterval: drop });
    const began = now;
    // The hour of the day follows this clock, so that the hour of a test's run does not matter.
    const RealDate = Date;
    window.Date = class extends RealDate {
      constructor(...given: [] | [number]) {
        super(...((given.length > 0 ? given : [now]) as [number]));
      }
      static override now = () => now;
    } as DateConstructor;
    performance.now = () => now - began;
    // A frame is drawn with each timer.
    let frames: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (draw) => frames.push(draw);
    window.cancelAnimationFrame = () => void (frames = []);

    // The pictures that scripts hold in memory.
    let images: WeakRef<HTMLImageElement>[] = [];
    const held = () => (images = images.filter((ref) => ref.deref()?.hasAttribute('src')));
    const RealImage = window.Image;
    window.Image = class extends RealImage {
      constructor() {
        super();
        held();
        images.push(new WeakRef(this));
      }
    };

    /** Tells whether a video on the wall was started, and has neither moved nor failed yet. */
    const starting = () => [...document.querySelectorAll('video')].some((video) => !video.paused && !video.dataset.moves && !video.error);

    const { port1, port2 } = new MessageChannel();
    const turn = () =>
      new Promise<void>((resolve) => {
        port1.onmessage = () => resolve();
        port2.postMessage(null);
      });
    /** Waits a moment for a timer of `interval` to be set, and longer while pictures load or a video begins. */
    const nextPicture = async (interval: number): Promise<void> => {
      const start = realNow();
      let quiet = start;
      for (let turns = 0; turns < LEAST_TURNS || realNow() - quiet < SETTLE_MS; turns++) {
        await turn();
        if (timers.values().some(({ ms }) => ms === interval)) return;
        if (realNow() - start < LOADING_MAX_MS && (starting() || held().some((ref) => ref.deref()?.complete === false))) {
          quiet = realNow();
          turns = 0;
        }
      }
    };
    window.fastClock = {
      pictures: () => held().length,
      /** Runs the clock, and waits for the next picture's timer, which has this `interval`. Returns how often one fired. */
      async run(ms, interval) {
        const end = now + ms;
        let fired = 0;
        for (;;) {
          await nextPicture(interval);
          let id = 0;
          for (const [each, { at }] of timers) if (at < (timers.get(id)?.at ?? Infinity)) id = each;
          const due = timers.get(id);
          if (!due || due.at > end) break;
          now = due.at;
          if (due.every) due.at += due.ms;
          else timers.delete(id);
          if (due.ms === interval) fired++;
          const drawn = frames;
          frames = [];
          for (const draw of drawn) draw(now - began);
          due.run();
        }
        now = end;
        return fired;
      },
    };
  });
}
