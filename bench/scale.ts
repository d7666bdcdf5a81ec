import { createRandom } from './support/random.ts';
import { note } from './support/report.ts';

/**
 * Simulates the load of 10,000 events on one weekend: arrivals over 72 hours in steps of a minute, with costs measured in
 * docs/performance.md. Assumed numbers are marked; docs/scale.md draws the conclusions.
 */

/** Assumed: events, and guests and photos of each. */
const EVENTS = 10_000;
const GUESTS = 80;
const PHOTOS = 600;
const PHOTO_MB = 3;
/** Measured (docs/performance.md): CPU of all processes for a photo with its preview, and the preview's part, which may wait. */
const PHOTO_CPU_MS = 113;
const PREVIEW_CPU_MS = 60;
/** Assumed: size of thumbnail and preview as a share of the original's. */
const DERIVED_SHARE = 0.15;
/** Assumed: views of a photo's thumbnail and preview in the first days. */
const VIEWS = 12;
const VIEW_MB = 0.15;
/** Assumed: share of the events whose guests upload on Saturday evening; the others are spread over Friday to Sunday. */
const SATURDAY_SHARE = 0.7;
/** Assumed: an event begins in the afternoon, its photos come around an hour of the evening, and a part of them the next morning. */
const BEGIN_HOUR = 15;
const BEGIN_SPREAD_HOURS = 2;
const PEAK_AFTER_HOURS = 5;
const PEAK_SPREAD_HOURS = 2;
const NEXT_MORNING_SHARE = 0.2;
/** Measured (`npm run bench -- nodes`): CPU of PostgreSQL for an upload with its preview, ms. */
const DATABASE_CPU_MS = 1.9;
/** Cores of a node, and their highest load at the peak. */
const NODE_CORES = 8;
const BUSY = 0.7;
const NODE_CONNECTIONS = 10;
const STEP_MINUTES = 1;
const HOURS = 72;

export async function benchScale(): Promise<void> {
  const random = createRandom(20_261_122).next;
  const uploads = new Float64Array((HOURS * 60) / STEP_MINUTES);
  const opened = new Float64Array(uploads.length);
  for (let event = 0; event < EVENTS; event++) {
    const day = random() < SATURDAY_SHARE ? 1 : Math.floor(random() * 3);
    const begin = day * 24 + BEGIN_HOUR + normal(random) * BEGIN_SPREAD_HOURS;
    for (let n = 0; n < PHOTOS; n++) {
      const morning = random() < NEXT_MORNING_SHARE;
      const at = morning ? day * 24 + 34 + normal(random) * 2 : begin + PEAK_AFTER_HOURS + normal(random) * PEAK_SPREAD_HOURS;
      add(uploads, at);
    }
    for (let guest = 0; guest < GUESTS; guest++) add(opened, begin + 1 + Math.abs(normal(random)) * 3);
  }
  const perSecond = (counts: Float64Array): number => Math.max(...smoothed(counts)) / (STEP_MINUTES * 60);
  const peak = perSecond(uploads);
  const total = EVENTS * PHOTOS;
  const cores = (peak * (PHOTO_CPU_MS - PREVIEW_CPU_MS)) / 1000;
  const nodes = Math.ceil(cores / (NODE_CORES * BUSY));
  const stored = (total * PHOTO_MB * (1 + DERIVED_SHARE)) / 1e6;
  note(
    `${total.toLocaleString('en')} photos, ${stored.toFixed(1)} TB kept for 30 days; bytes out ${((total * VIEWS * VIEW_MB) / 1e6).toFixed(1)} TB and the ZIPs ${((total * PHOTO_MB) / 1e6).toFixed(1)} TB`,
  );
  note(
    `uploads a second at the peak: ${peak.toFixed(0)} (on average over ${HOURS} hours ${(total / (HOURS * 3600)).toFixed(0)}), ${((peak * PHOTO_MB * 8) / 1000).toFixed(1)} Gbit/s in; pages opened a second: ${perSecond(opened).toFixed(0)}`,
  );
  note(
    `cores for thumbnails and uploads at the peak: ${cores.toFixed(0)}; nodes of ${NODE_CORES} cores, ${BUSY * 100} % busy: ${nodes}; their connections to PostgreSQL: ${nodes * NODE_CONNECTIONS}`,
  );
  note(`previews, made when a node is quiet: ${((total * PREVIEW_CPU_MS) / 1000 / 3600).toFixed(0)} core hours in all`);
  note(
    `PostgreSQL at the peak: ${((peak * DATABASE_CPU_MS) / 1000).toFixed(1)} cores for uploads, ${peak.toFixed(0)} commits a second; objects put a second: ${(peak * 2).toFixed(0)}`,
  );
}

function add(counts: Float64Array, hour: number): void {
  const at = Math.floor((hour * 60) / STEP_MINUTES);
  if (at >= 0 && at < counts.length) counts[at] = (counts[at] as number) + 1;
}

/** Returns means over ten minutes: shorter peaks wait in the guests' queues. */
function smoothed(counts: Float64Array): number[] {
  const width = 10 / STEP_MINUTES;
  return Array.from(
    { length: counts.length - width },
    (_, at) => counts.subarray(at, at + width).reduce((sum, count) => sum + count, 0) / width,
  );
}

/** Returns a standard normal number (Box and Muller, 1958). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
