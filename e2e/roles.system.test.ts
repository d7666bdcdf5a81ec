import { contract } from '@feierbild/contract/contract.ts';
import { pages } from '@feierbild/contract/pages.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, createEvent, dayFromToday, projectorOf, type Client } from './support/api.ts';
import { noteStatements, wholeReads } from './support/query-plans.ts';
import { ENDS, ENDS_SESSION, MATRIX, ROLES, SHOWN } from './support/roles-matrix.ts';
import { openParties } from './support/roles-party.ts';
import type { Party } from './support/roles-requests.ts';
import { startServer, type TestServer } from './support/server.ts';

describe('every call for every role', () => {
  let server: TestServer;
  let noted: Awaited<ReturnType<typeof noteStatements>>;
  let parties: Awaited<ReturnType<typeof openParties>>;
  let admin: Client;
  let shared: Party;

  beforeAll(async () => {
    noted = await noteStatements();
    server = await startServer({ LOG_LEVEL: 'trace', ...noted.settings });
    parties = await openParties(server);
    ({ admin, shared } = parties);
  });
  afterAll(() => server?.dispose());

  it('has a row for each call of the contract, and no other', () => {
    expect(Object.keys(MATRIX).sort()).toEqual(Object.keys(contract).sort());
  });

  // Some rows create a party for each role, which derives a password's key each time.
  it.each(Object.keys(MATRIX))('%s', async (name) => {
    const expected = (MATRIX[name] ?? '').split(/\s+/).map(Number);
    expect(expected).toHaveLength(ROLES.length);
    const found: number[] = [];
    // A ZIP that a call before began would block this one.
    if (name.endsWith('/regenerate-zip')) await expect.poll(() => parties.zipStatus(shared)).not.toBe('processing');
    for (const [n, role] of ROLES.entries()) {
      // Granted calls may end others' sessions, photos or events, so each of them gets a party of its own.
      const own = ENDS.includes(name) && (expected[n] ?? 0) < 300 && !['expired', 'purged', 'other host'].includes(role);
      const party = own ? await parties.createParty(await createEvent(admin)) : shared;
      found.push(await parties.statusOf(name, party, role, ENDS_SESSION.includes(name) ? await parties.again(party, role) : undefined));
    }
    expect(found.join(' ')).toBe(expected.join(' '));
  });

  it('the locked slideshow of another event sees no more than a stranger', async () => {
    const other = await projectorOf(server.url, await createEvent(admin, { title: 'Noch ein Fest' }));
    for (const name of SHOWN) {
      const [stranger] = (MATRIX[name] ?? '').split(' ');
      expect([name, String(await parties.statusOf(name, shared, 'projector', other))]).toEqual([name, stranger]);
    }
  });

  it('the locked slideshow gets a picture only while it is in the slideshow and the slideshow is on, and of names those of guests that it shows', async () => {
    const { event, photo, clients } = await parties.createParty(await createEvent(admin));
    const list = await (await clients.projector.request(`/api/events/${event.code}/slideshow`)).text();
    expect(list).toContain(photo);
    for (const name of ['.jpg', event.title]) expect(list).not.toContain(name);
    expect(list).toContain('Anna');
    await clients.host.json('PUT', `/api/events/${event.code}/slideshow_names`, { value: false });
    expect(await (await clients.projector.request(`/api/events/${event.code}/slideshow`)).text()).not.toContain('Anna');
    const pictures = async () => {
      const answers = ['thumbnail', 'preview'].map((variant) => clients.projector.request(`/api/photos/${photo}/${variant}`));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await pictures()).toEqual([200, 200]);
    await clients.host.json('PUT', `/api/photos/${photo}/slideshow`, { value: false });
    expect(await pictures()).toEqual([404, 404]);
    await clients.host.json('PUT', `/api/photos/${photo}/slideshow`, { value: true });
    expect(await pictures()).toEqual([200, 200]);
    const today = dayFromToday(0);
    const form = { title: event.title, start_date: today, end_date: today, with_slideshow: false };
    await admin.json('PUT', `/admin/events/${event.id}`, form);
    expect(await pictures()).toEqual([404, 404]);
  });

  it('is refused with nothing that the contract does not list', () => {
    expect(server.output()).not.toContain('the contract does not list');
  });

  it('refuses every change that another site sends, in each role', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await admin.request(`/admin/events/${shared.event.id}`, { method: 'DELETE', headers })).status).toBe(403);
    }
    const cookie = cookieOf(admin);
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await fetch(`${server.url}/admin/events/${shared.event.id}`, { method: 'DELETE', headers: { cookie, origin } });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
  });

  it('sends strict headers with pages and calls, and allows no other origin to read', async () => {
    for (const path of ['/', '/api/site', `/event/${shared.event.code}`]) {
      const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html', origin: 'https://evil.example' } });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('leaves patterns of addresses and short addresses of visitors in the log, no secret, code or name, and no trouble', async () => {
    const { code } = shared.event;
    const html = { accept: 'text/html' };
    const query = `password=Lampion-9&code=${code}&name=Anna`;
    const open = async (path: string, init: RequestInit = {}) => {
      await (await fetch(`${server.url}${path}?${query}`, { redirect: 'manual', ...init })).arrayBuffer();
    };
    for (const page of pages) {
      for (const value of [code, `${code}x`, shared.link, '%zz', 'a'.repeat(2000)]) {
        const path = page.replace(/:[a-z]+|\*/, value);
        for (const address of [path, path.toUpperCase(), `/x${path}`]) await open(address, { headers: html });
        await open(path, { method: 'HEAD', headers: html });
      }
    }
    // Calls with wrong values, in their address, too.
    for (const name of Object.keys(contract)) {
      const [method = '', pattern = ''] = name.split(' ');
      const body = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? {} : { body: `{"password": "Lampion-9", "${code}"` };
      const headers = { 'content-type': 'application/json', 'device-id': shared.devices.guest, ...html };
      await open(pattern.replace(/:[a-z]+/g, `${code}-Anna`), { method, headers, ...body });
    }
    // A visitor leaves in the middle of a download.
    const leaving = new AbortController();
    const leaver = await shared.clients.host.request(`/api/events/${code}/download`, { signal: leaving.signal });
    leaving.abort();
    await leaver.arrayBuffer().catch(() => undefined);
    await open('/health');
    await expect.poll(() => server.output()).toContain('"route":"/health"');

    const log = server.output();
    for (const secret of parties.secrets) expect(log).not.toContain(secret);
    const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, string>] : []));
    const answered = lines.filter(({ msg }) => msg === 'answered');
    expect(new Set(answered.map(({ address }) => address))).toEqual(new Set(['127.0.0.0']));
    expect(answered.map(({ route }) => route)).toEqual(expect.arrayContaining(Object.keys(contract).map((name) => name.split(' ')[1])));
    const trouble = lines.filter(({ level, msg }) => !['info', 'debug', 'trace'].includes(level ?? '') && msg !== 'Decoder nicht isoliert');
    expect(trouble).toEqual([]);
  });

  it('reads no table whole that grows with photos, guests or days', async () => {
    const { event, clients } = await parties.createParty(await createEvent(admin));
    const path = `/api/events/${event.code}/wall`;
    const { version } = await clients.host.json<{ version: number }>('GET', path);
    await clients.host.json('PUT', path, { version, favourites: true });
    await clients.host.json('GET', path);
    expect(wholeReads(server, noted.read())).toEqual([]);
  });
});
