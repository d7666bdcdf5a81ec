import { randomBytes } from 'node:crypto';
import { adminOf, createEvent, hostOf, LONG_OVER, upload, type Client, type EventUnderTest } from '../../e2e/support/api.ts';
import { cli } from '../../e2e/support/cli.ts';
import { drawPhoto } from '../../e2e/support/photos.ts';
import { startServer } from '../../e2e/support/server.ts';
import { tusDevice } from '../../e2e/support/tus.ts';
import { openSession } from '../../server/src/database/postgres.ts';
import { freePort } from '../../server/src/testing/system.ts';
import { makeZip, type TestDatabase } from './databases.ts';

/** Rows that expire within an hour at the peak of docs/scale.md. */
const ENDED = 500_000;

/** Makes the rows of a service's busiest hour expire, for the retention to remove. */
export async function endMuch(url: string): Promise<void> {
  const client = await openSession(url);
  await client.query('set session_replication_role = replica; set auto_explain.log_min_duration = -1');
  await client.query(`update uploads set expires_at = 1 where id in (select id from uploads where photo_id is not null limit ${ENDED})`);
  await client.query(`update changes set at = 1 where (event_id, seq) in (select event_id, seq from changes limit ${ENDED})`);
  await client.query('update leases set ran_at = null');
  await client.query('vacuum (analyze) uploads, changes');
  await client.end();
}

/**
 * Makes every call of guests, hosts, walls and administrators that queries the database, reads the metrics, and runs the retention with a
 * purge. Returns the time of that run, ms.
 */
export async function exercise(database: TestDatabase): Promise<number> {
  const metricsPort = await freePort();
  const node = await startServer({ ...database.settings, METRICS_PORT: String(metricsPort) });
  try {
    const { url } = node;
    const { code } = database.event;
    const admin = await adminOf(url);
    const host = await hostOf(url, database.event);
    const headers = { 'device-id': database.device };
    const ok = async (client: Client, path: string, init?: RequestInit): Promise<Response> => {
      const response = await client.request(path, init);
      if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
      return response;
    };
    const api = `/api/events/${code}`;
    const at = (query: string): Promise<Response> => ok(host, `${api}/${query}`);
    for (const query of ['page=1', 'page=40&per_page=100', 'page=40&per_page=100&sort=newest', 'after=0', 'after=2500&per_page=100'])
      await (await at(`photos?${query}`)).text();
    const show = (await (await at('slideshow?after=0')).json()) as { seq: number };
    for (const query of ['after=2500&per_page=100', '']) await (await at(`slideshow?${query}`)).text();
    for (const path of ['', '/settings', '/stats', '/zip-progress', '/has-password']) await ok(host, api + path);
    const live = new AbortController();
    await ok(host, `${api}/live?last=${show.seq}`, { signal: live.signal });

    // A guest's calls.
    const base = await drawPhoto(2, 300, 200);
    const photo = (): Buffer => Buffer.concat([base, randomBytes(8)]);
    for (let n = 0; n < 3; n++) await upload({ url, code, device: database.device, file: photo() });
    const mine = (await (await ok(host, `${api}/my-photos`, { headers })).json()) as { photos: { id: string }[] };
    const fingerprints = Array.from({ length: 100 }, () => randomBytes(32).toString('base64url'));
    const json = { ...headers, 'content-type': 'application/json' };
    await ok(host, `${api}/known`, { method: 'POST', headers: json, body: JSON.stringify({ fingerprints }) });
    await ok(host, `/event/${code}`);
    const tus = tusDevice(database.device);
    const location = (await tus.create(url, code, 200_000)).headers.get('location') as string;
    await tus.append(url + location, 0, Buffer.alloc(100_000));
    await tus.offset(url + location);

    // The host's calls for a photo.
    const id = mine.photos[0]?.id as string;
    for (const rendition of ['thumbnail', 'preview', 'download']) await (await ok(host, `/api/photos/${id}/${rendition}`)).arrayBuffer();
    const link = (await (await ok(host, `/api/photos/${id}/link`, { method: 'POST' })).json()) as { download_url: string };
    await (await ok(host, link.download_url.replace('/download/', '/api/photos/temp_download/'))).arrayBuffer();
    await ok(host, `/api/photos/${id}/slideshow`, { method: 'PUT', headers: json, body: JSON.stringify({ value: false }) });
    await (await at(`slideshow?seq=${show.seq}`)).text();
    const chosen = mine.photos.slice(0, 2).map((each) => each.id);
    const selection = await ok(host, `${api}/selections`, { method: 'POST', headers: json, body: JSON.stringify({ photos: chosen }) });
    await (await ok(host, ((await selection.json()) as { download_url: string }).download_url)).arrayBuffer();
    await ok(host, `/api/photos/${id}`, { method: 'DELETE' });

    // The administration's calls: events come and go.
    const made = async (form: Record<string, unknown> = {}): Promise<EventUnderTest> => {
      const event = await createEvent(admin, form);
      for (let n = 0; n < 3; n++) await upload({ url, code: event.code, device: database.device, file: photo() });
      return event;
    };
    const small = await made();
    const its = await hostOf(url, small);
    await makeZip(its, small);
    await (await ok(its, `/api/events/${small.code}/download`)).arrayBuffer();
    for (const path of ['/admin/events', '/admin/audit', '/admin/status', '/admin/reports', '/admin/admins'])
      await (await ok(admin, path)).text();
    await ok(admin, `/admin/events/${small.id}`, { method: 'DELETE' });
    await made({ ...LONG_OVER, is_active: true });
    for (let n = 0; n < 2; n++) await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    live.abort();
    for (const command of [
      ['audit', '--event', code],
      ['photo', 'list', '--event', code],
    ])
      await cli(node, command);
  } finally {
    await node.stop();
  }
  return retention(database);
}

/** Measures a node's run of the retention, within its own time limits. */
async function retention(database: TestDatabase): Promise<number> {
  await endMuch(database.url);
  const began = performance.now();
  const node = await startServer({ ...database.settings, LOG_LEVEL: 'info' });
  const client = await openSession(database.url);
  try {
    for (;;) {
      const { rows } = await client.query<{ ran: boolean }>(
        `select ran_at is not null and expires_at = 0 as ran from leases where name = 'retention'`,
      );
      if (rows[0]?.ran) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    if (node.output().includes('retention failed')) throw new Error(node.output());
    return performance.now() - began;
  } finally {
    await client.end();
    await node.stop();
  }
}
