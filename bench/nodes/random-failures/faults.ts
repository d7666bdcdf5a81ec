import { setTimeout as pause } from 'node:timers/promises';
import { runSql } from '../../../server/src/database/testing.ts';
import type { TcpProxy } from '../../../server/src/testing/tcp-proxy.ts';
import { backendOf, parentOf } from '../../support/processes.ts';
import type { Random } from '../../support/random.ts';
import type { Findings } from './findings.ts';
import type { System, Node } from './system.ts';

const SECOND = 1000;
/** The answer of a gateway whose store is overloaded. */
const BUSY_BODY =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>';
const BUSY = `HTTP/1.1 503 Slow Down\r\ncontent-type: application/xml\r\ncontent-length: ${BUSY_BODY.length}\r\nconnection: close\r\n\r\n${BUSY_BODY}`;
/** A part that a fault affects. Two faults at once must not affect the same one. */
type Target = 'database' | 'store' | 'balancer' | `node-${number}`;

interface Fault {
  name: string;
  targets: Target[];
  run(): Promise<void>;
}

/** Makes a fault. All makers are equally likely; some are listed twice. */
type Maker = (system: System, random: Random) => Fault;

const nodeFault =
  (name: string, run: (node: Node, random: Random) => Promise<void>): Maker =>
  ({ nodes }, random) => {
    const node = random.pick(nodes);
    return { name: `${node.name} ${name}`, targets: [node.name as Target], run: () => run(node, random) };
  };

async function away(node: Node, end: () => Promise<unknown>, random: Random, mostMs: number): Promise<void> {
  node.away = true;
  await end();
  await pause(random.between(0, mostMs));
  await node.bringBack();
}

/** Makes a line fail for some time. */
const lineFault =
  (target: 'database' | 'store', name: string, begin: (line: TcpProxy, random: Random) => void, mostMs: number): Maker =>
  ({ cluster }, random) => {
    const ms = random.between(mostMs / 10, mostMs);
    return {
      name: `${target} ${name} for ${(ms / SECOND).toFixed(1)} s`,
      targets: [target],
      async run() {
        const line = cluster[target];
        begin(line, random);
        await pause(ms);
        heal(line);
      },
    };
  };

/** Ends a line's fault. Open connections are cut, as after a failover. */
function heal(line: TcpProxy): void {
  line.silenceNew(false);
  line.cutAfter(null);
  line.slow(0);
  line.answer(null);
  line.cut();
}

const silence = (line: TcpProxy): void => {
  line.silence();
  line.silenceNew(true);
};
const tear = (line: TcpProxy, random: Random): void => line.cutAfter(() => random.between(0, 400_000));

const databaseFault =
  (name: string, run: (system: System, random: Random) => Promise<void>): Maker =>
  (system, random) => ({ name: `database ${name}`, targets: ['database'], run: () => run(system, random) });

const MAKERS: readonly Maker[] = [
  nodeFault('killed', (node, random) => away(node, () => node.server.kill(), random, 8 * SECOND)),
  nodeFault('killed', (node, random) => away(node, () => node.server.kill(), random, 8 * SECOND)),
  nodeFault('frozen', async ({ server }, random) => {
    server.process.kill('SIGSTOP');
    await pause(random.between(500, 12 * SECOND));
    server.process.kill('SIGCONT');
  }),
  nodeFault('ended (SIGTERM)', (node, random) => away(node, () => node.server.stop(), random, 3 * SECOND)),
  ({ nodes }, random) => ({
    name: 'all nodes are restarted one after the other',
    targets: nodes.map(({ name }) => name as Target),
    async run() {
      for (const node of nodes) await away(node, () => node.server.stop(), random, SECOND);
    },
  }),
  databaseFault('ends all connections', async ({ cluster }, random) => {
    for (let times = random.between(1, 3); times > 0; times--) {
      await runSql(
        cluster.db,
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      ).catch(() => undefined);
      await pause(random.between(0, SECOND));
    }
  }),
  databaseFault('crashes', async ({ cluster }) => {
    process.kill(await someBackendOf(cluster.db), 'SIGKILL');
  }),
  databaseFault('is restarted at once (SIGQUIT)', async ({ cluster }) => {
    const postmaster = parentOf(await someBackendOf(cluster.db));
    process.kill(postmaster, 'SIGQUIT');
    await cluster.restartDatabase();
  }),
  databaseFault('is restarted', ({ cluster }) => cluster.restartDatabase()),
  databaseFault('line is cut', async ({ cluster }) => cluster.database.cut()),
  lineFault('database', 'line is silent', silence, 15 * SECOND),
  lineFault('database', 'line is slow', (line, random) => line.slow(random.between(10, 250)), 12 * SECOND),
  lineFault('database', 'line is cut at random bytes', tear, 10 * SECOND),
  lineFault('store', 'is silent', silence, 20 * SECOND),
  lineFault('store', 'is slow', (line, random) => line.slow(random.between(10, 400)), 15 * SECOND),
  lineFault('store', 'answers 503', (line) => line.answer(BUSY), 15 * SECOND),
  lineFault('store', 'line is cut at random bytes', tear, 15 * SECOND),
  lineFault('store', 'line is cut at random bytes', tear, 15 * SECOND),
  ({ balancer }) => ({ name: 'HAProxy is restarted', targets: ['balancer'], run: () => balancer.restart() }),
];

/** Returns the process of one of the connections; asks until there is one. */
async function someBackendOf(db: System['cluster']['db']): Promise<number> {
  for (;;) {
    const pid = await backendOf(db).catch(() => null);
    if (pid !== null) return pid;
    await pause(100);
  }
}

/** Share of faults that come two at a time. */
const DOUBLE = 0.4;
const PAUSE_MOST_MS = 5 * SECOND;
/** Faults after which there is a calm. */
const BETWEEN_CALMS = 8;
const CALM_MS = 25 * SECOND;

export interface Faults {
  /** Returns the time since which no fault is active, ms since 1970; null: one is active. */
  calmSince(): number | null;
  /** Makes faults until an instant of performance.now(), and waits for their end. */
  makeUntil(instant: number): Promise<void>;
  /** Returns the number of faults made. */
  made(): number;
}

export function createFaults(system: System, random: Random, findings: Findings): Faults {
  let calmSince: number | null = Date.now();
  let made = 0;

  async function run(fault: Fault): Promise<void> {
    made += 1;
    findings.say(fault.name);
    await fault.run().catch((error: Error) => findings.add(`the bench could not make „${fault.name}“: ${error.message}`));
  }

  return {
    calmSince: () => calmSince,
    made: () => made,
    async makeUntil(instant) {
      for (let n = 1; performance.now() < instant; n++) {
        const first = random.pick(MAKERS)(system, random);
        let second = random.chance(DOUBLE) ? random.pick(MAKERS)(system, random) : null;
        if (second?.targets.some((target) => first.targets.includes(target))) second = null;
        calmSince = null;
        await Promise.all([run(first), second && pause(random.between(0, 3 * SECOND)).then(() => run(second))]);
        calmSince = Date.now();
        if (n % BETWEEN_CALMS === 0) findings.say('calm');
        await pause(n % BETWEEN_CALMS === 0 ? CALM_MS : random.between(200, PAUSE_MOST_MS));
      }
    },
  };
}
