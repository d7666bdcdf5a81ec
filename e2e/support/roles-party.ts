import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errors } from '@feierbild/contract/errors.ts';
import { expect, vi } from 'vitest';
import {
  adminOf,
  createClient,
  createEvent,
  deviceOf,
  hostOf,
  LONG_OVER,
  OPEN_GALLERY,
  projectorOf,
  upload,
  type Client,
  type EventUnderTest,
} from './api.ts';
import { cli } from './cli.ts';
import { drawPhoto } from './photos.ts';
import type { Role } from './roles-matrix.ts';
import { bodyOf, tusHeaders, type Party } from './roles-requests.ts';
import { ADMIN, type TestServer } from './server.ts';

/** Makes an event with a client of each role, further such events, and the calls of each role. */
export async function openParties(server: TestServer) {
  /** Words that no line of the log may contain. */
  const secrets = new Set([ADMIN.password, 'Lampion-9', 'Anna', 'Torte', 'Bitte nicht.', '.jpg']);
  const admin = await adminOf(server.url);
  const event = await createEvent(admin);
  const expired = await hostOf(server.url, event);
  const gone = await createEvent(admin, { ...LONG_OVER, is_active: true });
  const stored = await upload({ url: server.url, code: gone.code, device: await deviceOf(server.url), file: await drawPhoto(3) });
  const { photo } = (await stored.json()) as { photo: { id: string } };
  const purged = await hostOf(server.url, gone);
  // The command deletes the event, whose 30 days have long passed.
  expect((await cli(server, ['maintain'])).code).toBe(0);
  const otherHost = await hostOf(server.url, await createEvent(admin, { title: 'Anderes Fest' }));
  /** Ended sessions, and a purged event; calls with them change nothing. */
  const over = { expired, purged, event: gone, photo: photo.id, otherHost };
  const shared = await createParty(event);
  await createClient(server.url).json('POST', '/api/reports', { event: event.code, photo: 'Torte', reason: 'Bitte nicht.' });
  const { reports } = await admin.json<{ reports: { id: string }[] }>('GET', '/admin/reports');
  const report = reports[0]?.id ?? '';
  const scopes = ['events:read', 'events:write'];
  const { token } = await admin.json<{ token: string }>('POST', '/admin/tokens', { name: 'Buchung', scopes }, 201);
  const kalender = { name: 'Kalender', scopes: ['calendar:read'] };
  /** Token of a calendar's address. */
  const { token: calendar } = await admin.json<{ token: string }>('POST', '/admin/tokens', kalender, 201);
  secrets.add(token).add(calendar);
  const db = new DatabaseSync(join(server.dataDir, 'feierbild.sqlite'), { timeout: 5000 });
  db.exec('pragma busy_timeout = 5000');
  // The event's oldest session is the one that has to be expired.
  db.prepare('update sessions set expires_at = 1 where id = (select min(id) from sessions where event_id = ?)').run(event.id);
  db.close();

  async function createParty(event: EventUnderTest): Promise<Party> {
    const { url } = server;
    const devices = { guest: await deviceOf(url), other: await deviceOf(url) };
    const stored = await upload({ url, code: event.code, device: devices.guest, file: await drawPhoto(1, 200, 150) });
    const { photo } = (await stored.json()) as { photo: { id: string } };
    await upload({ url, code: event.code, device: devices.other, file: await drawPhoto(2, 200, 150) });
    const begun = await createClient(url).request('/uploads', {
      method: 'POST',
      headers: { 'device-id': devices.guest, ...tusHeaders(event.code) },
    });
    const host = await hostOf(url, event);
    await host.json('POST', `/api/events/${event.code}/create-zip`);
    const zip = async () => (await host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status === 'complete';
    await vi.waitUntil(zip, { timeout: 60_000 });
    const { download_url: link } = await host.json<{ download_url: string }>('POST', `/api/photos/${photo.id}/link`);
    const { download_url: selection } = await host.json<{ download_url: string }>('POST', `/api/events/${event.code}/selections`, {
      photos: [photo.id],
    });
    const colleague = createClient(url);
    const name = `kollege-${event.code}`;
    const { password } = await admin.json<{ password: string }>('POST', '/admin/admins', { username: name });
    await colleague.json('POST', '/auth/admin/login', { username: name, password });
    await admin.json('POST', '/admin/admins', { username: `gast-${event.code}` });
    const assistant = createClient(url);
    const assisting = { username: `hilfe-${event.code}`, role: 'assistant' };
    const made = await admin.json<{ username: string; password: string }>('POST', '/admin/admins', assisting);
    await assistant.json('POST', '/auth/admin/login', made);
    const { url: gallery } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, OPEN_GALLERY);
    const { url: helper } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    const { token: program } = await host.json<{ token: string }>('POST', `/api/events/${event.code}/program`, undefined, 201);
    secrets.add(program.slice('fbp_'.length));
    const invited = { gallery: gallery.split('#')[1] ?? '', helper: helper.split('#')[1] ?? '' };
    for (const secret of [event.code, event.host.password, password, made.password, devices.guest, devices.other]) secrets.add(secret);
    for (const secret of [link, selection, begun.headers.get('location')].flatMap((address) => address?.split('/').at(-1) ?? []))
      secrets.add(secret);
    for (const { cookies } of [host, colleague, assistant]) for (const cookie of cookies.values()) secrets.add(cookie);
    const { admins } = await admin.json<{ admins: { id: string; username: string }[] }>('GET', '/admin/admins');
    return {
      event,
      photo: photo.id,
      link: link.split('/').at(-1) ?? '',
      invited,
      program,
      upload: begun.headers.get('location')?.split('/').at(-1) ?? '',
      selection: selection.split('/').at(-1) ?? '',
      otherAdmin: admins.find(({ username }) => username === `gast-${event.code}`)?.id ?? '',
      devices,
      accounts: { admin: { username: name, password }, assistant: made },
      clients: {
        nobody: createClient(url),
        guest: createClient(url),
        'other guest': createClient(url),
        host,
        'other host': over.otherHost,
        projector: await projectorOf(url, event),
        admin: colleague,
        expired: over.expired,
        purged: over.purged,
        gallery: await enter({ event, invited }, 'gallery'),
        helper: await enter({ event, invited }, 'helper'),
        token: createClient(url),
        assistant,
        program: createClient(url),
      },
    };
  }

  /** Logs in by the link to the gallery, or by the helper's link. */
  async function enter({ event, invited }: Pick<Party, 'event' | 'invited'>, role: 'gallery' | 'helper'): Promise<Client> {
    const client = createClient(server.url);
    await client.json('POST', `/auth/${role}/login`, { code: event.code, token: invited[role] });
    for (const secret of [invited[role], ...client.cookies.values()]) secrets.add(secret);
    return client;
  }

  function pathOf(name: string, party: Party, role: Role): string {
    const [event, photo] = role === 'purged' ? [over.event, over.photo] : [party.event, party.photo];
    const pattern = name.split(' ')[1] as string;
    const ids: Record<string, string> = { '/api/photos': photo, '/admin/admins': party.otherAdmin, '/admin/reports': report };
    const id = Object.entries(ids).find(([prefix]) => pattern.startsWith(prefix))?.[1];
    return pattern
      .replace('/selections/:id', `/selections/${party.selection}`)
      .replace(/:(ref|code)/, event.code)
      .replace(':paper', 'avv')
      .replace(':section', 'brand')
      .replace(':token', party.link)
      .replace('.ics', `.ics?token=${calendar}`)
      .replace(':key', party.upload)
      .replace(':id', id ?? event.id);
  }

  /** Logs the same person in once more. */
  async function again(party: Party, role: Role): Promise<Client> {
    if (role === 'host') return hostOf(server.url, party.event);
    if (role === 'projector') return projectorOf(server.url, party.event);
    if (role === 'gallery' || role === 'helper') return enter(party, role);
    if (role !== 'admin' && role !== 'assistant') return party.clients[role];
    const colleague = createClient(server.url);
    await colleague.json('POST', '/auth/admin/login', party.accounts[role]);
    for (const cookie of colleague.cookies.values()) secrets.add(cookie);
    return colleague;
  }

  /** Expects that a refusal has one of our codes, and tells nothing of the event. */
  function expectNothingTold(name: string, text: string): void {
    if (name.startsWith('HEAD ')) return expect(text).toBe('');
    expect(errors).toHaveProperty((JSON.parse(text) as { code: string }).code);
    for (const told of [shared.event.title, shared.photo, 'Anna']) expect(text).not.toContain(told);
  }

  async function statusOf(name: string, party: Party, role: Role, asked = party.clients[role]): Promise<number> {
    const device = { guest: party.devices.guest, 'other guest': party.devices.other }[role as string];
    const secret = { token, program: party.program }[role as string];
    const bearer = secret && { authorization: `Bearer ${secret}` };
    const path = pathOf(name, party, role);
    // A new client, because cookies of an answer must not affect the next call.
    const client = createClient(server.url);
    for (const [cookie, value] of asked.cookies) client.cookies.set(cookie, value);
    if (name === 'POST /upload') {
      const form = new FormData();
      form.append('file', new Blob([(await drawPhoto(Math.floor(Math.random() * 1e6), 90, 60)) as Uint8Array<ArrayBuffer>]), 'a.jpg');
      const headers = { 'event-code': party.event.code, ...(device && { 'device-id': device }), ...bearer };
      return (await client.request(path, { method: 'POST', body: form, headers })).status;
    }
    const body = bodyOf(name, party);
    const leaving = new AbortController();
    const answer = await client.request(path, {
      method: name.split(' ')[0] as string,
      signal: leaving.signal,
      headers: {
        accept: 'application/json',
        ...(device && { 'device-id': device }),
        ...bearer,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(path.startsWith('/uploads') && tusHeaders(party.event.code)),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    // The stream of news does not end by itself.
    if (name.endsWith('/live') && answer.ok) leaving.abort();
    else {
      const text = await answer.text();
      if (answer.status === 401 || answer.status === 404) expectNothingTold(name, text);
    }
    return answer.status;
  }

  async function zipStatus({ clients, event }: Party): Promise<string> {
    return (await clients.host.json<{ status: string }>('GET', `/api/events/${event.code}/zip-progress`)).status;
  }

  return { admin, shared, secrets, createParty, again, statusOf, zipStatus };
}
