import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { EventForm } from '@feierbild/contract/event-form.ts';
import sharp from 'sharp';
import { createApp } from '../app.ts';
import { readConfig } from '../config/config.ts';
import type { Db } from '../database/open.ts';
import type { EventRow } from '../database/rows.ts';
import { createLazyDecoder } from '../foundation.ts';
import type { Decoder } from '../images/decoder.ts';
import type { Bytes } from '../lib/bytes.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { randomCode, uuidv7 } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { wireFeatures, type Overrides, type Features } from '../wiring.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { createFolderStore } from '../storage/folder-store.ts';
import { createStaging } from '../storage/staging.ts';
import { RUN_FOLDER } from '../testing/run-folder.ts';
import { createQuickVault } from '../vault/testing/quick-vault.ts';
import type { KeyPair, Vault } from '../vault/vault.ts';
import { columnsOf } from './events/create-event.ts';

/** For tests: the whole server, with its own database, folder store and decoder. It has no port: tests use `fastify.inject`. */
export interface PortlessApp extends Omit<Features, 'close'> {
  fastify: Awaited<ReturnType<typeof createApp>>;
  /** Creates an event of today and its host's cookie; `changes` overwrite columns of its row. */
  event(
    changes?: Partial<EventRow>,
    passwords?: { upload?: string; fotobox?: string },
  ): Promise<{ id: string; code: string; cookie: string; privateKey: Bytes }>;
  row(eventId: string): Promise<EventRow>;
  /** Lists the files in staging and in the photo store. */
  leftovers(): Promise<{ staged: string[]; blobs: string[] }>;
  close(): Promise<void>;
}

export type Headers = Record<string, string>;

/** For tests: the whole server with a port. */
export interface TestApp extends PortlessApp {
  url: string;
  port: number;
  /** Sends a request as a page of the server does; `body` goes as JSON. */
  call(method: string, path: string, headers?: Headers, body?: unknown): Promise<Response>;
  /** Sends a request and returns the body of the answer. Throws if that is a refusal. */
  json<T>(method: string, path: string, headers?: Headers, body?: unknown): Promise<T>;
  upload(
    code: string,
    file: Uint8Array | File,
    options?: UploadOptions,
  ): Promise<{ status: number; photo: Photo; code: string; body: string }>;
}

export interface UploadOptions {
  device?: string;
  headers?: Record<string, string>;
  fields?: Record<string, string>;
  /** Form fields after the file. */
  trailing?: Record<string, string>;
}

interface Wiring {
  db: Db;
  /** The folder of photos and staging. */
  folder: string;
  decoder?: Decoder;
  vault?: Vault;
  clock?: Clock;
  maxBytes?: number;
  publicUrl?: string;
  /** Further settings, by the names of their environment variables. */
  env?: Record<string, string>;
  /** Wraps the store that the features use. */
  wrapStore?: (store: BlobStore) => BlobStore;
  uploads?: NonNullable<Overrides['uploads']>;
  /** Resolves the names in webhooks' addresses. */
  resolve?: Overrides['resolve'];
  webhookPrivate?: boolean;
  boothsPrivate?: boolean;
}

/** For tests: all features as the server wires them. Nothing is started yet. */
export function wireApp({
  db,
  folder,
  decoder = createLazyDecoder(createLog('silent')),
  vault = createQuickVault(),
  clock = systemClock,
  maxBytes = 5_000_000,
  publicUrl,
  env = {},
  wrapStore = (store) => store,
  uploads = {},
  resolve,
  webhookPrivate = false,
  boothsPrivate = false,
}: Wiring): Features {
  const read = readConfig({ DATA_DIR: folder, DEMO: 'off', ...(publicUrl && { PUBLIC_URL: publicUrl }), ...env });
  if ('mistakes' in read) throw new Error(read.mistakes.join('\n'));
  const blobs = wrapStore(createFolderStore({ folder: join(folder, 'photos') }));
  const staging = createStaging({ folder: join(folder, 'staging'), uncached: true });
  const config = { ...read.config, maxUploadBytes: maxBytes, webhookPrivate };
  return wireFeatures(
    config,
    createLog('silent'),
    { db, blobs, staging, decoder, vault, clock },
    { uploads, boothsPrivate, ...(resolve && { resolve }) },
  );
}

type AppWiring = Pick<
  Wiring,
  'db' | 'decoder' | 'maxBytes' | 'clock' | 'wrapStore' | 'env' | 'resolve' | 'webhookPrivate' | 'boothsPrivate'
> &
  NonNullable<Overrides['uploads']>;

export async function openPortless({
  db,
  decoder = createLazyDecoder(createLog('silent')),
  maxBytes = 5_000_000,
  clock = systemClock,
  wrapStore = (store) => store,
  env = {},
  resolve,
  webhookPrivate = false,
  boothsPrivate = false,
  ...uploads
}: AppWiring): Promise<PortlessApp> {
  const folder = await mkdtemp(join(RUN_FOLDER, 'app-'));
  const features = wireApp({ db, folder, decoder, maxBytes, clock, wrapStore, env, uploads, resolve, webhookPrivate, boothsPrivate });
  const { sessions, settings, vault, blobs } = features;
  await settings.start();
  const fastify = await createApp({ ...features, metrics: null }, null);

  return {
    ...features,
    fastify,
    async event(changes = {}, passwords = {}) {
      const { id, code, keys } = await addEvent({ db, vault }, { created_at: clock.now(), ...changes });
      for (const [kind, password] of Object.entries(passwords)) {
        const verifier = await vault.createVerifier(password);
        await db.kysely
          .insertInto('event_passwords')
          .values({ event_id: id, kind, verifier, sealed: Buffer.alloc(1) })
          .execute();
      }
      const { token } = await db.transaction((trx) => sessions.start('user', id, keys, trx));
      return { id, code, cookie: `feierbild_host=${token}`, privateKey: keys.privateKey };
    },
    row: (eventId) => db.kysely.selectFrom('events').selectAll().where('id', '=', eventId).executeTakeFirstOrThrow(),
    async leftovers() {
      const stored = await Array.fromAsync(blobs.list(''));
      return { staged: await readdir(join(folder, 'staging')), blobs: stored.map(({ key }) => key).sort() };
    },
    async close() {
      await features.close();
      await blobs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function openApp(wiring: AppWiring & { decoder: Decoder }): Promise<TestApp> {
  const app = await openPortless(wiring);
  await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.fastify.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const call: TestApp['call'] = (method, path, headers = {}, body) =>
    fetch(url + path, {
      method,
      headers: { 'sec-fetch-site': 'same-origin', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  return {
    ...app,
    url,
    port,
    call,
    async json<T>(method: string, path: string, headers?: Headers, body?: unknown): Promise<T> {
      const answer = await call(method, path, headers, body);
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    async upload(code, file, { device = newDevice(), headers = {}, fields = {}, trailing = {} } = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', file instanceof File ? file : new File([Buffer.from(file)], 'IMG_0042.jpg', { type: 'image/jpeg' }));
      for (const [name, value] of Object.entries(trailing)) form.append(name, value);
      const response = await fetch(`${url}/upload`, {
        method: 'POST',
        body: form,
        headers: { 'device-id': device, ...(code && { 'event-code': code }), ...headers },
      });
      const body = await response.text();
      const json = JSON.parse(body) as { photo: Photo; code: string };
      return { status: response.status, photo: json.photo, code: json.code, body };
    },
    async close() {
      await app.fastify.close();
      await app.close();
    },
  };
}

/** Returns the cookie of a login's answer, for the next call. */
export const cookieOf = (answer: Response): { cookie: string } => ({ cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' });

/** Returns status and code of a refusal, and its further fields except the text. */
export async function refusal(answer: Response): Promise<unknown[]> {
  const { code, error: _text, ...rest } = (await answer.json()) as { code: string; error: string };
  return Object.keys(rest).length > 0 ? [answer.status, code, rest] : [answer.status, code];
}

export function newDevice(): string {
  return randomBytes(16).toString('base64url');
}

/** Draws a small JPEG, a different one each time. */
export async function drawPhoto({ width = 160, height = 120 } = {}): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}

/**
 * Adds an event with its keys, as the form makes it for the day of `created_at`, without a login; `changes` overwrite columns of its row.
 */
export async function addEvent(
  { db, vault }: { db: Db; vault: Vault },
  { created_at, ...changes }: Partial<EventRow> & { created_at: number },
): Promise<{ id: string; code: string; keys: KeyPair }> {
  const [id, code, keys] = [uuidv7(created_at), randomCode(8), vault.createKeyPair()];
  const day = berlinDay(created_at);
  const columns = columnsOf(EventForm.parse({ title: 'Fest', start_date: day, end_date: day }));
  const empty = { used_bytes: 0, photo_count: 0, device_count: 0, purging_at: null, purged_at: null, version: 1 };
  await db.kysely
    .insertInto('events')
    .values({ id, code, ...columns, ...empty, created_at, ...changes })
    .execute();
  await db.kysely
    .insertInto('event_keys')
    .values({ event_id: id, public_key: keys.publicKey, sealed_for_operator: Buffer.alloc(1) })
    .execute();
  await db.kysely.insertInto('event_secrets').values({ event_id: id, id: 1, secret: vault.createEventSecret() }).execute();
  return { id, code, keys };
}
