import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase, type DatabaseLocation } from '../../server/src/database/open.ts';
import { addEvent } from '../../server/src/features/testing.ts';
import { uuidv7 } from '../../server/src/lib/ids.ts';
import { createQuickVault } from '../../server/src/vault/testing/quick-vault.ts';
import { note, promise, round } from '../support/report.ts';
import { work } from './work.ts';

const PHOTOS = 200_000;
const VARIANTS = ['original', 'thumbnail', 'preview'];
const ORPHANS = 1000;
/** Rows in one statement. */
const ROWS = 500;
/** Memory limit of the whole server while guests upload (memory.ts), MB. */
const PEAK_MB = 450;
/** Time limit of one step of the retention, s. */
const PART_S = 600;

/** Measures the sweep and the purge of one event of 200,000 photos, with 600,000 files in the folder store, on one database. */
export async function benchLargeEvent(name: string, location: DatabaseLocation, folder: string): Promise<void> {
  const store = mkdtempSync(join(folder, 'photos-'));
  const [event, other] = await fillDatabase(location, store);
  const place = { ...(location.url !== null && { url: location.url }), file: location.file, store };
  const swept = await work('sweep', place);
  note(
    `${name}: sweep of ${PHOTOS * VARIANTS.length} blobs in ${round(swept.ms / 1000)} s; the event loop stood for ${round(swept.stoodMs)} ms at most`,
  );
  promise(`${name}: the sweep’s time`, swept.ms / 1000, '<=', PART_S, ' s');
  promise(`${name}: its peak of memory`, swept.peakMb, '<=', PEAK_MB, ' MB');
  promise(`${name}: orphans among them that it left`, ORPHANS - swept.removed, '<=', 0);
  const pieces = await work('sweep', { ...place, partMs: 1000, again: true });
  note(`${name}: a part of one second ended after ${round(pieces.ms / 1000)} s, ${pieces.done ? 'at the end' : 'to go on'}`);
  const purged = await work('purge', { ...place, event });
  note(`${name}: purge in ${round(purged.ms / 1000)} s; the event loop stood for ${round(purged.stoodMs)} ms at most`);
  promise(`${name}: the purge’s time`, purged.ms / 1000, '<=', PART_S, ' s');
  promise(`${name}: its peak of memory`, purged.peakMb, '<=', PEAK_MB, ' MB');
  promise(
    `${name}: files that it left`,
    (await readdir(store, { recursive: true })).filter((path) => path.includes(event)).length,
    '<=',
    0,
  );
  promise(`${name}: files of the other event that went`, 1 - (await readdir(join(store, 'events', other))).length, '<=', 0);
  await rm(store, { recursive: true, force: true });
}

/** Fills in the large event and another one with a photo. */
async function fillDatabase(location: DatabaseLocation, store: string): Promise<[string, string]> {
  const db = await openDatabase(location, { schema: 'migrate', patient: true });
  const vault = createQuickVault();
  const ids: string[] = [];
  for (const count of [PHOTOS, 1]) {
    const { id: event_id } = await addEvent({ db, vault }, { created_at: Date.now(), photo_count: count, used_bytes: count });
    ids.push(event_id);
    const home = join(store, 'events', event_id);
    mkdirSync(home, { recursive: true });
    const text = { description: randomBytes(110), type: 'image/jpeg', thumbnail_type: 'image/webp', preview_type: 'image/jpeg' };
    const sizes = { size: 1, width: 1, height: 1, thumbnail_size: 1, preview_size: 1, slideshow: 1, created_at: Date.now() };
    const keys = { secret_id: 1, sealed_for_event: randomBytes(110), wrapped_for_device: randomBytes(90), facts: randomBytes(64) };
    for (let at = 0; at < count; at += ROWS) {
      const some = Array.from({ length: Math.min(ROWS, count - at) }, (_, n) => ({ id: uuidv7(Date.now()), position: at + n + 1 }));
      const own = () => ({ event_id, device_hash: randomBytes(32), fingerprint: randomBytes(32) });
      await db.transaction(async (trx) => {
        await trx
          .insertInto('photos')
          .values(some.map((photo) => ({ ...photo, ...text, ...sizes, ...own() })))
          .execute();
        await trx
          .insertInto('photo_keys')
          .values(some.map(({ id }) => ({ photo_id: id, event_id, ...keys })))
          .execute();
      });
      for (const { id } of some)
        for (const variant of count === 1 ? ['original'] : VARIANTS) writeFileSync(join(home, `${id}.${variant}`), 'x');
    }
    if (count > 1) for (let n = 0; n < ORPHANS; n++) writeFileSync(join(home, `${uuidv7(Date.now())}.original`), 'x');
  }
  await db.close();
  return ids as [string, string];
}

/** Runs the bench on a fresh database of this PostgreSQL, and on SQLite. */
export async function benchLargeEvents(url: string, createDatabase: (name: string) => Promise<void>, folder: string): Promise<void> {
  await createDatabase('event');
  const location = new URL(url);
  location.pathname = '/event';
  await benchLargeEvent('PostgreSQL', { url: location.href, file: '' }, folder);
  const file = join(folder, 'event.sqlite');
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  await benchLargeEvent('SQLite', { url: null, file }, folder);
}
