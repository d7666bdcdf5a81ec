import type { Call } from '@feierbild/contract/call.ts';
import { TUS_VERSION } from '@feierbild/contract/constants.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminOf,
  createClient,
  createEvent,
  dayFromToday,
  deviceOf,
  hostOf,
  projectorOf,
  upload,
  type Client,
  type EventUnderTest,
} from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

/** What a stranger gets from calls with this access. */
const STRANGER = { host: 401, slideshow: 401, admin: 401, device: 400, photo: 404, picture: 404 };
/** All that a locked slideshow may do. */
const SHOWN = [
  'GET /api/events/:ref/slideshow',
  'GET /api/events/:ref/live',
  'GET /api/photos/:id/thumbnail',
  'GET /api/photos/:id/preview',
];

describe('who may call what', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let photo: string;
  let projector: Client;

  beforeAll(async () => {
    server = await startServer();
    event = await createEvent(await adminOf(server.url));
    const stored = await upload({
      url: server.url,
      code: event.code,
      device: await deviceOf(server.url),
      file: await drawPhoto(1, 200, 150),
    });
    photo = (await stored.json()).photo.id;
    projector = await projectorOf(server.url, event);
  });
  afterAll(() => server?.dispose());

  const guarded = (Object.entries(contract) as [string, Call][]).filter(([, { access }]) => access !== 'anyone');
  const pathOf = (name: string): string => {
    const pattern = name.split(' ')[1] as string;
    const id = pattern.startsWith('/api/photos') ? photo : event.id;
    return pattern.replace(':ref', event.code).replace(':id', id);
  };
  const send = (name: string, client = createClient(server.url), init: RequestInit = {}) =>
    client.request(pathOf(name), {
      ...init,
      method: name.split(' ')[0] as string,
      headers: { accept: 'application/json', ...(name.includes('/uploads') && { 'tus-resumable': TUS_VERSION }), ...init.headers },
    });
  /** What calls need that do not do without; all others get an empty body. */
  const bodies: Record<string, () => object> = {
    'PUT /api/events/:ref/nsfw_check': () => ({ value: true }),
    'PUT /api/events/:ref/random_slideshow': () => ({ value: true }),
    'PUT /api/events/:ref/slideshow_names': () => ({ value: true }),
    'POST /api/events/:ref/selections': () => ({ photos: [photo] }),
  };

  it.each(guarded)('%s reveals nothing to a visitor without access', async (name, { access }) => {
    const answer = await send(name);
    expect(answer.status).toBe(STRANGER[access as keyof typeof STRANGER]);
    const text = await answer.text();
    expect(text).not.toContain(event.title);
    // The answer to a HEAD has no body.
    if (name.startsWith('HEAD ')) expect(text).toBe('');
    else expect(errors).toHaveProperty(JSON.parse(text).code);
  });

  it.each(guarded.filter(([, { access }]) => access !== 'admin' && access !== 'device'))(
    '%s tells the host of another event nothing',
    async (name) => {
      const other = await createEvent(await adminOf(server.url), { title: 'Anderes Fest' });
      const body = bodies[name]?.();
      const answer = await send(name, await hostOf(server.url, other), {
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect(answer.status).toBe(name.includes('/api/photos/') ? 404 : 401);
      expect(await answer.text()).not.toContain(event.title);
    },
  );

  it.each(guarded.filter(([, { access }]) => access === 'admin'))('%s is not for hosts', async (name) => {
    expect((await send(name, await hostOf(server.url, event))).status).toBe(401);
  });

  it.each(SHOWN)('%s is for the locked slideshow of the event, and no other', async (name) => {
    const controller = new AbortController();
    const answer = await projector.request(pathOf(name), { signal: controller.signal });
    expect(answer.status).toBe(200);
    // News never end by themselves.
    controller.abort();
    const other = await createEvent(await adminOf(server.url), { title: 'Anderes Fest' });
    const { access } = contract[name as keyof typeof contract];
    expect((await send(name, await projectorOf(server.url, other))).status).toBe(STRANGER[access as keyof typeof STRANGER]);
  });

  it.each(guarded.filter(([name]) => !SHOWN.includes(name)))(
    '%s refuses the locked slideshow like a stranger',
    async (name, { access }) => {
      const answer = await send(name, projector);
      expect(answer.status).toBe(STRANGER[access as keyof typeof STRANGER]);
      const body = await answer.text();
      for (const secret of [event.title, 'Anna', photo]) expect(body).not.toContain(secret);
    },
  );

  it('lets the locked slideshow see what is in the slideshow only, without names, as long as there is one', async () => {
    const admin = await adminOf(server.url);
    const party = await createEvent(admin);
    const file = await drawPhoto(2, 200, 150);
    const stored = await upload({ url: server.url, code: party.code, device: await deviceOf(server.url), file, name: 'geheim.jpg' });
    const { id } = (await stored.json()).photo as { id: string };
    const locked = await projectorOf(server.url, party);
    const host = await hostOf(server.url, party);
    const list = await (await locked.request(`/api/events/${party.code}/slideshow`)).text();
    expect(list).toContain(id);
    for (const name of ['Anna', 'geheim', party.title]) expect(list).not.toContain(name);
    const pictures = async () => {
      const answers = ['thumbnail', 'preview'].map((kind) => locked.request(`/api/photos/${id}/${kind}`));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await pictures()).toEqual([200, 200]);
    await host.json('PUT', `/api/photos/${id}/slideshow`, { value: false });
    expect(await pictures()).toEqual([404, 404]);
    await host.json('PUT', `/api/photos/${id}/slideshow`, { value: true });
    expect(await pictures()).toEqual([200, 200]);
    const today = dayFromToday(0);
    const form = { title: party.title, start_date: today, end_date: today, with_slideshow: false };
    await admin.json('PUT', `/admin/events/${party.id}`, form);
    expect(await pictures()).toEqual([404, 404]);
  });

  it('refuses whatever changes something from another site, whoever is logged in', async () => {
    const admin = await adminOf(server.url);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
      expect((await admin.request(`/admin/events/${event.id}`, { method: 'DELETE', headers })).status).toBe(403);
    }
    const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await fetch(`${server.url}/admin/events/${event.id}`, { method: 'DELETE', headers: { cookie, origin } });
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
  });

  it('sends strict headers with pages and calls, and allows no other origin to read', async () => {
    for (const path of ['/', '/api/site', `/event/${event.code}`]) {
      const { headers } = await fetch(server.url + path, { headers: { accept: 'text/html', origin: 'https://evil.example' } });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });
});
