import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { adminOf, createEvent, deviceOf, hostOf, OPEN_GALLERY, type Client } from '../e2e/support/api.ts';
import { missingForCluster, startCluster, type Cluster } from '../e2e/support/cluster.ts';
import { drawPhoto } from '../e2e/support/photos.ts';
import type { TestServer } from '../e2e/support/server.ts';
import { freePort } from '../server/src/testing/system.ts';
import { createQuickVault } from '../server/src/vault/testing/quick-vault.ts';
import { benchPhotos } from './photos.ts';
import { endlessly, manyOf, runLoad } from './support/load.ts';
import { createPhone } from './support/phone.ts';
import { treeCpuMs } from './support/processes.ts';
import { note, promise, round } from './support/report.ts';

const PHOTOS = 2000;
/** Photos of a large event. */
const MANY = 5000;
/** Rows in one insert, and their first position, behind those of uploads. */
const ROWS = 500;
const FAR = 1_000_000;
const GUESTS = 400;
/** Time for which an idle server takes less than a tenth of a core. */
const QUIET_MS = 1000;
/** Most requests for the number of photos that are still to be opened. */
const ASKED = 60;
/** Guests that come one after the other before the crowd, to measure the cost of one. */
const FEW = 10;
/** Photos that a phone shows before anybody scrolls. */
const SEEN = 30;
/** Time over which the guests come, evenly. */
const MINUTE_MS = 60_000;
/** Memory of the store, for all photos of the bench, some 1,800 of 5 MB. */
const STORE_BYTES = 12 * 1024 ** 3;
/** Uploads before the measurement: the store is faster with the first four hundred than with later ones. */
const WARM = 400;
/** Uploads measured alone, before the guests come and after them; while they are there, more are sent. */
const UPLOADS = 300;
const CONNECTIONS = 6;
const vault = createQuickVault();
const OPEN = { ...OPEN_GALLERY, originals: false };

/**
 * Measures a night's guests: 400 open a gallery of 2,000 photos within a minute while uploads go on, on one node. PostgreSQL and an S3
 * store work on the same machine.
 */
export async function benchGuests(): Promise<void> {
  if (missingForCluster.length > 0) return note(`skipped: ${missingForCluster.join(', ')} missing`);
  const metricsPort = await freePort();
  // Default number of decoders on two cores.
  const cluster = await startCluster(1, { METRICS_PORT: String(metricsPort), DECODERS: '2' }, { direct: true, storeBytes: STORE_BYTES });
  try {
    const node = cluster.nodes[0] as TestServer;
    const { url } = node;
    const pid = node.process.pid as number;
    const event = await createEvent(await adminOf(url));
    const host = await hostOf(url, event);
    const devices = await Promise.all(Array.from({ length: 40 }, () => deviceOf(url)));
    const small = await drawPhoto(1, 400, 300);
    const fill = await runLoad({ url, code: event.code, devices, connections: CONNECTIONS, files: manyOf([small], PHOTOS, 'gallery') });
    note(`${PHOTOS} photos stored: ${JSON.stringify(fill.statuses)}`);

    const gallery = await opened(host, event.code, PHOTOS);

    const pictures = await benchPhotos(8);
    /** Uploads photos in sequence on each connection as long as `goesOn` returns true; returns the photos stored per second. */
    const uploading = async (name: string, goesOn: (n: number) => boolean): Promise<number> => {
      let n = 0;
      const files = endlessly(pictures, name);
      const until = {
        *[Symbol.iterator]() {
          while (goesOn(n++)) yield files.next().value;
        },
      };
      const { perSecond, statuses } = await runLoad({ url, code: event.code, devices, connections: CONNECTIONS, files: until });
      if (Object.keys(statuses).join() !== '201') throw new Error(`uploads were answered ${JSON.stringify(statuses)}`);
      return perSecond;
    };
    await uploading('warm', (n) => n < WARM);
    const before = await uploading('before', (n) => n < UPLOADS);

    const token = gallery.url.split('#')[1] ?? '';
    const reads = async (): Promise<number> => readsIn(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text());
    await quiet(pid);
    const few: Visit = { url, code: event.code, token, times: [], failures: [] };
    const cpuBeforeMs = treeCpuMs(pid);
    for (let n = 0; n < FEW; n++) await visit(few);
    note(`CPU a guest, of whom one comes at a time: ${round((treeCpuMs(pid) - cpuBeforeMs) / FEW)} ms in the server`);
    const readBefore = await reads();
    const times: number[] = [];
    const failures: number[] = [];
    const coming = Array.from({ length: GUESTS }, async (_, n) => {
      await pause((n * MINUTE_MS) / GUESTS);
      await visit({ url, code: event.code, token, times, failures });
    });
    let still = true;
    const going = uploading('while', () => still);
    await Promise.all(coming);
    still = false;
    const meanwhile = await going;
    const readsEach = ((await reads()) - readBefore) / GUESTS;
    // The machine's speed changes within minutes.
    const after = await uploading('after', (n) => n < UPLOADS);
    const slowest = times.toSorted((a, b) => a - b);
    const p95 = slowest[Math.floor(slowest.length * 0.95)] as number;
    note(
      `${times.length} thumbnails, p50 ${round(slowest[Math.floor(slowest.length / 2)] as number)} ms; failed ${JSON.stringify(countBy(failures))}`,
    );
    note(`uploads alone before and after ${round(before)}/s, ${round(after)}/s, meanwhile ${round(meanwhile)}/s`);
    promise('p95 of a thumbnail', p95, '<=', 300, ' ms');
    promise('answers that failed', failures.length, '<=', 0);
    promise('uploads meanwhile / alone', (2 * meanwhile) / (before + after), '>=', 0.8);
    promise('reads of the store for each guest', readsEach, '<=', 3);

    await host.json('PUT', `/api/events/${event.code}/gallery`, { ...OPEN, mode: 'drop' });
    const stored = await cluster.db.kysely.selectFrom('photos').select('id').execute();
    await addPhotos(cluster.db, MANY - stored.length);
    await opened(host, event.code, MANY);
  } finally {
    await cluster.dispose();
  }
}

/** Waits until a server has made all previews, which it does while nobody uploads. */
async function quiet(pid: number): Promise<void> {
  for (let before = treeCpuMs(pid), now; ; before = now) {
    await pause(QUIET_MS);
    now = treeCpuMs(pid);
    if (now - before < QUIET_MS / 10) return;
  }
}

/** Opens an event's gallery for its guests, and measures it. */
async function opened(host: Client, code: string, photos: number): Promise<{ url: string }> {
  const began = performance.now();
  const path = `/api/events/${code}/gallery`;
  let gallery = await host.json<{ url: string; pending: number }>('PUT', path, OPEN);
  for (let asked = 0; gallery.pending > 0 && asked < ASKED; asked++) gallery = await host.json('GET', path);
  promise(`an event of ${photos} photos is opened`, performance.now() - began, '<=', 2000, ' ms');
  promise('photos without a key for guests after that', gallery.pending, '<=', 0);
  return gallery;
}

/** Inserts rows of photos with keys, without blobs, which opening does not need, beside the photos uploaded to the only event. */
async function addPhotos({ kysely }: Cluster['db'], count: number): Promise<void> {
  const like = await kysely.selectFrom('photos').selectAll().limit(1).executeTakeFirstOrThrow();
  const keysLike = await kysely.selectFrom('photo_keys').selectAll().where('photo_id', '=', like.id).executeTakeFirstOrThrow();
  const { event_id: eventId } = like;
  const { public_key } = await kysely.selectFrom('event_keys').select('public_key').executeTakeFirstOrThrow();
  const secret = await kysely.selectFrom('event_secrets').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  for (let n = 0; n < count; n += ROWS) {
    const ids = Array.from({ length: Math.min(ROWS, count - n) }, () => randomUUID());
    const photos = ids.map((id, at) => ({ ...like, id, position: FAR + n + at, fingerprint: randomBytes(32) }));
    const keys = ids.map((photoId) => {
      using key = vault.createPhotoKey();
      const sealed = vault.sealPhotoKey(public_key, key, { eventId, photoId });
      const sealed_for_event = vault.coverKey(secret.secret, sealed, { eventId, photoId, holder: 'event' });
      return { ...keysLike, photo_id: photoId, secret_id: secret.id, sealed_for_event };
    });
    await kysely.insertInto('photos').values(photos).execute();
    await kysely.insertInto('photo_keys').values(keys).execute();
  }
}

interface Visit {
  url: string;
  code: string;
  token: string;
  /** Results, which the visit fills in: the time of each thumbnail, ms, and the status of each refused answer. */
  times: number[];
  failures: number[];
}

/** Makes a phone's requests: login, the first pages of the list, and the visible thumbnails. */
async function visit({ url, code, token, times, failures }: Visit): Promise<void> {
  const phone = createPhone(url);
  const login = await phone.ask('POST', '/auth/gallery/login', {}, JSON.stringify({ code, token }));
  const cookie = (login.cookie ?? '').split(';')[0] ?? '';
  if (login.status !== 200) failures.push(login.status);
  const photos: { thumbnail_url: string }[] = [];
  for (let after: number | null = 0; after !== null && photos.length < 3 * SEEN;) {
    const page = await phone.ask('GET', `/api/events/${code}/photos?after=${after}&per_page=${SEEN}`, { cookie });
    if (page.status !== 200) {
      failures.push(page.status);
      break;
    }
    const read = JSON.parse(page.body.toString()) as { photos: { thumbnail_url: string }[]; next: number | null };
    photos.push(...read.photos);
    after = read.next;
  }
  await Promise.all(
    photos.slice(0, SEEN).map(async ({ thumbnail_url }) => {
      const started = performance.now();
      const { status } = await phone.ask('GET', thumbnail_url, { cookie });
      times.push(performance.now() - started);
      if (status !== 200) failures.push(status);
    }),
  );
  phone.close();
}

/** Returns the number of reads from the photo store, by the node's metrics. */
function readsIn(metrics: string): number {
  const lines = metrics.split('\n').filter((line) => /^feierbild_store_duration_seconds_count\{.*operation="read"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

function countBy(statuses: number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
