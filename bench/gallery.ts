import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { adminOf, createEvent, hostOf } from '../e2e/support/api.ts';
import { insertPhotos } from '../e2e/support/rows.ts';
import { startServer } from '../e2e/support/server.ts';
import { note, promise, round } from './support/report.ts';

const PHOTOS = 5000;
const ALL = 1_000_000;
const CALLS = 60;
/** Longest acceptable answer for a page of the gallery, ms. */
const PAGE_LIMIT = 5;

/** Measures the first page of an event's gallery, in an otherwise empty database and beside a million photos of other events. */
export async function benchGallery(): Promise<void> {
  const few = await firstPage(0);
  const many = await firstPage(ALL - PHOTOS);
  note(`first page of ${PHOTOS} photos: alone ${round(few)} ms, among ${ALL} ${round(many)} ms (median of ${CALLS})`);
  promise('first gallery page among 1,000,000 photos / among 5,000', many / few, '<=', 1.5);
  promise('first gallery page', many, '<=', PAGE_LIMIT, ' ms');
}

async function firstPage(others: number): Promise<number> {
  const server = await startServer();
  try {
    const event = await createEvent(await adminOf(server.url));
    const host = await hostOf(server.url, event);
    await server.stop();
    const file = join(server.dataDir, 'feierbild.sqlite');
    insertPhotos(file, event.id, PHOTOS);
    addOthers(file, others);
    await server.restart();
    const path = `/api/events/${event.code}/photos?after=0&per_page=30`;
    const times: number[] = [];
    for (let n = 0; n < CALLS; n++) {
      const started = performance.now();
      const answer = await host.request(path);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`answered ${answer.status}`);
      times.push(performance.now() - started);
    }
    return times.toSorted((a, b) => a - b)[CALLS / 2] as number;
  } finally {
    await server.dispose();
  }
}

/** Inserts rows of photos of other events, which nobody reads. */
function addOthers(file: string, count: number): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN');
  const insert = db.prepare(
    `insert into photos (id, event_id, device_hash, description, type, size, width, height, thumbnail_type, thumbnail_size,
      created_at, slideshow, fingerprint, position)
      values (?, ?, ?, zeroblob(157), 'image/jpeg', 4000000, 4032, 3024, 'image/jpeg', 20000, ?, 1, ?, ?)`,
  );
  const device = randomBytes(32);
  for (let n = 0; n < count; n++) {
    const event = `other-event-${String(n % 200).padStart(8, '0')}`;
    insert.run(`${event}${n}`, event, device, Date.now() + n, randomBytes(32), n + 1);
  }
  db.exec('COMMIT');
  db.close();
}
