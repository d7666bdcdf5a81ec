import { randomBytes } from 'node:crypto';
import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import { ADMIN } from './server.ts';

/** A client with a cookie jar of its own, as a browser or a script of the operator would be. */
export interface Client {
  cookies: Map<string, string>;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends JSON, expects `status`, and returns the parsed body. */
  json<T = Record<string, never>>(method: string, path: string, body?: unknown, status?: number): Promise<T>;
}

/** Longest call, also beside other work, ms: shorter than a test's own limit, so that the test names the call. */
const LIMIT_MS = 200_000;

/** Makes a test's call. Throws an error with the call's name after LIMIT_MS. */
async function fetchInTime(url: string, init: RequestInit): Promise<Response> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    return await fetch(url, { signal: limit, ...init });
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new Error(`${init.method ?? 'GET'} ${url} had no answer after ${LIMIT_MS} ms`, { cause: error });
  }
}

/** Returns a client's cookies as a request's header. */
export const cookieOf = ({ cookies }: Pick<Client, 'cookies'>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

export function createClient(url: string): Client {
  const cookies = new Map<string, string>();
  const client: Client = {
    cookies,
    async request(path, init = {}) {
      const headers = new Headers(init.headers);
      if (cookies.size > 0) headers.set('cookie', cookieOf(client));
      if (!headers.has('sec-fetch-site')) headers.set('sec-fetch-site', 'same-origin');
      const response = await fetchInTime(url + path, { redirect: 'manual', ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const [name = '', value = ''] = pair.split('=');
        if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
    async json(method, path, body, status) {
      const response = await client.request(path, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      const text = await response.text();
      if (status === undefined ? !response.ok : response.status !== status) {
        throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
      }
      return (text ? JSON.parse(text) : undefined) as never;
    },
  };
  return client;
}

export interface EventUnderTest {
  id: string;
  code: string;
  title: string;
  host: { username: string; password: string };
}

export async function adminOf(url: string): Promise<Client> {
  const admin = createClient(url);
  await admin.json('POST', '/auth/admin/login', ADMIN, 200);
  return admin;
}

/** Returns the day `YYYY-MM-DD` that is so many days from today in Berlin. */
export function dayFromToday(days: number): string {
  return addDays(berlinDay(Date.now()), days);
}

/** A year whose days are to come, and not so far away that a form would ask about them. */
export const NEXT_YEAR = String(Number(dayFromToday(0).slice(0, 4)) + 1);

/** Days of an event whose photos' 30 days have long passed. */
export const LONG_OVER = { start_date: dayFromToday(-100), end_date: dayFromToday(-100) };

/** Settings of a guests' gallery that shows all photos, and gives out originals. */
export const OPEN_GALLERY = {
  mode: 'open',
  opens_at: null,
  photos_per_device: null,
  originals: true,
  own_meanwhile: true,
  wall_meanwhile: true,
};

/** Creates an event of today with a host's login. */
export async function createEvent(admin: Client, form: Record<string, unknown> = {}): Promise<EventUnderTest> {
  const today = dayFromToday(0);
  const event = await admin.json<{ id: string; code: string; title: string }>(
    'POST',
    '/admin/create_event',
    { title: 'Hochzeit Anna & Jörg', start_date: today, end_date: today, ...form },
    201,
  );
  const host = await admin.json<{ username: string; password: string }>(
    'POST',
    `/admin/events/${event.id}/user`,
    { username: event.code },
    201,
  );
  return { ...event, host };
}

export async function hostOf(url: string, event: EventUnderTest): Promise<Client> {
  const host = createClient(url);
  await host.json('POST', '/auth/user/login', event.host, 200);
  return host;
}

/** Makes the client of a projector's browser that the host has locked. */
export async function projectorOf(url: string, event: EventUnderTest): Promise<Client> {
  const host = await hostOf(url, event);
  await host.json('POST', `/api/events/${event.code}/slideshow-lock`, undefined, 204);
  return host;
}

/** Gets a device id from the server. */
export async function deviceOf(url: string): Promise<string> {
  const { device_id } = await createClient(url).json<{ device_id: string }>('GET', '/device_id');
  return device_id;
}

export interface UploadOptions {
  url: string;
  code: string;
  device: string;
  file: Uint8Array;
  name?: string;
  deviceName?: string;
  linkToken?: string;
  password?: string;
  signal?: AbortSignal;
  /** The second half of the bytes is sent after this, as on a slow line. */
  rest?: Promise<unknown>;
}

/** Uploads as the guest's page does. */
export async function upload(options: UploadOptions): Promise<Response> {
  const form = new FormData();
  form.append('file', new Blob([options.file as Uint8Array<ArrayBuffer>]), options.name ?? `${randomBytes(4).toString('hex')}.jpg`);
  form.append('eventCode', options.code);
  form.append('deviceName', options.deviceName ?? 'Anna');
  const whole = new Response(form);
  const slow = options.rest && { body: inHalves(await whole.bytes(), options.rest), duplex: 'half' };
  return fetchInTime(`${options.url}/upload`, {
    method: 'POST',
    ...(slow ?? { body: form }),
    headers: {
      ...(slow && { 'content-type': whole.headers.get('content-type')! }),
      'device-id': options.device,
      'event-code': options.code,
      'device-name': encodeURIComponent(options.deviceName ?? 'Anna'),
      ...(options.password !== undefined && { 'event-password': encodeURIComponent(options.password) }),
      ...(options.linkToken !== undefined && { 'link-token': options.linkToken }),
    },
    ...(options.signal && { signal: options.signal }),
  });
}

/** Makes a request's body of these bytes; its second half comes after `rest`. */
const inHalves = (bytes: Uint8Array, rest: Promise<unknown>): ReadableStream =>
  new ReadableStream({
    async start(body) {
      const half = Math.ceil(bytes.length / 2);
      body.enqueue(bytes.subarray(0, half));
      await rest;
      body.enqueue(bytes.subarray(half));
      body.close();
    },
  });
