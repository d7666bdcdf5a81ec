import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { BACKUP_LATE, HOUR } from '@feierbild/contract/constants.ts';
import { readConfig } from '../server/src/config/config.ts';
import { Settings } from '../server/src/config/settings.ts';
import { freePort } from '../server/src/testing/system.ts';
import { adminOf, cookieOf, createClient, createEvent, deviceOf, hostOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { ADMIN, startServer, type TestServer } from './support/server.ts';

/** Pause between two requests, which leaves proxy and nodes their share of the processor. */
const ASK_PAUSE_MS = 20;
const DEPLOY = join(import.meta.dirname, '../deploy');
const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** Finds an installed program. Returns null if it is missing, and logs that its tests are skipped. */
function program(name: string): string | null {
  const path = ['/usr/bin', '/usr/sbin'].map((folder) => join(folder, name)).find((file) => existsSync(file));
  if (!path) console.log(`skipped: files of deploy/ for ${name}; it is not installed`);
  return path ?? null;
}
const [caddy, haproxy, promtool, systemd, apparmor] = ['caddy', 'haproxy', 'promtool', 'systemd-analyze', 'apparmor_parser'].map(program);

/** Makes an operator's changes to a file; expects each text exactly once. */
function edit(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((before, [from, to]) => {
    expect(before.split(from), from).toHaveLength(2);
    return before.replace(from, to);
  }, text);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feierbild-deploy-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!systemd)('the systemd units', () => {
  it('are understood, and leave little open', async () => {
    const units = await readdir(join(DEPLOY, 'systemd'));
    for (const name of units) {
      // `verify` needs existing programs and users.
      const text = read(`systemd/${name}`).replaceAll('/opt/feierbild/bin/feierbild', '/bin/true').replaceAll('=feierbild\n', '=root\n');
      await writeFile(join(folder, name), text);
    }
    const paths = units.map((name) => join(folder, name));
    const verified = spawnSync(systemd ?? '', ['verify', ...paths], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    for (const path of paths.filter((name) => name.endsWith('.service'))) {
      // The threshold is on a scale to 100, which means no protection at all.
      const safe = spawnSync(systemd ?? '', ['security', '--offline=true', '--threshold=32', '--no-pager', path], { encoding: 'utf8' });
      expect(safe.status, safe.stdout).toBe(0);
    }
  });
});

/** Threads of a working decoder, measured, with bubblewrap's own process. V8 starts at most four of them for its own work. */
const THREADS_PER_DECODER = 14;
/** Threads of the server, of the decoders for HEIC and videos, and of processes that end while their successors start. */
const THREADS_OF_SERVER = 80;

/** Reads a unit's settings; if one repeats, the last one counts. */
const settingsOf = (unit: string): Record<string, string> =>
  Object.fromEntries([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

const guide = readFileSync(join(DEPLOY, '../docs/benutzung/betreiber.md'), 'utf8');
const units = [read('systemd/feierbild.service'), /```ini\n(\[Unit\][^`]*)```/.exec(guide)?.[1] ?? ''].map(settingsOf);

it('both units of the service tell only the service to end, and give it the time that it takes at most', () => {
  const result = readConfig({ DATA_DIR: folder });
  if ('mistakes' in result) return expect.fail(result.mistakes.join('\n'));
  const { shutdownDelayMs, shutdownTimeoutMs } = result.config;
  for (const { KillMode, TimeoutStopSec } of units) {
    expect(KillMode).toBe('mixed');
    expect(Number(TimeoutStopSec) * 1000).toBeGreaterThan(shutdownDelayMs + shutdownTimeoutMs);
  }
});

it('units and containers leave room for the threads of a decoder on each of 64 cores', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, { pids_limit?: number }> };
  const limits = [...units.map(({ TasksMax }) => Number(TasksMax)), services.node1?.pids_limit, services.node2?.pids_limit];
  for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(64 * THREADS_PER_DECODER + THREADS_OF_SERVER);
});

describe.skipIf(!caddy && !haproxy)('a proxy in front of two nodes', () => {
  let nodes: TestServer[];
  let proxy: ChildProcess | null = null;
  let url: string;
  let output: string;

  beforeEach(async () => {
    const settings = { TRUST_PROXY: '127.0.0.1', SHUTDOWN_DELAY: '4', LOG_LEVEL: 'info' };
    nodes = await Promise.all([0, 1].map(() => startServer(settings)));
    url = `http://127.0.0.1:${await freePort()}`;
    output = '';
    await copyFile(join(DEPLOY, 'proxy/503.html'), join(folder, '503.html'));
  });
  afterEach(async () => {
    proxy?.kill('SIGKILL');
    proxy = null;
    await Promise.all(nodes.map((node) => node.dispose()));
  });
  const hosts = (): string[] => nodes.map((node) => new URL(node.url).host);

  async function start(command: string, args: string[]): Promise<void> {
    proxy = spawn(command, args, {
      env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    proxy.stdout?.on('data', (chunk) => (output += chunk));
    proxy.stderr?.on('data', (chunk) => (output += chunk));
    const answers = () =>
      fetch(`${url}/health`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect
      .poll(answers)
      .toBe(200)
      .catch((cause: unknown) => {
        throw new Error(output, { cause });
      });
  }

  const startCaddy = async (): Promise<void> => {
    const config = join(folder, 'Caddyfile');
    const [one = '', two = ''] = hosts();
    await writeFile(
      config,
      edit(read('proxy/Caddyfile'), {
        'fotos.ihre-domain.de': url,
        '{\n\tservers': '{\n\tadmin off\n\tservers',
        '10.0.0.11:8080': one,
        '10.0.0.12:8080': two,
        '/etc/caddy\n': `${folder}\n`,
      }),
    );
    await start(caddy ?? '', ['run', '--config', config, '--adapter', 'caddyfile']);
  };

  const startHaproxy = async (edits: Record<string, string> = {}): Promise<void> => {
    const config = join(folder, 'haproxy.cfg');
    const [one = '', two = ''] = hosts();
    await writeFile(
      config,
      edit(read('proxy/haproxy.cfg').replaceAll('/etc/haproxy/', `${folder}/`), {
        [`:::443 v4v6 ssl crt ${folder}/certs/ alpn h2,http/1.1`]: new URL(url).host,
        ':::80 v4v6\n': `127.0.0.1:${await freePort()}\n`,
        '\tuser haproxy\n\tgroup haproxy\n': '',
        '10.0.0.11:8080': one,
        '10.0.0.12:8080': two,
        ...edits,
      }),
    );
    expect(spawnSync(haproxy ?? '', ['-c', '-f', config], { encoding: 'utf8' })).toMatchObject({ status: 0 });
    await start(haproxy ?? '', ['-f', config]);
  };

  it.skipIf(!haproxy)('HAProxy ends what a node holds that fell silent, and nothing of one that ends by itself', async () => {
    await startHaproxy({ 'timeout check 5s': 'timeout check 1s' });
    const [silent, leaving] = nodes as [TestServer, TestServer];
    const event = await createEvent(await adminOf(silent.url));
    const headers = { cookie: cookieOf(await hostOf(silent.url, event)) };
    const stream = async () => {
      const answer = await fetch(`${url}/api/events/${event.code}/live`, { headers });
      // The other node does not know this login.
      return answer.status === 200 ? answer : null;
    };
    const held = (await vi.waitUntil(stream, { timeout: 60_000 })).text().then(
      () => 'ended',
      () => 'cut',
    );
    silent.process.kill('SIGSTOP');
    expect(await held).toBe('cut');

    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const answer = text(socket);
    const body = JSON.stringify({ ...ADMIN, password: 'ein-falsches-Kennwort' });
    const head = ['POST /auth/admin/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Sec-Fetch-Site: same-origin'];
    socket.write(`${[...head, 'Connection: close', `Content-Length: ${body.length}`, '', body[0]].join('\r\n')}`);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const ended = leaving.stop();
    // This answer shows that HAProxy knows that the node is ending.
    await expect.poll(async () => (await fetch(`${url}/health`)).status).toBe(503);
    socket.write(body.slice(1));
    expect(await answer).toMatch(/^HTTP\/1.1 401 /);
    expect(await ended).toBe(0);
    silent.process.kill('SIGCONT');
  });

  const proxies = [
    ['Caddy', startCaddy, !caddy],
    ['HAProxy', startHaproxy, !haproxy],
  ] as const;
  for (const [name, startProxy, lacks] of proxies) {
    it.skipIf(lacks)(`${name} serves from both, loses no request while one ends, and speaks German when none is there`, async () => {
      await startProxy();
      const [staying, leaving] = nodes as [TestServer, TestServer];
      // These nodes share no database, so that their answers differ.
      const event = await createEvent(await adminOf(staying.url));
      const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await fetch(`${url}/event/${event.code}`)).status));
      expect([...new Set(statuses)].sort()).toEqual([200, 404]);
      // All requests for a booth's folder reach one node, because only that node knows it.
      for (const password of ['eins', 'zwei', 'drei']) {
        const headers = { authorization: `Basic ${Buffer.from(`${event.code}:${password}`).toString('base64')}` };
        const asked = async () => (await fetch(`${url}/dav/${event.code}/`, { headers })).status;
        expect(new Set(await Array.fromAsync({ length: 8 }, asked)).size).toBe(1);
      }

      // One node ends as systemd would end it, while guests go on.
      const ended = leaving.stop();
      let isOver = false;
      void ended.then(() => (isOver = true));
      const during: number[] = [];
      while (!isOver) {
        during.push((await fetch(`${url}/health`)).status);
        await pause(ASK_PAUSE_MS);
      }
      expect([...new Set(during)]).toEqual([200]);
      expect(await ended).toBe(0);

      const device = await deviceOf(url);
      const file = await drawPhoto(1, 1200, 900);
      expect((await upload({ url, code: event.code, device, file })).status).toBe(201);

      // The proxy replaces a guest's request id, so that a request can be told from others in the log.
      const named = { 'x-request-id': 'name-of-a-stranger', traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
      const id = (await fetch(`${url}/join`, { headers: named })).headers.get('x-request-id');
      await expect.poll(() => staying.output()).toContain(`"reqId":"${id}"`);
      expect(staying.output()).not.toMatch(/name-of-a-stranger|4bf92f3577b34da6/);

      // A forged X-Forwarded-For has no effect: failed logins count for the address that the proxy saw.
      const forged = { 'x-forwarded-for': '203.0.113.7', 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
      const body = JSON.stringify({ ...ADMIN, password: 'ein-falsches-Kennwort' });
      for (let n = 0; n < 11; n++) await fetch(`${url}/auth/admin/login`, { method: 'POST', headers: forged, body });
      const elsewhere = createClient(staying.url);
      const answer = await elsewhere.request('/auth/admin/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(429);

      await staying.kill();
      const none = async () => {
        const response = await fetch(`${url}/join`);
        return [response.status >= 502, response.headers.get('retry-after'), /Gleich wieder da/.test(await response.text())];
      };
      await expect.poll(none).toEqual([true, '10', true]);
    });
  }
});

it.skipIf(!caddy)(
  'Caddy as the guide sets it up speaks German while the service is away, and notes nothing of who asked for what',
  async () => {
    const [, block = ''] = /Caddyfile`:\n\n```\n([^`]*)```/.exec(guide) ?? [];
    const [port, away] = [await freePort(), await freePort()];
    const config = join(folder, 'guide.Caddyfile');
    const changes = {
      '{\n\tlog {': '{\n\tadmin off\n\tlog {',
      'fotos.ihre-domain.de': `http://127.0.0.1:${port}`,
      '127.0.0.1:8080': `127.0.0.1:${away}`,
      '/etc/caddy\n': `${join(DEPLOY, 'proxy')}\n`,
    };
    await writeFile(config, edit(block, changes));
    const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const proxy = spawn(caddy ?? '', ['run', '--config', config, '--adapter', 'caddyfile'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const noted = text(proxy.stderr);
    const asked = () => fetch(`http://127.0.0.1:${port}/event/K7MQ2XWA?password=geheim`).catch(() => null);
    const answer = await vi.waitUntil(asked, { timeout: 60_000 });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '10']);
    expect(await answer.text()).toContain('Gleich wieder da');
    proxy.kill();
    expect(await noted).not.toMatch(/K7MQ2XWA|geheim|remote_ip/);
  },
);

it('nginx as the guide sets it up keeps no log of requests', () => {
  const [, block = ''] = /```nginx\n([^`]*)```/.exec(guide) ?? [];
  expect(block).toMatch(/^access_log off;\nerror_log \/dev\/null crit;$/m);
});

it.skipIf(!caddy)('Caddy takes the file as it stands, and the one of compose.yaml is the same but for domain and nodes', () => {
  for (const name of ['Caddyfile', 'compose.Caddyfile']) {
    const validated = spawnSync(caddy ?? '', ['validate', '--adapter', 'caddyfile', '--config', join(DEPLOY, 'proxy', name)], {
      encoding: 'utf8',
      env: { HOME: folder, DOMAIN: 'fotos.example' },
    });
    expect(validated.status, validated.stderr).toBe(0);
  }
  const bare = (name: string): string => read(`proxy/${name}`).replace(/^#.*\n/gm, '');
  const edited = edit(bare('Caddyfile'), {
    'fotos.ihre-domain.de': '{$DOMAIN}',
    '10.0.0.11:8080 10.0.0.12:8080': 'node1:8080 node2:8080',
  });
  expect(bare('compose.Caddyfile')).toBe(edited);
});

describe('compose.yaml', () => {
  interface Service {
    environment: Record<string, string>;
    volumes?: string[];
    read_only?: boolean;
    user?: string;
    stop_grace_period?: string;
    ports?: string[];
    security_opt?: string[];
  }
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const nodes = Object.entries(services).filter(([name]) => name.startsWith('node'));

  it('gives each node settings that the product knows and takes', () => {
    expect(nodes.map(([name]) => name)).toEqual(['node1', 'node2']);
    for (const [name, { environment }] of nodes) {
      expect(Object.keys(environment).filter((setting) => !(setting in Settings.shape))).toEqual([]);
      const filled = Object.entries(environment).map(([key, value]) => [key, value.replace(/\$\{(\w+):\?\}/g, 'ein-langes-Geheimnis-1')]);
      const result = readConfig({ ...Object.fromEntries(filled), DATA_DIR: folder });
      expect('mistakes' in result ? result.mistakes : result.warnings.filter((line) => !line.includes('BUSINESS_FILE'))).toEqual([]);
      if ('config' in result) expect(result.config.nodeName).toBe(name);
    }
  });

  it('gives the nodes an AppArmor profile that is shipped, says how to load it, and lets the decoders’ sandbox mount', () => {
    for (const [, { security_opt: options = [] }] of nodes) {
      const name = options.find((option) => option.startsWith('apparmor='))?.split('=')[1] ?? 'docker-default';
      const profile = read(`apparmor/${name}`);
      expect(profile).toContain(`\nprofile ${name} `);
      for (const rule of ['mount', 'umount', 'pivot_root']) expect(profile).toContain(`\n  ${rule},\n`);
      // Debian 12 does not know newer rules; rules 3.0 know no user namespaces, so none is denied.
      expect(profile).toContain('\nabi <abi/3.0>,\n');
      for (const file of ['compose.yaml', 'Containerfile']) expect(read(file)).toContain(`apparmor/${name}`);
    }
  });

  it('lets in nobody whose address the engine would replace by its own', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    // The network has no IPv6, so the engine's proxy would give all IPv6 guests one address.
    expect(ports).toEqual(['0.0.0.0:80:80', '0.0.0.0:443:443']);
  });

  it('runs the nodes as the image asks: its user, nothing to write to but /data and /tmp, time to end', () => {
    const user = /^USER (.*)$/m.exec(read('Containerfile'))?.[1];
    for (const [name, service] of nodes) {
      expect(service).toMatchObject({ user, read_only: true, volumes: [`${name}:/data`], stop_grace_period: '75s' });
    }
    const used = Object.values(services).flatMap(({ volumes: mounts = [] }) => mounts.map((mount) => mount.split(':')[0] ?? ''));
    expect(used.filter((mount) => !mount.startsWith('./')).sort()).toEqual(Object.keys(volumes).sort());
    for (const file of used.filter((mount) => mount.startsWith('./'))) expect(existsSync(join(DEPLOY, file))).toBe(true);
  });
});

describe('the AppArmor profiles', () => {
  const profiles = ['feierbild', 'feierbild-container'];

  it.skipIf(!apparmor)('are understood', () => {
    // A profile is parsed only if this system has rules of its version.
    const known = profiles.filter((name) => existsSync(join('/etc/apparmor.d', /<(abi\/.*)>/.exec(read(`apparmor/${name}`))?.[1] ?? '')));
    for (const name of known) {
      const parsed = spawnSync(apparmor ?? '', ['-Q', '-K', join(DEPLOY, 'apparmor', name)], { encoding: 'utf8' });
      expect(parsed.status, parsed.stderr).toBe(0);
    }
  });

  it('let the service of both guides make user namespaces on Ubuntu, whichever way they install it', () => {
    const [, attachment = ''] = /^profile feierbild (\S+) flags=\(unconfined\) \{\n  userns,$/m.exec(read('apparmor/feierbild')) ?? [];
    expect(attachment).toBe('/{opt/feierbild{,-*}/runtime,srv/feierbild/feierbild/node_modules/node-linux-*/bin}/node');
    for (const name of ['betreiber.md', 'knoten.md']) {
      expect(readFileSync(join(DEPLOY, '../docs/benutzung', name), 'utf8')).toContain('apparmor_parser -r /etc/apparmor.d/feierbild\n');
    }
  });
});

it('the settings in the guide for several nodes are ones that the product takes', () => {
  const guide = readFileSync(join(DEPLOY, '../docs/benutzung/knoten.md'), 'utf8');
  const [, block = ''] = /```sh\n(PUBLIC_URL=[^`]*)```/.exec(guide) ?? [];
  const settings = Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );
  expect(Object.keys(settings).filter((name) => !(name in Settings.shape))).toEqual([]);
  const business = join(DEPLOY, '../server/src/config/business.default.json');
  const result = readConfig({ ...settings, DATA_DIR: folder, BUSINESS_FILE: business });
  expect('mistakes' in result ? result.mistakes : []).toEqual([]);
});

describe('the rules for Prometheus and the board for Grafana', () => {
  it.skipIf(!promtool)('are right, and fire when they should', () => {
    execFileSync(promtool ?? '', ['check', 'rules', join(DEPLOY, 'monitoring/alerts.yaml')], { stdio: 'pipe' });
    execFileSync(promtool ?? '', ['test', 'rules', join(DEPLOY, 'monitoring/alerts.test.yaml')], { stdio: 'pipe' });
  });

  it('call a backup late when „doctor“ does', () => {
    expect(read('monitoring/alerts.yaml')).toContain(`abs(time() - max(feierbild_last_backup_seconds)) > ${BACKUP_LATE / HOUR} * 3600`);
  });

  it('have a test for each alert', () => {
    const rules = [...read('monitoring/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const tested = [...read('monitoring/alerts.test.yaml').matchAll(/alertname="(\w+)"/g)].map(([, name]) => name);
    expect(tested).toEqual(rules);
  });

  it('name the metrics that a node has, all of them and no others', async () => {
    const port = await freePort();
    const server = await startServer({ METRICS_PORT: String(port) });
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    await server.dispose();
    const board = JSON.parse(read('monitoring/grafana.json')) as { panels: { targets: { expr: string }[] }[] };
    const rules = parse(read('monitoring/alerts.yaml')) as { groups: { rules: { expr: string }[] }[] };
    const expressions = [
      ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    const named = new Set(expressions.flatMap((expr) => expr.match(/\b(feierbild|process|nodejs)_\w+/g) ?? []));
    const bare = new Set([...named].map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...bare].filter((name) => !known.has(name))).toEqual([]);
    expect([...known].filter((name) => name?.startsWith('feierbild_') && !bare.has(name))).toEqual([]);
  });
});
