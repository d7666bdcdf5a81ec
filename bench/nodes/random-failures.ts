import { mkdtemp, rm } from 'node:fs/promises';
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deviceOf } from '../../e2e/support/api.ts';
import { missingForBalancer, missingForCluster } from '../../e2e/support/cluster.ts';
import { drawPhoto } from '../../e2e/support/photos.ts';
import { ADMIN } from '../../e2e/support/server.ts';
import { runSql } from '../../server/src/database/testing.ts';
import { createS3Store } from '../../server/src/storage/s3-store.ts';
import { createRandom, type Random } from '../support/random.ts';
import { note, promise } from '../support/report.ts';
import { createAsker, type Asker } from './random-failures/ask.ts';
import { createFeasts } from './random-failures/feasts.ts';
import { createFindings } from './random-failures/findings.ts';
import { beGuest } from './random-failures/guests.ts';
import { beForgetful, beHost } from './random-failures/hosts.ts';
import { openHouse, type House } from './random-failures/house.ts';
import { createLedger } from './random-failures/ledger.ts';
import { comes, reckonLogs, reckonPhotos, reckonStores } from './random-failures/reckoning.ts';
import { cookieOf, insist, withJson, type Stage } from './random-failures/stage.ts';
import { createTroubles } from './random-failures/troubles.ts';
import { startWall } from './random-failures/wall.ts';
import { beCollector } from './random-failures/zips.ts';

const MINUTE_MS = 60_000;
const GUESTS = 4;
/** Of the event whose guests take photos back when it is full. */
const LIMIT_BYTES = 30_000_000;
/** Within this time after a trouble everything works again. */
const RECOVERY_MS = 15_000;
/** Within this time after the last one everybody is done with what they had begun. */
const END_MS = 120_000;
/** The slow look at what was not heard comes every 30 s. */
const WALL_MS = 40_000;
/** Of one idle node: its log, listeners, and some connections that are kept. */
const FILES = 200;

/**
 * Three nodes behind HAProxy serve guests, hosts and a wall, while nodes, lines, database and store fail at random; then it is reckoned
 * what the service owes. `BENCH_MINUTES` (30), `BENCH_SEED`: the same troubles again.
 */
export async function benchRandomFailures(): Promise<void> {
  const missing = [...missingForCluster, ...missingForBalancer];
  if (missing.length > 0) return note(`skipped: ${missing.join(', ')} missing`);
  const minutes = Number(process.env.BENCH_MINUTES ?? 30);
  const seed = Number(process.env.BENCH_SEED ?? randomInt(1_000_000));
  note(`${minutes} minutes, BENCH_SEED=${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-soak-'));
  const findings = createFindings();
  const house = await openHouse(findings);
  try {
    await soak(house, { minutes, random: createRandom(seed), folder, findings });
  } finally {
    await house.dispose();
    await rm(folder, { recursive: true, force: true });
  }
  promise('broken promises', findings.count(), '<=', 0);
}

interface Options {
  minutes: number;
  random: Random;
  folder: string;
  findings: ReturnType<typeof createFindings>;
}

async function soak(house: House, { minutes, random, folder, findings }: Options): Promise<void> {
  const { balancer, cluster, nodes } = house;
  const troubles = createTroubles(house, random.fork(), findings);
  const ledger = createLedger(findings);
  const asker = createAsker({ url: balancer.url, findings, calmSince: troubles.calmSince, recoveryMs: RECOVERY_MS });
  const { ask } = asker;
  let loaded = true;
  const stage: Stage = { ask, ledger, findings, working: () => loaded, base: await drawPhoto(1, 300, 200) };
  const admin = cookieOf(await insist(ask, { kind: 'login', method: 'POST', path: '/auth/admin/login', ...withJson(ADMIN) }));
  const newDevice = (): Promise<string> => deviceOf(balancer.url).catch(newDevice);
  const feasts = createFeasts(stage, admin, newDevice);

  const main = await feasts.create();
  const limited = { ...(await feasts.create()), limited: true };
  await runSql(cluster.db, `update events set storage_limit = ${LIMIT_BYTES} where id = '${limited.id}'`);
  const [host, limitedHost] = [await feasts.login(main), await feasts.login(limited)];
  const projector = await feasts.login(main);
  const locked = await ask({
    kind: 'POST slideshow-lock',
    method: 'POST',
    path: `/api/events/${main.code}/slideshow-lock`,
    ...withJson({}, { cookie: projector }),
  });
  const wall = startWall(stage, main, cookieOf(locked));
  const devices = await Promise.all(Array.from({ length: GUESTS + 1 }, newDevice));
  const logins = [
    { path: '/auth/admin/login', body: ADMIN },
    { path: '/auth/user/login', body: { username: main.code, password: main.password } },
  ];
  printNodes(house);
  const clients = [
    ...devices.slice(1).map((device) => beGuest(stage, { device, party: main }, random.fork())),
    beGuest(stage, { device: devices[0] as string, party: limited }, random.fork()),
    beHost(stage, main, host, random.fork()),
    beHost(stage, limited, limitedHost, random.fork()),
    beForgetful(stage, logins, random.fork()),
    feasts.comeAndGo(random.fork()),
    beCollector(stage, limited, limitedHost, folder, random.fork()).then(({ whole }) => note(`${whole} whole ZIPs meanwhile`)),
  ];
  const done = Promise.all(clients).then(() => true);

  await troubles.makeUntil(performance.now() + minutes * MINUTE_MS);
  loaded = false;
  findings.say(`the load ends after ${troubles.made()} troubles`);
  let ended = false;
  void done.then(() => (ended = true));
  if (!(await comes(() => ended, END_MS))) findings.add('not all clients came to an end');
  for (const { name, server } of nodes) {
    const ready = async (): Promise<boolean> => (await fetch(`${server.url}/ready?deep=1`).catch(() => null))?.status === 200;
    if (!(await comes(ready))) findings.add(`${name} is not ready`);
  }

  const due = (): Set<string> =>
    new Set(
      ledger
        .acknowledged(main.id)
        .filter(({ deletion }) => deletion === 'none')
        .map(({ id }) => id as string),
    );
  const missed = (): number => wall.shows().symmetricDifference(due()).size;
  if (!(await comes(() => missed() === 0, WALL_MS))) findings.add(`the wall is wrong about ${missed()} of ${due().size} photos`);
  wall.end();
  await wall.ended;

  findings.say('reckoning');
  for (const [feast, cookie] of [
    [main, host],
    [limited, limitedHost],
  ] as const)
    await reckonPhotos(stage, house, feast, cookie, folder);
  const blobs = createS3Store(cluster.bucket);
  await reckonStores(stage, house, blobs, [main, limited], feasts.ended).finally(() => blobs.close());
  reckonLogs(stage, house);
  printAnswers(asker);
  printNodes(house);
  for (const node of nodes) promise(`open files of ${node.name} after it`, node.files(), '<=', FILES);
}

function printAnswers({ table }: Asker): void {
  for (const { kind, statuses, slowestMs } of table()) {
    const said = [...statuses].map(([status, times]) => `${times} × ${status === '0' ? 'none' : status}`).join(', ');
    note(`${kind}: ${said}; slowest ${(slowestMs / 1000).toFixed(1)} s`);
  }
}

function printNodes({ nodes }: House): void {
  note(nodes.map((node) => `${node.name}: ${(node.memory() / 1e6).toFixed(0)} MB, ${node.files()} files`).join('; '));
}
