import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createEvent, deviceOf, upload, type Client } from '../../e2e/support/api.ts';
import type { Cluster } from '../../e2e/support/cluster.ts';
import { startServer } from '../../e2e/support/server.ts';
import { runSql } from '../../server/src/database/testing.ts';
import { parentOf, treeCpuMs } from '../support/processes.ts';
import { note, promise, round } from '../support/report.ts';
import type { MakePhoto } from './outages.ts';

const COUNTED_UPLOADS = 200;

/**
 * Measures the database's cost of an upload from the guest's page, with its preview: round trips of the node, and CPU of PostgreSQL's
 * processes. Other queries are left out: news for open pages, which are gathered, at most four a second for an event, and queries of an
 * idle node in the same time.
 */
export async function benchDatabaseShare({ databaseUrl, db }: Cluster, admin: Client, photo: MakePhoto): Promise<void> {
  const counter = await countRoundTrips(Number(new URL(databaseUrl).port));
  const url = new URL(databaseUrl);
  url.port = String(counter.port);
  const node = await startServer({ DATABASE_URL: url.href, DATABASE_POOL: '2' });
  const { id, code } = await createEvent(admin);
  const device = await deviceOf(node.url);
  const send = async (name: string): Promise<void> => {
    const response = await upload({ url: node.url, code, device, file: photo(name) });
    if (response.status !== 201) throw new Error(`an upload was answered ${response.status}`);
  };
  const previews = async (): Promise<void> => {
    const missing = `select id from photos where event_id = '${id}' and preview_size is null`;
    while ((await runSql(db, missing)).length > 0) await pause(100);
  };
  for (let n = 0; n < 20; n++) await send(`first ${n}`);
  await previews();
  const [server] = await runSql<{ pid: number }>(db, 'select pg_backend_pid() as pid');
  const postgres = parentOf(server?.pid ?? 0);
  const [before, cpuBefore, began] = [counter.roundTrips(), treeCpuMs(postgres), performance.now()];
  for (let n = 0; n < COUNTED_UPLOADS; n++) await send(`counted ${n}`);
  await previews();
  const [after, cpuAfter] = [counter.roundTrips(), treeCpuMs(postgres)];
  await pause(performance.now() - began);
  const ofNode = counter.roundTrips() - after;
  note(`round trips of a node without uploads in ${round((performance.now() - began) / 2000)} s: ${ofNode}`);
  await node.dispose();
  counter.close();
  promise('round trips to the database of an upload, with its preview', (after - before - ofNode) / COUNTED_UPLOADS, '<=', 4);
  promise('database’s CPU of an upload, with its preview', (cpuAfter - cpuBefore) / COUNTED_UPLOADS, '<=', 3, ' ms');
}

/** Starts a TCP proxy before PostgreSQL that counts round trips: each time a client sends again after an answer, except to notify. */
async function countRoundTrips(target: number): Promise<{ port: number; roundTrips(): number; close(): void }> {
  let roundTrips = 0;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let answered = true;
    near.on('data', (bytes) => {
      if (answered && !bytes.includes('pg_notify')) roundTrips += 1;
      answered = false;
    });
    far.on('data', () => (answered = true));
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { port: (server.address() as AddressInfo).port, roundTrips: () => roundTrips, close: () => void server.close() };
}
