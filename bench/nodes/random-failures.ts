import { MINUTE } from '@feierbild/contract/constants.ts';
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
import { BOOTH_PASSWORD, checkBooth, runBooth } from './random-failures/booths.ts';
import { startBookings } from './random-failures/bookings.ts';
import { createEvents } from './random-failures/events.ts';
import { createFindings } from './random-failures/findings.ts';
import { openGallery, runGalleryGuest } from './random-failures/galleries.ts';
import { runGuest } from './random-failures/guests.ts';
import { runLogins, runHost } from './random-failures/hosts.ts';
import { startSystem, type System } from './random-failures/system.ts';
import { createLedger } from './random-failures/ledger.ts';
import { comes, checkLogs, checkPhotos, checkStores } from './random-failures/checks.ts';
import { cookieOf, askUntilAnswered, withJson, type ClientContext } from './random-failures/clients.ts';
import { createFaults } from './random-failures/faults.ts';
import { startWall } from './random-failures/wall.ts';
import { collectZips } from './random-failures/zips.ts';

const GUESTS = 4;
/** Guests who look at the gallery and give hearts. */
const GALLERY_GUESTS = 2;
/** Storage limit of the second event; its guest deletes own photos when it is full. */
const LIMIT_BYTES = 30_000_000;
/** Time after a fault within which everything works again. */
const RECOVERY_MS = 15_000;
/** Time after the last fault within which all clients finish. */
const END_MS = 120_000;
/** Longest wait until the slideshow is right: missed notices are found by a poll every 30 s. */
const WALL_MS = 40_000;
/** Most open files of an idle node: log, listeners, kept connections. */
const FILES = 200;

/**
 * Runs three nodes behind HAProxy that serve guests, hosts, a booth, a wall and a booking tool, and send webhooks and mail, while nodes,
 * lines, database and store fail at random; then checks everything that the service has promised. `BENCH_MINUTES` (30); `BENCH_SEED`
 * repeats the same faults.
 */
export async function benchRandomFailures(): Promise<void> {
  const missing = [...missingForCluster, ...missingForBalancer];
  if (missing.length > 0) return note(`skipped: ${missing.join(', ')} missing`);
  const minutes = Number(process.env.BENCH_MINUTES ?? 30);
  const seed = Number(process.env.BENCH_SEED ?? randomInt(1_000_000));
  note(`${minutes} minutes, BENCH_SEED=${seed}`);
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-soak-'));
  const findings = createFindings();
  const system = await startSystem(findings);
  try {
    await soak(system, { minutes, random: createRandom(seed), folder, findings });
  } finally {
    await system.dispose();
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

async function soak(system: System, { minutes, random, folder, findings }: Options): Promise<void> {
  const { balancer, cluster, nodes } = system;
  const faults = createFaults(system, random.fork(), findings);
  const ledger = createLedger(findings);
  const asker = createAsker({ url: balancer.url, findings, calmSince: faults.calmSince, recoveryMs: RECOVERY_MS });
  const { ask } = asker;
  let loaded = true;
  const context: ClientContext = { ask, ledger, findings, working: () => loaded, base: await drawPhoto(1, 300, 200) };
  const admin = cookieOf(await askUntilAnswered(ask, { kind: 'login', method: 'POST', path: '/auth/admin/login', ...withJson(ADMIN) }));
  const newDevice = (): Promise<string> => deviceOf(balancer.url).catch(newDevice);
  const events = createEvents(context, admin, newDevice);

  const main = await events.create();
  const limited = { ...(await events.create()), limited: true };
  await runSql(cluster.db, `update events set storage_limit = ${LIMIT_BYTES} where id = '${limited.id}'`);
  const booth = await events.create({ with_fotobox: true, fotobox_upload_password: BOOTH_PASSWORD });
  const [host, limitedHost, boothHost] = [await events.login(main), await events.login(limited), await events.login(booth)];
  const token = await openGallery(context, main, host);
  const projector = await events.login(main);
  const locked = await ask({
    kind: 'POST slideshow-lock',
    method: 'POST',
    path: `/api/events/${main.code}/slideshow-lock`,
    ...withJson({}, { cookie: projector }),
  });
  const wall = startWall(context, main, cookieOf(locked));
  const devices = await Promise.all(Array.from({ length: GUESTS + 1 + GALLERY_GUESTS }, newDevice));
  const [lookers, senders] = [devices.slice(0, GALLERY_GUESTS), devices.slice(GALLERY_GUESTS)];
  let written = new Set<string>();
  const bookings = await startBookings(context, system, admin, random.fork());
  const logins = [
    { path: '/auth/admin/login', body: ADMIN },
    { path: '/auth/user/login', body: { username: main.code, password: main.password } },
  ];
  printNodes(system);
  const clients = [
    ...senders.slice(1).map((device) => runGuest(context, { device, party: main }, random.fork())),
    runGuest(context, { device: senders[0] as string, party: limited }, random.fork()),
    ...lookers.map((device) => runGalleryGuest(context, main, token, device, random.fork())),
    runBooth(context, booth, random.fork()).then((all) => void (written = all)),
    runHost(context, main, host, random.fork()),
    runHost(context, limited, limitedHost, random.fork()),
    runLogins(context, logins, random.fork()),
    events.comeAndGo(random.fork()),
    bookings.run(),
    collectZips(context, limited, limitedHost, folder, random.fork()).then(({ whole }) => note(`${whole} whole ZIPs meanwhile`)),
  ];
  const done = Promise.all(clients).then(() => true);

  await faults.makeUntil(performance.now() + minutes * MINUTE);
  loaded = false;
  findings.say(`the load ends after ${faults.made()} faults`);
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

  findings.say('the checks');
  await bookings.check();
  await bookings.close();
  for (const [event, cookie] of [
    [main, host],
    [limited, limitedHost],
  ] as const)
    await checkPhotos(context, system, event, cookie, folder);
  await checkBooth(context, booth, boothHost, written);
  const blobs = createS3Store(cluster.bucket);
  await checkStores(context, system, blobs, [main, limited, booth], events.ended).finally(() => blobs.close());
  checkLogs(context, system);
  printAnswers(asker);
  printNodes(system);
  for (const node of nodes) promise(`open files of ${node.name} after it`, node.files(), '<=', FILES);
}

function printAnswers({ table }: Asker): void {
  for (const { kind, statuses, slowestMs } of table()) {
    const said = [...statuses].map(([status, times]) => `${times} × ${status === '0' ? 'none' : status}`).join(', ');
    note(`${kind}: ${said}; slowest ${(slowestMs / 1000).toFixed(1)} s`);
  }
}

function printNodes({ nodes }: System): void {
  note(nodes.map((node) => `${node.name}: ${(node.memory() / 1e6).toFixed(0)} MB, ${node.files()} files`).join('; '));
}
