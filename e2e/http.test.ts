import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminOf, createEvent, deviceOf, hostOf, upload, type Client, type EventUnderTest } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe('HTTP, as clients other than ours speak it', () => {
  let server: TestServer;
  let event: EventUnderTest;
  let host: Client;
  let photo: string;
  beforeAll(async () => {
    server = await startServer();
    event = await createEvent(await adminOf(server.url));
    const stored = await upload({ url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1) });
    photo = ((await stored.json()) as { photo: { id: string } }).photo.id;
    host = await hostOf(server.url, event);
  });
  afterAll(() => server?.dispose());

  it('takes an empty body that is called JSON for none', async () => {
    const flip = () => host.request(`/api/photos/${photo}/slideshow`, { method: 'PUT', headers: JSON_TYPE });
    expect(await (await flip()).json()).toEqual({ slideshow: false });
    expect(await (await flip()).json()).toEqual({ slideshow: true });
    const link = await host.request(`/api/photos/${photo}/link`, { method: 'POST', headers: JSON_TYPE });
    expect(link.status).toBe(201);
  });

  it.each(['{', '{"__proto__": {"value": true}}', '{"constructor": {"prototype": {}}}'])('refuses %s as body', async (body) => {
    const answer = await host.request(`/api/photos/${photo}/slideshow`, { method: 'PUT', headers: JSON_TYPE, body });
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'invalid_input']);
  });
});
