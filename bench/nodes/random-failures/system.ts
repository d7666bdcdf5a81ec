import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startBalancer, startCluster, type Balancer, type Cluster } from '../../../e2e/support/cluster.ts';
import { startServer, type TestServer } from '../../../e2e/support/server.ts';
import { runSql } from '../../../server/src/database/testing.ts';
import { openMailbox, type Mailbox } from '../../../server/src/features/mail/testing/mailbox.ts';
import type { Findings } from './findings.ts';

const NODES = 3;
/** Memory of the store, for half an hour's uploads. */
const STORE_BYTES = 6 * 1024 ** 3;
const POLL_MS = 500;
/** Pause before a service manager tries again. */
const RESTART_MS = 500;
const SETTINGS = {
  STORAGE_TIMEOUT: '5',
  SHUTDOWN_DELAY: '5',
  SHUTDOWN_TIMEOUT: '20',
  PUBLIC_URL: 'http://fotos.example',
  MAIL_FROM: 'feier@example.org',
  WEBHOOK_PRIVATE: 'on',
};

export interface Node {
  name: string;
  server: TestServer;
  /** The bench has ended this node. */
  away: boolean;
  /** Starts the node until it serves, like a service manager: its database may be away. */
  bringBack(): Promise<void>;
  /** Returns the resident memory of the main process, bytes. */
  memory(): number;
  /** Returns the number of open files and sockets of the main process. */
  files(): number;
}

export interface System {
  cluster: Cluster;
  nodes: Node[];
  balancer: Balancer;
  /** Mail server of the nodes. */
  mailbox: Mailbox;
  dispose(): Promise<void>;
}

/** Starts three nodes behind HAProxy, whose PostgreSQL waits for its log at each commit. */
export async function startSystem(findings: Findings): Promise<System> {
  await using owned = new AsyncDisposableStack();
  const mailbox = await openMailbox();
  owned.defer(() => mailbox.close());
  const cluster = await startCluster(0, { ...SETTINGS, SMTP_URL: `smtp://127.0.0.1:${mailbox.port}` }, { storeBytes: STORE_BYTES });
  owned.defer(() => cluster.dispose());
  const [own] = await runSql<{ name: string }>(cluster.db, 'select current_database() as name');
  await runSql(cluster.db, `alter database ${own?.name} set synchronous_commit = on`);
  const nodes: Node[] = [];
  for (let n = 1; n <= NODES; n++) {
    const name = `node-${n}`;
    const server = await startServer(cluster.settingsOf(name));
    owned.defer(() => server.dispose());
    nodes.push(nodeOf(name, server, findings));
  }
  const balancer = await startBalancer(nodes.map(({ server }) => server));
  owned.defer(() => balancer.stop());
  const watch = setInterval(() => {
    for (const node of nodes) {
      const { exitCode, signalCode } = node.server.process;
      if (node.away || (exitCode === null && signalCode === null)) continue;
      node.away = true;
      findings.add(`${node.name} ended by itself: ${exitCode ?? signalCode}`);
      void node.bringBack();
    }
  }, POLL_MS);
  owned.defer(() => clearInterval(watch));
  const kept = owned.move();
  return { cluster, nodes, balancer, mailbox, dispose: () => kept.disposeAsync() };
}

function nodeOf(name: string, server: TestServer, findings: Findings): Node {
  const node: Node = {
    name,
    server,
    away: false,
    async bringBack() {
      for (let back = false; !back;) {
        back = await server.restart().then(
          () => true,
          (error: Error) => {
            const [first = ''] = error.message.split('\n');
            // EX_TEMPFAIL: the database does not answer.
            if (!/ended with 75\b/.test(first)) findings.add(`${name} did not start: ${first}`);
            return false;
          },
        );
        if (!back) await pause(RESTART_MS);
      }
      node.away = false;
    },
    memory: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    files: () => readdirSync(`/proc/${server.process.pid}/fd`).length,
  };
  return node;
}
