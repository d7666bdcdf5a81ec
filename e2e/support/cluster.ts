import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../server/src/database/open.ts';
import { engines } from '../../server/src/database/testing.ts';
import type { S3Options } from '../../server/src/storage/s3-client.ts';
import { missingForS3, startS3, type TestS3 } from '../../server/src/storage/testing/s3.ts';
import { freePort } from '../../server/src/testing/system.ts';
import { tcpProxy, type TcpProxy } from '../../server/src/testing/tcp-proxy.ts';
import { startServer, type TestServer } from './server.ts';

const HAPROXY = ['/usr/sbin/haproxy', '/usr/bin/haproxy'].find((path) => existsSync(path));
const PROXY = join(import.meta.dirname, '../../deploy/proxy');
const postgres = engines().find(({ name }) => name === 'postgres');

/** Names of the programs that this machine lacks for a cluster. */
export const missingForCluster = [...(postgres ? [] : ['PostgreSQL']), ...missingForS3()];
export const missingForBalancer = HAPROXY ? [] : ['haproxy'];

/** Several nodes on one PostgreSQL and one S3 store, both behind proxies that can cause trouble. */
export interface Cluster {
  nodes: TestServer[];
  /** The database, without the proxy. */
  db: Db;
  databaseUrl: string;
  database: TcpProxy;
  store: TcpProxy;
  /** The store, without the proxy. */
  bucket: S3Options;
  /** Sets the nodes' quota in the store, bytes; null for none. Deletions always pass. */
  setQuota(bytes: number | null): Promise<void>;
  /** Restarts PostgreSQL itself. */
  restartDatabase(): Promise<void>;
  /** Returns the settings of a node with this name. */
  settingsOf(name: string): Record<string, string>;
  dispose(): Promise<void>;
}

interface ClusterOptions {
  /** Capacity of the store, bytes; by default more than a test sends. */
  storeBytes?: number;
  /** Lets the nodes reach database and store without the proxies, which use the same cores. */
  direct?: boolean;
}

/** Starts PostgreSQL, a store and `count` nodes, which end with `dispose`. */
export async function startCluster(
  count: number,
  settings: Record<string, string> = {},
  { storeBytes, direct = false }: ClusterOptions = {},
): Promise<Cluster> {
  await using owned = new AsyncDisposableStack();
  if (!postgres) throw new Error('no PostgreSQL');
  owned.defer(() => postgres.dispose());
  const db = await postgres.open();
  const s3: TestS3 = await startS3(undefined, storeBytes);
  owned.defer(() => s3.stop());
  const bucket = { bucket: 'photos', prefix: 'x/', endpoint: s3.endpoint, credentials: s3.credentials };
  await s3.createBucket(bucket.bucket);

  const databaseUrl = postgres.location(db).url as string;
  const url = new URL(databaseUrl);
  const database = await tcpProxy(Number(url.port));
  owned.defer(() => database.close());
  url.port = String(database.port);
  const store = await tcpProxy(Number(new URL(s3.endpoint).port));
  owned.defer(() => store.close());
  const settingsOf = (name: string): Record<string, string> => ({
    DATABASE_URL: direct ? databaseUrl : url.href,
    STORAGE_URL: `s3://${bucket.bucket}/x?endpoint=${direct ? s3.endpoint : `http://127.0.0.1:${store.port}`}`,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
    NODE_NAME: name,
    DECODERS: '1',
    ...settings,
  });
  const nodes: TestServer[] = [];
  for (let n = 0; n < count; n++) {
    nodes.push(await startServer(settingsOf(`node-${n + 1}`)));
    owned.defer(() => (nodes[n] as TestServer).dispose());
  }
  const kept = owned.move();
  return {
    nodes,
    db,
    databaseUrl,
    database,
    store,
    bucket,
    async setQuota(bytes) {
      const quota = (...args: string[]): Promise<void> => s3.admin('quota', ...args, '--quota-scope=bucket', '--uid=test');
      if (bytes !== null) await quota('set', `--max-size=${bytes}`);
      await quota(bytes === null ? 'disable' : 'enable');
    },
    restartDatabase: postgres.restart,
    settingsOf,
    dispose: () => kept.disposeAsync(),
  };
}

export interface Balancer {
  url: string;
  stop(): Promise<void>;
  /** Kills it and starts it again, so that all its connections are lost. */
  restart(): Promise<void>;
}

/** Starts HAProxy before nodes with the shipped file, except that it checks more often whether they are ready. */
export async function startBalancer(nodes: readonly TestServer[]): Promise<Balancer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-haproxy-'));
  const config = join(folder, 'haproxy.cfg');
  const shipped = await readFile(join(PROXY, 'haproxy.cfg'), 'utf8');
  const servers = nodes.map(({ url }, n) => `\tserver node${n} ${new URL(url).host}`).join('\n');
  const edited = shipped
    .replace(/bind :::443.*/, `bind 127.0.0.1:${port}`)
    .replace(/frontend plain\n(\t.*\n)+/, '')
    .replace(/\t(user|group) haproxy\n/g, '')
    .replaceAll('/etc/haproxy', PROXY)
    .replace('inter 1s fall 2', 'inter 200 fall 1')
    .replace(/(\tserver .*\n)+/, `${servers}\n`);
  await writeFile(config, edited);
  const url = `http://127.0.0.1:${port}`;
  const launch = (): ChildProcess => spawn(HAPROXY as string, ['-db', '-q', '-f', config], { stdio: 'ignore' });
  const answering = async (right: (answer: Response) => boolean): Promise<void> => {
    const deadline = Date.now() + 60_000;
    for (let answer: Response | null = null; !answer || !right(answer); answer = await fetch(`${url}/ready`).catch(() => null)) {
      if (Date.now() > deadline) throw new Error('haproxy does not answer');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  let haproxy = launch();
  await answering(({ ok }) => ok);
  const end = async (): Promise<void> => {
    const ended = new Promise((resolve) => haproxy.once('exit', resolve));
    haproxy.kill('SIGKILL');
    await ended;
  };
  return {
    url,
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
    async restart() {
      await end();
      haproxy = launch();
      // The nodes may be down, too.
      await answering(() => true);
    },
  };
}
