import type { Photo } from '@feierbild/contract/entities.ts';
import type { Call } from '@feierbild/contract/call.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { ADMIN, dump, PARTY } from '../accounts/testing.ts';
import { drawPhoto, openApp, refusal, type Headers, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);
const GUIDE = join(import.meta.dirname, '../../../../docs/benutzung/verbindungen.md');
const missing = ['curl', 'jq'].filter((name) => spawnSync(name, ['--version']).status !== 0).join(', ');
const DAY = { start_date: '2026-05-17', end_date: '2026-05-17' };

interface Party {
  id: string;
  code: string;
  host: Headers;
  photo: Photo;
  original: Buffer;
}

describe.each(all)('a program with the host’s leave on $name', (engine) => {
  let app: TestApp;
  let admin: Headers;
  let party: Party;

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder, clock: { now: () => PARTY } });
    await app.admins.ensureFirst(ADMIN.username, ADMIN.password);
    admin = cookieOf(await call('POST', '/auth/admin/login', {}, ADMIN));
    party = await newParty();
  }, 60_000);
  afterEach(() => app.close());

  const call: TestApp['call'] = (...request) => app.call(...request);
  const json: TestApp['json'] = (...request) => app.json(...request);
  const cookieOf = (answer: Response): Headers => {
    expect(answer.status).toBe(200);
    return {
      cookie:
        answer.headers
          .getSetCookie()
          .find((line) => /^\w+_(host|admin)=[^;]/.test(line) && !line.includes('known'))
          ?.split(';')[0] ?? '',
    };
  };
  const login = async (username: string, password: string) => cookieOf(await call('POST', '/auth/user/login', {}, { username, password }));

  async function newParty(): Promise<Party> {
    const { id, code } = await json<{ id: string; code: string }>('POST', '/admin/create_event', admin, { title: 'Fest', ...DAY });
    const { password } = await json<{ password: string }>('POST', `/admin/events/${id}/user`, admin, { username: code });
    const original = await drawPhoto();
    const { photo, body, status } = await app.upload(code, original, { headers: { 'device-name': 'Anna' } });
    expect(status, body).toBe(201);
    return { id, code, host: await login(code, password), photo, original };
  }
  const access = ({ code, host }: Party) => json<{ since: string | null }>('GET', `/api/events/${code}/program`, host);
  /** Gives a program access to the party; returns its headers. */
  const give = async ({ code, host }: Party): Promise<Headers> => {
    const { token } = await json<{ token: string }>('POST', `/api/events/${code}/program`, host);
    expect(token).toMatch(/^fbp_[\w-]{43}$/);
    return { authorization: `Bearer ${token}` };
  };
  const list = ({ code }: Party, by: Headers) => call('GET', `/api/events/${code}/photos`, by);
  const original = ({ photo }: Party, by: Headers) => call('GET', `/api/photos/${photo.id}/download`, by);
  /** Statuses of the program's calls. */
  const gets = async (by: Headers, of = party) => [(await list(of, by)).status, (await original(of, by)).status];
  const audited = async () =>
    (await json<{ entries: { actor: string; action: string }[] }>('GET', '/admin/audit', admin)).entries
      .map(({ actor, action }) => `${actor} ${action}`)
      .filter((line) => line.includes('program.'));

  it('reads all photos of the event, also hidden ones, with any cookies beside it; the database has no token', async () => {
    expect(await access(party)).toEqual({ since: null, last_used_at: null });
    const by = await give(party);
    expect(await access(party)).toEqual({ since: new Date(PARTY).toISOString(), last_used_at: null });
    await json('PUT', `/api/photos/${party.photo.id}/slideshow`, party.host, { value: false });
    const { photos } = (await (await list(party, by)).json()) as { photos: Photo[] };
    expect(photos).toMatchObject([{ id: party.photo.id, filename: 'IMG_0042.jpg', device: { name: 'Anna' } }]);
    expect(await json<object>('GET', `/api/events/${party.code}/photos?after=0&per_page=1`, by)).toMatchObject({ photos: [{}] });
    for (const path of [photos[0]!.thumbnail_url, photos[0]!.preview_url]) expect((await call('GET', path, by)).status).toBe(200);
    expect(Buffer.from(await (await original(party, by)).arrayBuffer())).toEqual(party.original);
    const range = await call('GET', photos[0]!.original_url, { ...by, range: 'bytes=10-19' });
    expect([range.status, Buffer.from(await range.arrayBuffer())]).toEqual([206, party.original.subarray(10, 20)]);
    expect(await dump(app.db)).not.toContain(by['authorization']!.slice('Bearer fbp_'.length));
    const other = await newParty();
    expect(await gets({ ...by, ...other.host })).toEqual([200, 200]);
    expect(await gets({ ...by, ...other.host }, other)).toEqual([401, 404]);
  });

  it.skipIf(missing)(
    `fetches all originals by the script of the guide, whatever guests are called${missing && ` (no ${missing})`}`,
    async () => {
      const PAGE = 30;
      const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
      const originals = [party.original];
      for (let n = 0; n < PAGE + 3; n++) {
        originals.push(await drawPhoto({ width: 64, height: 48 }));
        const { status, body } = await app.upload(party.code, originals.at(-1)!, { headers: { 'device-name': `Lena \\o/ "${n}"` } });
        expect(status, body).toBe(201);
      }
      const [, written = ''] = /```sh\n(SERVER=[^`]+)```/.exec(await readFile(GUIDE, 'utf8')) ?? [];
      const { authorization = '' } = await give(party);
      const folder = await mkdtemp(join(RUN_FOLDER, 'script-'));
      const run = (token: string) => {
        const script = written.replace(/^SERVER=.*/, `SERVER=${app.url} CODE=${party.code} TOKEN=${token}`);
        return promisify(execFile)('sh', ['-c', script], { cwd: folder });
      };
      await run(authorization.slice('Bearer '.length));
      const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jpg'));
      const fetched = await Promise.all(names.map(async (name) => digest(await readFile(join(folder, name)))));
      expect(fetched.toSorted()).toEqual(originals.map(digest).toSorted());
      await expect(run('fbp_A')).rejects.toThrow();
      await rm(folder, { recursive: true });
    },
  );

  it('gets nothing of another event, and makes no call but those that read photos', async () => {
    const by = await give(party);
    expect(await gets(by, await newParty())).toEqual([401, 404]);
    const reading = (Object.entries(contract) as [string, Call][]).filter(([, { token }]) => token === 'photos:read');
    expect(reading.map(([name]) => name)).toEqual([
      'GET /api/events/:ref/photos',
      'GET /api/photos/:id/thumbnail',
      'GET /api/photos/:id/preview',
      'GET /api/photos/:id/download',
    ]);
    const closed = (Object.entries(contract) as [string, Call][]).filter(
      ([, { access: of, token }]) => token !== 'photos:read' && !['anyone', 'device'].includes(of),
    );
    expect(closed.length).toBeGreaterThan(80);
    for (const [name, { token }] of closed) {
      const [method = '', pattern = ''] = name.split(' ');
      const path = pattern
        .replace(/:(ref|code)/, party.code)
        .replace('/api/photos/:id', `/api/photos/${party.photo.id}`)
        .replace(/:\w+/, party.id);
      // Failures are forgotten: calls that take an operator's token would answer 429.
      await app.db.kysely.deleteFrom('failures').execute();
      const { status } = await call(method, path, by, ['GET', 'HEAD', 'DELETE'].includes(method) ? undefined : {});
      expect([name, status]).toEqual([name, pattern.startsWith('/api/photos/:id') && status === 404 ? 404 : token ? 401 : 403]);
    }
    expect(await json('GET', '/auth/check', by)).not.toHaveProperty('user');
    expect((await list(party, party.host)).status).toBe(200);
    expect(await gets(by)).toEqual([200, 200]);
  });

  it('ends at once: by a newer one, by its end, by a new password of the host, and with the event', async () => {
    const first = await give(party);
    const second = await give(party);
    expect([await gets(first), await gets(second)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    const end = () => call('DELETE', `/api/events/${party.code}/program`, party.host);
    expect([(await end()).status, (await end()).status]).toEqual([204, 204]);
    expect(await refusal(await list(party, second))).toEqual([401, 'token_invalid']);
    expect(await access(party)).toEqual({ since: null, last_used_at: null });
    expect(await audited()).toEqual(['host program.ended', 'host program.created', 'host program.created']);

    const third = await give(party);
    const { new_password: password } = await json<{ new_password: string }>('PUT', `/admin/events/${party.id}/user/password`, admin);
    expect(await gets(third)).toEqual([401, 401]);
    party.host = await login(party.code, password);

    const fourth = await give(party);
    const { link } = await json<{ link: string }>('POST', `/admin/events/${party.id}/invitation`, admin);
    const sent = { code: party.code, token: link.split('#')[1], password: 'ein ganz neues Passwort' };
    party.host = cookieOf(await call('POST', '/auth/invitation/accept', {}, sent));
    expect(await gets(fourth)).toEqual([401, 401]);

    await app.db.kysely.deleteFrom('failures').execute();
    const fifth = await give(party);
    expect(await gets(fifth)).toEqual([200, 200]);
    expect((await call('DELETE', `/admin/events/${party.id}`, admin)).status).toBe(200);
    expect(await gets(fifth)).toEqual([401, 401]);
    const left = await app.db.kysely.selectFrom('sessions').select('id').where('role', '=', 'program').execute();
    expect(left).toEqual([]);
  });

  it('is never an operator’s token: these are refused by its calls, wrong ones are counted, and a right one is not limited', async () => {
    const by = await give(party);
    const scopes = ['events:read', 'events:write'];
    const { token } = await json<{ token: string }>('POST', '/admin/tokens', admin, { name: 'Buchung', scopes });
    const operator = { authorization: `Bearer ${token}` };
    for (const answer of [
      await list(party, operator),
      await original(party, operator),
      await original(party, { ...operator, ...party.host }),
    ])
      expect(await refusal(answer)).toEqual([403, 'token_scope']);
    expect((await call('POST', '/admin/tokens', admin, { name: 'Fotos', scopes: ['photos:read'] })).status).toBe(400);
    // The secret of another kind of session does not work either.
    const session = party.host['cookie']!.split('=')[1];
    const wrong = [`fbp_${session}`, session, by['authorization']!.slice('Bearer fbp_'.length), 'fbp_', `fbp_${'A'.repeat(43)}`];
    for (let n = 0; n < 10; n++)
      expect(await refusal(await list(party, { authorization: `Bearer ${wrong[n % wrong.length]}` }))).toEqual([401, 'token_invalid']);
    expect((await list(party, { authorization: 'Bearer fbp_A' })).status).toBe(429);
    expect(await gets(by)).toEqual([200, 200]);
    expect((await call('GET', '/admin/events', by)).status).toBe(429);
  });

  it('gets no access from a host whose password is reset at the same moment, nor in the demo; of hosts at once one remains', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/api/events/${party.code}/program`, party.host)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
    const rows = () => app.db.kysely.selectFrom('sessions').select('id').where('role', '=', 'program').execute();
    expect(await rows()).toHaveLength(1);
    const [, reset] = await Promise.all([
      call('POST', `/api/events/${party.code}/program`, party.host),
      call('PUT', `/admin/events/${party.id}/user/password`, admin),
    ]);
    expect(reset.status).toBe(200);
    expect(await rows()).toEqual([]);
    const demo = await app.event({ demo: 1 });
    const asked = await call('POST', `/api/events/${demo.code}/program`, { cookie: demo.cookie });
    expect(await refusal(asked)).toEqual([403, 'demo_fixed']);
  });
});
