import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { newPostgres } from '../server/src/database/testing.ts';
import { startS3 } from '../server/src/storage/testing/s3.ts';
import { freePorts } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, hostOf, upload } from './support/api.ts';
import { missingForCluster } from './support/cluster.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

const DEPLOY = join(import.meta.dirname, '../deploy');
const CADDY = '/usr/bin/caddy';
const missing = [...missingForCluster, ...(existsSync(CADDY) ? [] : ['caddy'])];
if (missing.length > 0) console.log(`skipped: the services of compose.yaml by hand; they need ${missing.join(', ')}`);

interface Service {
  environment: Record<string, string>;
  command: string[];
}

/** Runs the same programs without a container engine (Ceph in place of SeaweedFS), with the same settings except addresses. */
describe.skipIf(missing.length > 0)('the services of compose.yaml', () => {
  const owned = new AsyncDisposableStack();
  let nodes: TestServer[];
  let metrics: number[];
  let url: string;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-compose-'));
    owned.defer(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    const [databasePort = 0, proxyPort = 0, ...ports] = await freePorts(4);
    metrics = ports;
    // The values of the file `.env`.
    const chosen: Record<string, string> = {
      DOMAIN: `localhost:${proxyPort}`,
      DATABASE_PASSWORD: 'geheim-fuer-datenbank',
      STORAGE_SECRET: 'geheim-fuer-den-speicher',
      ADMIN_PASSWORD: ADMIN.password,
    };
    const text = readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8').replace(/\$\{(\w+):\?\}/g, (_, name: string) => chosen[name] ?? '');
    const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
    const { database, store, bucket, proxy } = services as Record<'database' | 'store' | 'bucket' | 'proxy', Service>;

    const postgres = newPostgres(join(folder, 'db'), databasePort);
    await postgres.initialise();
    await postgres.start();
    owned.defer(() => postgres.stop());
    const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD: password } = database.environment;
    const client = postgres.getPgClient();
    await client.connect();
    await client.query(`create role ${user} superuser login password '${password}'`);
    await client.query(`create database ${name} owner ${user}`);
    await client.end();

    const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = store.environment;
    const s3 = await startS3({ accessKeyId, secretAccessKey });
    owned.defer(() => s3.stop());
    await s3.createBucket(/s3\.bucket\.create -name (\w+)/.exec(bucket.command.join())?.[1] ?? '');

    const here = (value: string): string =>
      value
        .replace('@database/', `@127.0.0.1:${databasePort}/`)
        .replace('http://store:8333', s3.endpoint)
        .replace('172.30.0.0/24', '127.0.0.1');
    nodes = [];
    for (const [n, service] of [services.node1, services.node2].entries()) {
      const settings = Object.entries(service?.environment ?? {}).map(([key, value]) => [key, here(value)]);
      const node = await startServer({ ...Object.fromEntries(settings), METRICS_PORT: String(metrics[n]), LOG_LEVEL: 'info' });
      nodes.push(node);
      owned.defer(() => node.dispose());
    }

    await copyFile(join(DEPLOY, 'proxy/503.html'), join(folder, '503.html'));
    const [one = '', two = ''] = nodes.map((node) => new URL(node.url).host);
    const config = readFileSync(join(DEPLOY, 'proxy/compose.Caddyfile'), 'utf8')
      // These options keep Caddy away from this machine's ports and trusted certificates.
      .replace('{\n\tservers', '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tservers')
      .replace('node1:8080', one)
      .replace('node2:8080', two)
      .replace('/etc/caddy\n', `${folder}\n`);
    await writeFile(join(folder, 'Caddyfile'), config);
    let output = '';
    const caddy: ChildProcess = spawn(CADDY, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...proxy.environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    owned.defer(() => void caddy.kill('SIGKILL'));
    caddy.stderr?.on('data', (chunk) => (output += chunk));
    const root = join(folder, 'caddy/pki/authorities/local/root.crt');
    await vi.waitUntil(() => existsSync(root), { timeout: 60_000 }).catch(() => expect.fail(output));
    const trusted = getCACertificates('default');
    owned.defer(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, readFileSync(root, 'utf8')]);
    url = `https://${chosen.DOMAIN}`;
    const answers = () =>
      fetch(`${url}/ready?deep=1`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(answers, { timeout: 60_000 });
  }, 240_000);
  afterAll(() => owned.disposeAsync());

  it('serve together over https: what one node takes, both show', async () => {
    const event = await createEvent(await adminOf(url));
    const file = await drawPhoto(1);
    expect((await upload({ url, code: event.code, device: await deviceOf(url), file })).status).toBe(201);
    for (const node of nodes) {
      const host = await hostOf(node.url, event);
      const { photos } = await host.json<{ photos: { id: string }[] }>('GET', `/api/events/${event.code}/photos?after=0`);
      const photo = await host.request(`/api/photos/${photos[0]?.id}/download`);
      expect(Buffer.from(await photo.arrayBuffer()).equals(file)).toBe(true);
    }
    const page = await fetch(`${url}/join`);
    expect([page.status, page.headers.get('strict-transport-security') !== null]).toEqual([200, true]);
  });

  it('are asked for their metrics node by node; the totals of the database are on one of them', async () => {
    const texts = await Promise.all(metrics.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
    for (const [n, text] of texts.entries()) {
      expect(text).toContain(`feierbild_build_info{node="node${n + 1}"} 1`);
      for (const name of ['database', 'store']) expect(text).toContain(`feierbild_dependency_up{dependency="${name}"} 1`);
    }
    // The metric is missing, because no open page waits for a node's news.
    for (const text of texts) expect(text).not.toMatch(/^feierbild_notices_up /m);
    expect(texts.filter((text) => /^feierbild_photos \d+$/m.test(text))).toHaveLength(1);
  });

  it('name each request, so that a guest’s failed upload is found in the log of the node that had it', async () => {
    const refused = await upload({ url, code: 'ZZZZZZZZ', device: await deviceOf(url), file: await drawPhoto(2) });
    const id = refused.headers.get('x-request-id') ?? 'none';
    const lines = (): string[] => nodes.flatMap((node) => node.output().split('\n')).filter((line) => line.includes(id));
    await expect.poll(lines).toHaveLength(1);
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ node: expect.stringMatching(/^node[12]$/), route: '/upload', status: 404 });
  });
});
