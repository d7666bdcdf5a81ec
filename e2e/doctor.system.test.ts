import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canTls, certificate } from '../server/src/features/mail/testing/mailbox.ts';
import { freePort } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf } from './support/api.ts';
import { cli } from './support/cli.ts';
import { startServer, type TestServer } from './support/server.ts';
import { tusDevice } from './support/tus.ts';

describe('npm run doctor, while the server runs', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.dispose());

  const states = (stdout: string): Record<string, string> =>
    Object.fromEntries([...stdout.matchAll(/^(\S+) +([^:]+): /gm)].map(([, state = '', about = '']) => [about, state]));
  interface Proxy {
    /** Most bytes of a body. */
    limit?: number;
    /** Shifts the dates of answers, ms. */
    shift?: number;
    /** Key and certificate for https. */
    tls?: { key: string; cert: string };
    /** Returns the headers that it adds to requests. */
    says?: () => Record<string, string>;
    /** Returns the address behind it. */
    to?: () => string;
  }
  /** Starts a proxy before the server. */
  async function proxy({ limit = 60_000_000, shift = 0, tls, says = () => ({}), to = () => server.url }: Proxy = {}) {
    const forward = (request: IncomingMessage, response: ServerResponse): void => {
      if (Number(request.headers['content-length'] ?? 0) > limit) {
        response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>Too large</h1>');
        return;
      }
      const { method, url, headers } = request;
      const onward = httpRequest(to() + url, { method: method as string, headers: { ...headers, ...says() } }, (answer) => {
        const date = new Date(Date.now() + shift).toUTCString();
        response.writeHead(answer.statusCode as number, { ...answer.headers, date });
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      // A client that has gone sends no more, and the server would wait for the rest.
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    };
    const front = tls ? createHttpsServer(tls, forward) : createHttpServer(forward);
    await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening));
    return {
      url: `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${(front.address() as AddressInfo).port}`,
      close: () => front.closeAllConnections() ?? front.close(),
    };
  }

  it('finds all well but for what is missing here, and ends with 0', async () => {
    const front = await proxy();
    const { code, stdout } = await cli(server, ['doctor'], [], { PUBLIC_URL: front.url, PORT: new URL(server.url).port });
    front.close();
    // A test machine may be small and without a sandbox, so these two may be warnings.
    const { Platz, Abschottung, Sicherung, ...found } = states(stdout);
    expect([code, Abschottung, Platz]).toEqual([0, expect.stringMatching(/gut|Achtung/), expect.stringMatching(/gut|Achtung/)]);
    expect(Sicherung).toBeDefined();
    expect(found).toEqual({
      Dienst: 'gut',
      Datenbank: 'gut',
      Fotospeicher: 'gut',
      Übertragungen: 'gut',
      Passwort: 'Achtung',
      PUBLIC_URL: 'gut',
      Uhr: 'gut',
      Uploads: 'gut',
      'Decoder JPEG': 'gut',
      'Decoder HEIC': 'gut',
    });
  });

  it('shows what open uploads hold, and which expired ones were not removed', async () => {
    const party = await createEvent(await adminOf(server.url));
    const tus = tusDevice(await deviceOf(server.url));
    const address = server.url + (await tus.create(server.url, party.code, 200_000)).headers.get('location');
    expect((await tus.append(address, 0, Buffer.alloc(100_000))).status).toBe(204);
    const told = async () => /^.*Übertragungen: .*$/m.exec((await cli(server, ['doctor'])).stdout)?.[0];
    const first = await told();
    expect(first).toMatch(/^gut +Übertragungen: 1 ist nicht fertig, mit 1 Teil \(0,1 MB\); die älteste seit weniger als einer Stunde ohne/);
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    db.exec('pragma busy_timeout = 5000');
    db.prepare('update uploads set expires_at = ? where photo_id is null').run(Date.now() - 4 * 60 * 60 * 1000);
    db.close();
    expect(await told()).toMatch(/^Achtung +Übertragungen: .* die älteste seit 28 Stunden ohne ein Byte\./);
    expect((await tus.ask('HEAD', address)).status).toBe(410);
  });

  it('says whether the service runs, and how old the last backup is, wherever it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
    expect((await cli(server, ['backup', folder])).code).toBe(0);
    const { port } = new URL(server.url);
    const { stdout } = await cli(server, ['doctor'], [], { PORT: port });
    expect(stdout).toContain(`gut      Dienst: Der Dienst läuft auf Port ${port}.\n`);
    expect(stdout).toContain(`gut      Sicherung: Die neueste, in ${folder}, ist 0 Stunden alt.\n`);
    const silent = String(await freePort());
    const stopped = await cli(server, ['doctor', folder], [], { PORT: silent });
    expect(stopped.stdout).toContain(`Achtung  Dienst: Der Dienst antwortet nicht auf Port ${silent} (`);
    const manifest = join(folder, 'snapshots', (await readdir(join(folder, 'snapshots')))[0] as string, 'manifest.json');
    const taken = JSON.parse(await readFile(manifest, 'utf8')) as { taken_at: string };
    const aged = async (hours: number) => {
      await writeFile(manifest, JSON.stringify({ ...taken, taken_at: new Date(Date.now() - hours * 60 * 60 * 1000).toISOString() }));
      return /^.*Sicherung: .*$/m.exec((await cli(server, ['doctor', folder])).stdout)?.[0].replace(folder, '…');
    };
    expect(await aged(25)).toBe('gut      Sicherung: Die neueste, in …, ist 25 Stunden alt.');
    expect(await aged(27)).toBe('Achtung  Sicherung: Die neueste, in …, ist 27 Stunden alt. Sichern Sie täglich.');
    expect(await aged(14 * 24 + 1)).toMatch(
      /^Fehler +Sicherung: Die neueste, in …, ist 14 Tage alt, keine darf älter als 14 Tage werden\./,
    );
    await rm(folder, { recursive: true, force: true });
  });

  it('says that nothing is deleted on a clock that leapt, what is overdue, and that a folder has its last backup no more', async () => {
    const party = await createEvent(await adminOf(server.url));
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
    expect((await cli(server, ['backup', folder])).code).toBe(0);
    await rm(join(folder, 'snapshots'), { recursive: true });
    const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
    const told = async () => {
      const { code, stdout } = await cli(server, ['doctor']);
      return [code, ...(stdout.match(/^.* (Löschung|Sicherung): .*$/gm) ?? [])];
    };
    db.prepare("update events set start_date = '2020-01-01', end_date = '2020-01-01' where id = ?").run(party.id);
    expect(await told()).toEqual([
      1,
      expect.stringMatching(/^Fehler +Löschung: 1 Event ist seit mehr als einem Tag überfällig/),
      `Fehler   Sicherung: In ${folder} liegt die letzte nicht mehr. Ist der Datenträger eingehängt? Sichern Sie neu.`,
    ]);
    const leap = db.prepare('insert into clock values (1, ?, ?, null) on conflict (id) do update set refused_at = excluded.refused_at');
    leap.run(Date.now(), Date.now());
    expect((await told())[1]).toMatch(/^Fehler +Löschung: Die Uhr ist gesprungen/);
    db.exec('update clock set refused_at = null');
    db.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('names a proxy that refuses uploads, a wrong clock, a dead address and a missing backup, and ends with 1', async () => {
    const front = await proxy({ limit: 5_000_000, shift: 3_600_000 });
    const wrong = await cli(server, ['doctor', join(tmpdir(), 'gibt-es-nicht')], [], { PUBLIC_URL: front.url });
    front.close();
    expect([wrong.code, states(wrong.stdout)]).toMatchObject([1, { Uploads: 'Fehler', Uhr: 'Fehler', Sicherung: 'Fehler' }]);
    expect(wrong.stdout).toContain('50 MB kommen nicht durch (Status 413), höchstens etwa 4 MB.');
    expect(wrong.stdout).toContain('client_max_body_size');
    expect(wrong.stdout).toContain('ist keine vollständige. Ist der Datenträger eingehängt?');
    const dead = await cli(server, ['doctor'], [], { PUBLIC_URL: front.url });
    expect([dead.code, states(dead.stdout)]).toMatchObject([1, { PUBLIC_URL: 'Fehler' }]);
    const noDatabase = await cli(server, ['doctor'], [], { DATABASE_URL: 'postgres://127.0.0.1:1/nichts' });
    expect([noDatabase.code, states(noDatabase.stdout)]).toMatchObject([1, { Datenbank: 'Fehler', 'Decoder HEIC': 'gut' }]);
  });

  it.skipIf(!canTls)('says whether the service believes its proxy, where nothing else can speak https', async () => {
    const tls = await certificate();
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-doctor-'));
    const authority = join(folder, 'ca.crt');
    await writeFile(authority, tls.cert);
    let behind = server;
    let says = {};
    const front = await proxy({ tls, says: () => says, to: () => behind.url });
    const settings = { PUBLIC_URL: front.url, MAX_UPLOAD_MB: '1' };
    const told = async (trust: Record<string, string>) => {
      const env = { ...settings, ...trust, PORT: new URL(behind.url).port, NODE_EXTRA_CA_CERTS: authority };
      const { code, stdout } = await cli(behind, ['doctor'], [], env);
      return [code, /^.* TRUST_PROXY: .*$/m.exec(stdout)?.[0]];
    };
    /** Returns what doctor says of a server, for a proxy that names https or does not. */
    async function trusting(TRUST_PROXY: string, ...named: boolean[]) {
      behind = await startServer({ ...settings, TRUST_PROXY });
      const found: unknown[] = [];
      for (const isNamed of named) {
        says = isNamed ? { 'x-forwarded-proto': 'https' } : {};
        found.push(await told({ TRUST_PROXY }));
      }
      await behind.dispose();
      return found;
    }
    const unheard = [1, expect.stringMatching(/^Fehler +TRUST_PROXY: Der Dienst erfährt vom Proxy nicht, /)];
    expect(await told({})).toEqual([1, expect.stringMatching(/^Fehler +TRUST_PROXY: ist aus, .* Alle Gäste gelten als einer/)]);
    expect(await trusting('10.1.2.3', true)).toEqual([unheard]);
    expect(await trusting('127.0.0.1', false, true)).toEqual([unheard, [0, expect.stringMatching(/^gut /)]]);
    front.close();
    await rm(folder, { recursive: true, force: true });
  });
});
