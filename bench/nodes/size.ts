import { setTimeout as pause } from 'node:timers/promises';
import { createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from '../../e2e/support/api.ts';
import type { Cluster } from '../../e2e/support/cluster.ts';
import type { TestServer } from '../../e2e/support/server.ts';
import type { Db } from '../../server/src/database/open.ts';
import { runSql } from '../../server/src/database/testing.ts';
import { median } from '../support/median.ts';
import { note, promise, round } from '../support/report.ts';
import type { MakePhoto } from './outages.ts';

/** The design asks for 10,000,000, which take longer to write than a bench may. */
const ROWS = 1_000_000;
const OTHER_EVENTS = 200;
const FEW_ROWS = 5000;
const ZIP_PHOTOS = 20;
const ASKED = 60;

/** What a large database costs: pages of a gallery, the first byte of a ZIP, the start of a node. */
export async function benchSize({ nodes, db }: Cluster, admin: Client, photo: MakePhoto): Promise<void> {
  const [node, , last] = nodes as [TestServer, TestServer, TestServer];
  const event = await createEvent(admin);
  const device = await deviceOf(node.url);
  for (let n = 0; n < ZIP_PHOTOS; n++) await upload({ url: node.url, code: event.code, device, file: photo(`zip ${n}`) });
  const host = await hostOf(node.url, event);
  await makeZip(host, event);
  const page = (n: number): string => `photos?after=${n * 50}&per_page=100`;
  const times = async () => ({ page: await waitMs(host, event, page), zip: await waitMs(host, event, () => 'download') });

  await insertRows(db, event, FEW_ROWS);
  await runSql(db, 'analyze photos');
  await times();
  const few = await times();
  await runSql(
    db,
    `insert into events select (jsonb_populate_record(e, jsonb_build_object('id', 'other-' || n, 'code', 'O' || n))).*
    from events e, generate_series(1, ${OTHER_EVENTS}) n where e.id = '${event.id}'`,
  );
  for (let n = 1; n <= OTHER_EVENTS; n++) await insertRows(db, { id: `other-${n}` }, ROWS / OTHER_EVENTS);
  await runSql(db, 'analyze photos');
  await times();
  const many = await times();
  for (const [what, name] of [
    ['page', 'a page of the gallery'],
    ['zip', 'a ZIP’s first byte'],
  ] as const) {
    note(`${name}: ${round(few[what])} ms in a database of ${FEW_ROWS} photos, ${round(many[what])} ms of ${ROWS}`);
    promise(`${name} among ${ROWS} photos / among ${FEW_ROWS}`, many[what] / few[what], '<=', 1.5);
  }
  await last.kill();
  const began = performance.now();
  await last.restart();
  promise(`start of a node with ${ROWS} photos in the database (it lists no store)`, performance.now() - began, '<=', 2000, ' ms');
}

async function makeZip(host: Client, { code }: EventUnderTest): Promise<void> {
  await host.json('POST', `/api/events/${code}/create-zip`, undefined, 202);
  while ((await host.json<{ status: string }>('GET', `/api/events/${code}/zip-progress`)).status !== 'complete') await pause(20);
}

async function insertRows(db: Db, { id }: Pick<EventUnderTest, 'id'>, count: number): Promise<void> {
  await runSql(
    db,
    `insert into photos (id, event_id, device_hash, description, type, size, width, height, thumbnail_type, thumbnail_size, created_at, slideshow,
    fingerprint, position)
    select gen_random_uuid()::text, '${id}', '\\x00', '\\x00', 'image/jpeg', 4000000, 4000, 3000, 'image/webp', 20000, n, 1,
      decode(md5('${id}' || n), 'hex'), ${ZIP_PHOTOS} + n from generate_series(1, ${count}) n`,
  );
}

/** Median time to an answer's first byte, ms. */
async function waitMs(host: Client, { code }: EventUnderTest, path: (n: number) => string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < ASKED; n++) {
    const began = performance.now();
    const answer = await host.request(`/api/events/${code}/${path(n)}`);
    if (!answer.ok) throw new Error(`${path(n)} was answered ${answer.status}`);
    const reader = answer.body?.getReader();
    await reader?.read();
    times.push(performance.now() - began);
    while (!(await reader?.read())?.done);
  }
  return median(times);
}
