import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Call } from '@feierbild/contract/call.ts';
import { SELECTION_PHOTOS } from '@feierbild/contract/constants.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { treeCpuMs } from '../bench/support/processes.ts';
import { progressiveJpeg } from '../server/src/images/testing/bombs.ts';
import { adminOf, cookieOf, createClient, createEvent, deviceOf } from './support/api.ts';
import { AS_DELIVERED, startServer, type TestServer } from './support/server.ts';

const MB = 1e6;
/** Limits of a JSON body and of an upload's part, bytes. */
const JSON_BYTES = 64_000;
const PART_BYTES = 8 * MB;
const PASSWORD = 'Blütenfest';

/** Calls without a login that have nothing to refuse. */
const NEVER_REFUSED = [
  'GET /auth/check',
  'POST /auth/logout',
  'GET /device_id',
  'OPTIONS /uploads',
  'GET /api/receipt-keys',
  'GET /api/accessibility',
  'GET /api/site',
  'GET /api/openapi.json',
  'GET /health',
  'GET /ready',
];
/** Calls that need a login, which in the public demo is free, and the folder of a Fotobox. */
const BESIDE = ['POST /api/events/:ref/selections', '/dav/{eventCode}/ (WebDAV)'];
const FREE: ReadonlySet<Call['access']> = new Set(['anyone', 'device', 'photo', 'picture', 'original']);

/** Upper bounds of a refusal: `ms` are multiples of measured times, for slow machines; `hashes` count the time of a wrong password. */
const MOST = {
  lookUp: { ms: 25, mb: 80 },
  body: { ms: 100, mb: 120 },
  preview: { ms: 1000, mb: 80 },
  hash: { hashes: 1.6, mb: 200 },
  /** Calls that check two passwords: the event's and its Fotobox's. */
  twoHashes: { hashes: 2.6, mb: 200 },
} satisfies Record<string, { ms?: number; hashes?: number; mb: number }>;
const HASH_MS = 2000;
/** Measured requests: fewer for passwords, which take much longer than the kernel's clock ticks. */
const RUNS = 10;
const HASHES = 2;

/** A request, its expected status, and the bound of its cost. */
interface Refused {
  request: [method: string, path: string];
  headers?: Record<string, string>;
  /** Headers that carry a wrong password; each request has another one, because a repeated one may cost nothing. */
  guess?: (password: string) => Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  status: number;
  most: keyof typeof MOST;
}

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  headers: { ...headers, 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
/** Deeply nested JSON with a word that makes the parser search it once more. */
const NESTED = `${'['.repeat(JSON_BYTES / 2 - 20)}"__proto__"${']'.repeat(JSON_BYTES / 2 - 20)}`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const token = (): string => randomBytes(16).toString('base64url');

/** Where the refused calls go: an event with passwords and a guest's device, and the demo with a session of its host. */
interface Party {
  code: string;
  device: string;
  demo: { code: string; cookie: string };
}

/** Returns the most expensive known refusal of each call. */
function dearest({ code, device, demo }: Party): Record<string, Refused> {
  const own = { 'device-id': device };
  const tus = { ...own, 'tus-resumable': '1.0.0' };
  const about = { 'upload-length': '1000000', 'upload-metadata': `filename ${base64('a.jpg')},eventCode ${base64(code)}` };
  const guess = (password: string) => ({ 'event-password': encodeURIComponent(password) });
  const right = { 'event-password': encodeURIComponent(PASSWORD) };
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  const octets = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' };
  const guessInFolder = (password: string) => ({ authorization: `Basic ${base64(`${code}:${password}`)}` });
  const [key, id] = [token(), randomUUID()];
  const lookUp = { most: 'lookUp', status: 404 } as const;
  const unknownCode = (rest: string): Refused => ({ request: ['GET', `/api/events/AAAAAAAA/${rest}`], headers: own, ...lookUp });
  const unknownPhoto = (method: string, rest = ''): Refused => ({ request: [method, `/api/photos/${id}${rest}`], headers: own, ...lookUp });
  const link = (path: string): Refused => ({ request: ['POST', path], ...json({ code, token: key }), status: 401, most: 'lookUp' });
  return {
    'POST /auth/user/login': {
      request: ['POST', '/auth/user/login'],
      ...json({ username: code, password: 'falsch' }),
      status: 401,
      most: 'hash',
    },
    'POST /auth/admin/login': {
      request: ['POST', '/auth/admin/login'],
      ...json({ username: 'x', password: 'falsch' }),
      status: 401,
      most: 'hash',
    },
    'POST /auth/gallery/login': link('/auth/gallery/login'),
    'POST /auth/helper/login': link('/auth/helper/login'),
    'POST /auth/wall/login': { request: ['POST', '/auth/wall/login'], ...json({ typed: 'ABCD2345' }), status: 401, most: 'hash' },
    'POST /auth/invitation': { ...link('/auth/invitation'), status: 410 },
    'POST /auth/invitation/accept': {
      ...link('/auth/invitation/accept'),
      ...json({ code, token: key, password: 'ein langes Kennwort' }),
      status: 410,
    },
    'POST /abmelden/:token': { request: ['POST', `/abmelden/${id}.begins.${key}`], ...json({ on: false }), ...lookUp },
    'GET /event/:code': { request: ['GET', `/event/${code}`], guess, status: 403, most: 'twoHashes' },
    'GET /event/:code/max': { request: ['GET', '/event/AAAAAAAA/max'], ...lookUp },
    'GET /api/events/:ref/has-password': unknownCode('has-password'),
    'POST /upload': {
      request: ['POST', '/upload'],
      headers: { ...own, ...form, 'event-code': code },
      guess,
      body: Buffer.alloc(PART_BYTES),
      status: 403,
      most: 'twoHashes',
    },
    'POST /uploads': { request: ['POST', '/uploads'], headers: { ...tus, ...about }, guess, status: 403, most: 'twoHashes' },
    'HEAD /uploads/:key': { request: ['HEAD', `/uploads/${key}`], headers: tus, ...lookUp },
    'PATCH /uploads/:key': {
      request: ['PATCH', `/uploads/${key}`],
      headers: { ...tus, ...octets },
      body: Buffer.alloc(PART_BYTES),
      status: 404,
      most: 'body',
    },
    'PUT /uploads/:key/preview': {
      // The server accepts this preview, which is a picture.
      request: ['PUT', `/uploads/${token()}/preview`],
      headers: { ...tus, ...about, ...right, 'content-type': 'image/jpeg' },
      body: Buffer.from(progressiveJpeg(1700, 1700, 69)),
      status: 201,
      most: 'preview',
    },
    'DELETE /uploads/:key': { request: ['DELETE', `/uploads/${key}`], headers: tus, ...lookUp },
    'GET /api/events/:ref/receipt': { request: ['GET', `/api/events/${code}/receipt?token=${key}`], ...lookUp },
    'GET /api/events/:code/disclosure-link': unknownCode('disclosure-link'),
    'POST /api/events/:ref/known': {
      request: ['POST', `/api/events/${code}/known`],
      ...json({ fingerprints: Array.from({ length: JSON_BYTES / 2 - 20 }, () => 1) }, own),
      status: 400,
      most: 'body',
    },
    'GET /api/events/:ref/my-photos': unknownCode('my-photos'),
    'GET /api/photos/:id/thumbnail': unknownPhoto('GET', '/thumbnail'),
    'GET /api/photos/:id/preview': unknownPhoto('GET', '/preview'),
    'GET /api/photos/:id/download': unknownPhoto('GET', '/download'),
    'GET /api/photos/:id/video': unknownPhoto('GET', '/video'),
    'PUT /api/photos/:id/poster': { ...unknownPhoto('PUT', '/poster'), headers: { ...own, ...form }, body: Buffer.alloc(400_000) },
    'DELETE /api/photos/:id': unknownPhoto('DELETE'),
    'GET /api/photos/temp_download/:token': {
      request: ['GET', `/api/photos/temp_download/${Buffer.alloc(28, 7).toString('base64url')}`],
      status: 400,
      most: 'lookUp',
    },
    'GET /api/events/:ref/booth-key': {
      request: ['GET', `/api/events/${code}/booth-key`],
      guess,
      status: 403,
      most: 'hash',
    },
    'GET /api/link-previews/:id': { request: ['GET', `/api/link-previews/${key}`], ...lookUp },
    'GET /api/pictures/:id': { request: ['GET', `/api/pictures/${id}`], ...lookUp },
    'POST /api/reports': { request: ['POST', '/api/reports'], ...json(NESTED), status: 400, most: 'body' },
    'GET /admin/calendar.ics': { request: ['GET', `/admin/calendar.ics?token=${key}`], status: 401, most: 'lookUp' },
    'POST /api/events/:ref/selections': {
      request: ['POST', `/api/events/${demo.code}/selections`],
      ...json({ photos: Array.from({ length: SELECTION_PHOTOS }, () => randomUUID()) }, { cookie: demo.cookie }),
      status: 404,
      most: 'body',
    },
    '/dav/{eventCode}/ (WebDAV)': {
      request: ['PROPFIND', `/dav/${code}/`],
      headers: { 'content-type': 'application/xml' },
      guess: guessInFolder,
      body: `<propfind>${'<a>'.repeat(10_000)}`,
      status: 401,
      most: 'hash',
    },
  };
}

describe.skipIf(process.platform !== 'linux')('the dearest refusal', () => {
  let server: TestServer;
  let calls: Record<string, Refused>;
  /** Processor time of a wrong password on this machine. */
  let hashMs: number;
  let asked = 0;
  /** Sends each request from another network, because the refusals of a rate limit cost nothing. */
  const ask = async ({ request: [method, path], headers, guess, body }: Refused): Promise<number> => {
    asked += 1;
    const from = { 'x-forwarded-for': `10.${asked >> 8}.${asked & 255}.1`, 'sec-fetch-site': 'same-origin' };
    const given = { ...headers, ...guess?.(`falsch ${asked}`), ...from };
    const answer = await fetch(server.url + path, { method, headers: given, ...(body !== undefined && { body }) });
    await answer.arrayBuffer();
    return answer.status;
  };
  /** Reads a line of the server process's status. */
  const memoryMb = (line: string): number =>
    Number(new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${server.process.pid}/status`, 'latin1'))?.[1]) / 1000;
  const costOf = async (refused: Refused): Promise<{ status: number; ms: number; mb: number }> => {
    const status = await ask(refused);
    const root = server.process.pid as number;
    // The kernel counts the process's peak memory from here on.
    writeFileSync(`/proc/${root}/clear_refs`, '5');
    const [memory, cpuMs] = [memoryMb('VmRSS'), treeCpuMs(root)];
    const runs = 'hashes' in MOST[refused.most] ? HASHES : RUNS;
    for (let run = 0; run < runs; run++) await ask(refused);
    return { status, ms: (treeCpuMs(root) - cpuMs) / runs, mb: memoryMb('VmHWM') - memory };
  };

  beforeAll(async () => {
    server = await startServer({ TRUST_PROXY: '127.0.0.1', DEMO: 'on' }, AS_DELIVERED);
    const host = createClient(server.url);
    const shown = async () => (await host.json<{ demo: { code: string; password: string } | null }>('GET', '/api/site')).demo;
    const demo = await vi.waitUntil(shown, { timeout: 60_000, interval: 200 });
    await host.json('POST', '/auth/user/login', { username: demo.code, password: demo.password }, 200);
    const passwords = {
      with_upload_password: true,
      user_upload_password: PASSWORD,
      with_fotobox: true,
      fotobox_upload_password: 'kasten-wort',
    };
    const { code } = await createEvent(await adminOf(server.url), passwords);
    calls = dearest({ code, device: await deviceOf(server.url), demo: { code: demo.code, cookie: cookieOf(host) } });
    hashMs = (await costOf(calls['POST /auth/user/login'] as Refused)).ms;
  });
  afterAll(() => server?.dispose());

  it('is known of each call without a login', () => {
    const free = Object.entries(contract as Record<string, Call>).flatMap(([name, { access }]) => (FREE.has(access) ? [name] : []));
    expect(Object.keys(calls).concat(NEVER_REFUSED).toSorted()).toEqual([...free, ...BESIDE].toSorted());
    expect(hashMs).toBeLessThan(HASH_MS);
  });

  it.each(Object.keys(dearest({ code: '', device: '', demo: { code: '', cookie: '' } })))('of %s is bounded', async (name) => {
    const refused = calls[name] as Refused;
    const { status, ms, mb } = await costOf(refused);
    const { ms: most = 0, hashes = 0, mb: mostMb }: { ms?: number; hashes?: number; mb: number } = MOST[refused.most];
    expect([status, ms < most + hashes * hashMs, mb < mostMb], `${ms} ms, ${mb} MB`).toEqual([refused.status, true, true]);
  });
});
