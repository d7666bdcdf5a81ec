import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

/** Pause between a slow sender's bytes: the login below then takes longer than Fastify's default limit of a hook, 10 s. */
const SLOW_BYTE_MS = 300;
/** Time from the first SIGTERM to the rest of a request; a service manager sends all its signals in less. */
const HELD_MS = 2000;
const ROOT = join(import.meta.dirname, '..');

/** Limit of the shutdown while work without a request runs. */
const ENDED_MS = 5000;

/** Lists a process and all its descendants. */
function treeOf(pid: number): number[] {
  const below = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...below.flatMap(treeOf)];
}

/** Sends a signal to those processes that still run. */
function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

/** Ends a service as systemd does: signals by its KillMode, and once the main process has ended, again whatever is left. */
async function stopAsUnit(server: TestServer, killMode: string): Promise<number | null> {
  const main = server.process.pid as number;
  const [, ...others] = treeOf(main);
  const gone = new Promise<number | null>((resolve) => server.process.once('exit', resolve));
  signal(killMode === 'mixed' ? [main] : [main, ...others], 'SIGTERM');
  const code = await gone;
  signal(others, killMode === 'mixed' ? 'SIGKILL' : 'SIGTERM');
  return code;
}

describe('the end of the service', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.dispose());
  const statusOf = async (path: string): Promise<number> => (await fetch(`${server?.url}${path}`)).status;

  it('on SIGTERM shows it by /ready at once, while everything else is still served, and its code is 0', async () => {
    server = await startServer({ SHUTDOWN_DELAY: '3' });
    const ended = server.stop();
    await expect.poll(() => statusOf('/ready')).toBe(503);
    expect([await statusOf('/health'), await statusOf('/api/site')]).toEqual([200, 200]);
    expect((await fetch(`${server.url}/ready`)).headers.get('retry-after')).toBe('5');
    expect(await ended).toBe(0);
    await expect(statusOf('/health')).rejects.toThrow();
  });

  it('after the delay refuses what is new with 503, is alive to a probe, and finishes an upload that goes on; its code is 0', async () => {
    server = await startServer({ SHUTDOWN_DELAY: '1' });
    const { url, dataDir } = server;
    const event = await createEvent(await adminOf(url));
    const held = Promise.withResolvers<void>();
    const file = await drawPhoto(1, 300, 200);
    const sent = upload({ url, code: event.code, device: await deviceOf(url), file, rest: held.promise });
    await expect.poll(() => readdirSync(join(dataDir, 'staging'))).toHaveLength(1);
    const exit = server.stop();
    await expect.poll(() => statusOf('/api/site')).toBe(503);
    const refused = await fetch(`${url}/api/site`);
    const { headers } = refused;
    expect([refused.status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '5', 'close']);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    expect([await statusOf('/ready'), await statusOf('/health')]).toEqual([503, 200]);
    held.resolve();
    expect((await sent).status).toBe(201);
    expect(await exit).toBe(0);
    await expect(statusOf('/health')).rejects.toThrow();
  });

  it('finishes what runs, also what is slow, and waits neither for open connections nor for streams', async () => {
    server = await startServer({ SHUTDOWN_DELAY: '0', SHUTDOWN_TIMEOUT: '600' });
    const { port, hostname } = new URL(server.url);
    const event = await createEvent(await adminOf(server.url));
    // Connections stay open: fetch keeps its pool, the page its stream.
    const stream = await (await hostOf(server.url, event)).request(`/api/events/${event.code}/live`);
    const ended = text(stream.body!);
    const body = JSON.stringify({ username: 'admin', password: 'falsch' });
    const socket = connect(Number(port), hostname);
    const answer = text(socket);
    const head = [
      'POST /auth/admin/login HTTP/1.1',
      `Host: ${hostname}:${port}`,
      'Content-Type: application/json',
      'Sec-Fetch-Site: same-origin',
    ];
    await new Promise((written) => socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body[0]}`, written));
    expect(await statusOf('/health')).toBe(200);
    const exit = server.stop();
    await ended;
    await expect.poll(() => statusOf('/api/site')).toBe(503);
    for (const byte of body.slice(1)) {
      await pause(SLOW_BYTE_MS);
      socket.write(byte);
    }
    expect(await answer).toMatch(/^HTTP\/1.1 401 [^]*connection: close/i);
    expect(await exit).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')('started and ended by systemd as the guide for operators says, finishes what runs', async () => {
    const guide = readFileSync(join(ROOT, 'docs/benutzung/betreiber.md'), 'utf8');
    const [, unit = ''] = /```ini\n(\[Unit\][^`]*)```/.exec(guide) ?? [];
    const [, command = ''] = /^ExecStart=\/usr\/bin\/(.+)$/m.exec(unit) ?? [];
    const [, killMode = 'control-group'] = /^KillMode=(.+)$/m.exec(unit) ?? [];
    // The command runs in the unit's WorkingDirectory; `exec` makes it the main process.
    server = await startServer({ SHUTDOWN_DELAY: '1', SHUTDOWN_TIMEOUT: '60' }, ['/bin/sh', '-c', `cd '${ROOT}' && exec ${command}`]);
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const answer = text(socket);
    const body = JSON.stringify({ username: 'admin', password: 'falsch' });
    const head = ['POST /auth/admin/login HTTP/1.1', `Host: ${hostname}:${port}`, 'Content-Type: application/json'];
    head.push('Sec-Fetch-Site: same-origin', `Content-Length: ${body.length}`, '', body.slice(0, 1));
    await new Promise((written) => socket.write(head.join('\r\n'), written));
    expect(await statusOf('/health')).toBe(200);
    const exit = stopAsUnit(server, killMode);
    await pause(HELD_MS);
    socket.write(body.slice(1));
    expect(await answer).toMatch(/^HTTP\/1.1 401 /);
    expect(await exit).toBe(0);
  });

  it('on Ctrl-C comes without the delay', async () => {
    server = await startServer({ SHUTDOWN_DELAY: '600' });
    const exit = new Promise((resolve) => server?.process.once('exit', resolve));
    server.process.kill('SIGINT');
    expect(await exit).toBe(0);
  });

  it('waits neither for a reset of the demo nor for the retention, which another start takes up, where the database hangs', async () => {
    server = await startServer({ SHUTDOWN_DELAY: '0', DEMO: 'on' });
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    const count = (sql: string) => (db.prepare(sql).get() as { n: number }).n;
    // The reset is under way: the demo's event exists, and its pictures come one after the other.
    await expect.poll(() => count('select count(*) as n from photos')).toBeGreaterThan(1);
    db.exec('begin immediate');
    expect(count('select count(*) as n from demo where event_id is null')).toBe(1);
    const began = performance.now();
    expect(await server.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(ENDED_MS);
    db.exec('rollback');
    // The server could not give its lease back, so the next one would wait until it expires.
    db.exec('update leases set expires_at = 0');
    db.close();
    expect(server.output()).not.toContain('"level":"error"');
    await server.restart();
    const demo = async () => ((await (await fetch(`${server?.url}/api/site`)).json()) as { demo: object | null }).demo;
    await expect.poll(demo, { timeout: 60_000 }).not.toBeNull();
  });

  it('has the code 1 where a request that never ends was cut', async () => {
    server = await startServer({ SHUTDOWN_TIMEOUT: '1' });
    const { port, hostname } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const cut = text(socket).catch(() => 'cut');
    const head = ['POST /api/reports HTTP/1.1', `Host: ${hostname}`, 'Content-Type: application/json', 'Content-Length: 100', '', '{'];
    await new Promise((written) => socket.write(head.join('\r\n'), written));
    // The server has read the head once a second connection is answered.
    expect(await statusOf('/health')).toBe(200);
    expect(await server.stop()).toBe(1);
    await cut;
  });
});

describe('a visitor', () => {
  let server: TestServer | undefined;
  afterEach(() => server?.dispose());

  it('gets our headers and our error form also where the request cannot be read', async () => {
    server = await startServer({ LOG_LEVEL: 'error' });
    const { port, hostname } = new URL(server.url);
    const send = async (request: string): Promise<{ status: number; head: string; body: Record<string, string> }> => {
      const socket = connect(Number(port), hostname);
      const answer = text(socket);
      socket.write(request);
      const [head = '', body = ''] = (await answer).split('\r\n\r\n');
      return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as Record<string, string> };
    };
    const requests: [string, number, string][] = [
      ['GET / HTTP/1.1\r\nUnsinn\r\n\r\n', 400, 'unreadable_request'],
      ['GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'unreadable_request'],
      ['GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n', 400, 'unreadable_request'],
      [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ];
    for (const [request, status, code] of requests) {
      const answer = await send(request);
      expect([answer.status, answer.body.code, typeof answer.body.error]).toEqual([status, code, 'string']);
      for (const header of ['x-content-type-options: nosniff', 'content-security-policy: ', 'cache-control: no-store', 'x-request-id: '])
        expect(answer.head.toLowerCase()).toContain(header);
    }
    const malformed = await fetch(`${server.url}/auth/logout`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect([malformed.status, malformed.headers.get('x-request-id')]).toEqual([400, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(server.output()).not.toContain('"level":"error"');
  });
});
