import { setTimeout as pause } from 'node:timers/promises';
import { createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from '../../e2e/support/api.ts';
import { missingForBalancer, startBalancer, type Cluster } from '../../e2e/support/cluster.ts';
import type { TestServer } from '../../e2e/support/server.ts';
import { sha256 } from '../../e2e/support/sha256.ts';
import { runSql } from '../../server/src/database/testing.ts';
import { backendOf } from '../support/processes.ts';
import { note, promise } from '../support/report.ts';

const CLIENTS = 16;
const STORE_AWAY_MS = 20_000;
const DATABASE_AWAY_MS = 3000;
const RETRY_MS = 100;

export type MakePhoto = (name: string) => Buffer;

/** Runs clients that send until they are answered, while each node is killed, the database fails twice and the store once. */
export async function benchOutages({ nodes, db, database, store }: Cluster, admin: Client, photo: MakePhoto): Promise<void> {
  // The tests' PostgreSQL runs with synchronous_commit=off, so a crash loses its last commits. Connections opened from here on wait for
  // the log.
  const [own] = await runSql<{ name: string }>(db, 'select current_database() as name');
  await runSql(db, `alter database ${own?.name} set synchronous_commit = on`);
  const event = await createEvent(admin);
  const device = await deviceOf((nodes[0] as TestServer).url);
  const answered = new Map<string, string>();
  let working = true;
  let sent = 0;
  const client = async (id: number): Promise<void> => {
    while (working) {
      const file = photo(`${sent++}`);
      for (let attempt = id; ; attempt++) {
        const { url } = nodes[attempt % nodes.length] as TestServer;
        // The connection may break after the headers of the answer.
        const stored = await upload({ url, code: event.code, device, file })
          .then(async (response) => (response.ok ? ((await response.json()) as { photo: { id: string } }) : void (await response.text())))
          .catch(() => undefined);
        if (stored) {
          answered.set(sha256(file), stored.photo.id);
          break;
        }
        await pause(RETRY_MS);
      }
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, id) => client(id));
  const host = await hostOf((nodes[0] as TestServer).url, event);
  for (const node of nodes) {
    await pause(1000);
    await node.restart();
  }

  const answers = async (): Promise<number> => {
    const back = performance.now();
    while (!(await host.request(`/api/events/${event.code}/photos`).catch(() => null))?.ok) await pause(20);
    return performance.now() - back;
  };
  database.silence();
  database.silenceNew(true);
  await pause(DATABASE_AWAY_MS);
  database.cut();
  database.silenceNew(false);
  const afterSilence = await answers();
  await crash(db);
  const afterCrash = await answers();

  store.silence();
  store.silenceNew(true);
  await pause(STORE_AWAY_MS);
  store.cut();
  store.silenceNew(false);
  await pause(3000);
  working = false;
  await Promise.all(clients);

  const stored = new Map<string, number>();
  for (const id of await photoIds(host, event)) {
    const hash = sha256(Buffer.from(await (await host.request(`/api/photos/${id}/download`)).arrayBuffer()));
    stored.set(hash, (stored.get(hash) ?? 0) + 1);
  }
  note(`${answered.size} photos of ${CLIENTS} clients; each node killed, the database away twice, the store for ${STORE_AWAY_MS / 1000} s`);
  promise('acknowledged photos lost', [...answered.keys()].filter((hash) => !stored.has(hash)).length, '<=', 0);
  promise('photos stored twice', [...stored.values()].filter((count) => count > 1).length, '<=', 0);
  promise('first right answer after the database was silent', afterSilence, '<=', 2000, ' ms');
  promise('first right answer after the database has crashed and started again', afterCrash, '<=', 2000, ' ms');
}

/**
 * Kills one of PostgreSQL's processes: the server then ends all connections, recovers from its log and starts again. Resolves when it has.
 */
async function crash(db: Cluster['db']): Promise<void> {
  const pid = await backendOf(db);
  if (pid === null) throw new Error('nobody is connected to the database');
  process.kill(pid, 'SIGKILL');
  const answers = async (): Promise<boolean> => (await runSql(db, 'select 1').catch(() => [])).length > 0;
  while (await answers()) await pause(1);
  while (!(await answers())) await pause(1);
}

async function photoIds(host: Client, { code }: EventUnderTest): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ;) {
    const page = await host.json<{ photos: { id: string }[]; next: number }>(
      'GET',
      `/api/events/${code}/photos?after=${after}&per_page=100`,
    );
    ids.push(...page.photos.map(({ id }) => id));
    if (page.photos.length < 100) return ids;
    after = page.next;
  }
}

/** Restarts all nodes one after the other under load, behind HAProxy. */
export async function benchRestarts({ nodes }: Cluster, admin: Client, photo: MakePhoto): Promise<void> {
  if (missingForBalancer.length > 0) return note(`skipped: ${missingForBalancer.join(', ')} missing`);
  const event = await createEvent(admin);
  const balancer = await startBalancer(nodes);
  const device = await deviceOf(balancer.url);
  let working = true;
  let failed = 0;
  let done = 0;
  const clients = Array.from({ length: CLIENTS / 2 }, async (_, id) => {
    for (let n = 0; working; n++) {
      const right = await upload({ url: balancer.url, code: event.code, device, file: photo(`${id}-${n}`) })
        .then(async (response) => (await response.arrayBuffer(), response.ok))
        .catch(() => false);
      if (!right) failed += 1;
      done += 1;
    }
  });
  for (const node of nodes) {
    await pause(500);
    await node.stop();
    await node.restart();
    await pause(500);
  }
  working = false;
  await Promise.all(clients);
  await balancer.stop();
  promise(`failed requests of ${done} while all nodes are restarted one after the other`, failed, '<=', 0);
}
