import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastifyMultipart from '@fastify/multipart';
import type { Photo } from '@feierbild/contract/entities.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import sharp from 'sharp';
import type { Db } from '../database/open.ts';
import type { EventRow } from '../database/schema.ts';
import { createHttp } from '../http/bind.ts';
import { translateErrors } from '../http/errors.ts';
import { refuseForeignOrigins } from '../http/origin.ts';
import type { Decoder } from '../images/decoder.ts';
import type { Bytes } from '../lib/bytes.ts';
import { systemClock, type Clock } from '../lib/clock.ts';
import { randomCode, uuidv7 } from '../lib/ids.ts';
import { createLog } from '../lib/log.ts';
import { createFolderStore } from '../storage/folder-store.ts';
import { createStaging } from '../storage/folder-staging.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { createQuickVault } from '../vault/testing/quick-vault.ts';
import type { Accounts } from './accounts/accounts.ts';
import { wireLogins } from './accounts/testing.ts';
import type { Admins } from './admins/admins.ts';
import type { Limits } from './limits/limits.ts';
import type { Sessions } from './sessions/sessions.ts';
import { createEvents, type Events } from './events/events.ts';
import { eventRoutes } from './events/events.routes.ts';
import { linkRoutes } from './links/links.routes.ts';
import { createLinks, type Links } from './links/links.ts';
import { liveRoutes } from './live/live.routes.ts';
import { createLive, type Live } from './live/live.ts';
import { photoRoutes } from './photos/photos.routes.ts';
import { createPhotos, type Photos } from './photos/photos.ts';
import type { PlainMemory } from './uploads/plain-memory.ts';
import { uploadRoutes } from './uploads/uploads.routes.ts';
import { createUploads, type Uploads } from './uploads/uploads.ts';

/** For tests: photos and uploads over HTTP on a real database, folder store and decoder. */
export interface House {
  url: string;
  port: number;
  db: Db;
  blobs: BlobStore;
  links: Links;
  live: Live;
  limits: Limits;
  sessions: Sessions;
  events: Events;
  accounts: Accounts;
  admins: Admins;
  uploads: Uploads;
  photos: Photos;
  /** What the ZIP was told when a photo went. */
  deletions: { eventId: string; receivedAt: number }[];
  /** A joinable event with its host's cookie; `changes` are its row's. */
  event(
    changes?: Partial<EventRow>,
    passwords?: { upload?: string; fotobox?: string },
  ): Promise<{ id: string; code: string; cookie: string; privateKey: Bytes }>;
  row(eventId: string): Promise<EventRow>;
  upload(
    code: string,
    file: Uint8Array | File,
    options?: UploadOptions,
  ): Promise<{ status: number; photo: Photo; code: string; body: string }>;
  /** Files that staging and the photo store hold. */
  leftovers(): Promise<{ staged: string[]; blobs: string[] }>;
  close(): Promise<void>;
}

export interface UploadOptions {
  device?: string;
  headers?: Record<string, string>;
  fields?: Record<string, string>;
  /** Fields after the file. */
  trailing?: Record<string, string>;
}

export async function openHouse({
  db,
  decoder,
  maxBytes = 5_000_000,
  stall,
  memory,
  clock = systemClock,
  wrapStore = (store) => store,
}: {
  db: Db;
  decoder: Decoder;
  maxBytes?: number;
  stall?: number;
  memory?: PlainMemory;
  clock?: Clock;
  /** To stand between the features and the store. */
  wrapStore?: (store: BlobStore) => BlobStore;
}): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-house-'));
  const log = createLog('silent');
  const vault = createQuickVault();
  const blobs = wrapStore(createFolderStore({ folder: join(folder, 'photos') }));
  const staging = createStaging({ folder: join(folder, 'staging'), uncached: true });
  const logins = wireLogins({ db, vault, clock });
  const { accounts, admins, sessions, limits } = logins;
  const events = createEvents({ ...logins, blobs });
  const deletions: House['deletions'] = [];
  const live = createLive({ db, log });
  const photos = createPhotos({
    db,
    blobs,
    vault,
    decoder,
    log,
    onDeleted: async (_trx, eventId, receivedAt) => void deletions.push({ eventId, receivedAt }),
    onChanged: live.announce,
  });
  const links = createLinks({ db, vault, decoder, photos, staging, clock });
  const uploads = createUploads({
    db,
    blobs,
    staging,
    vault,
    decoder,
    events,
    photos,
    links,
    onStored: (eventId) => live.announce(eventId, 'came'),
    clock,
    log,
    maxBytes,
    ...(stall !== undefined && { stallMs: stall }),
    ...(memory && { memory }),
  });

  const app: FastifyInstance = Fastify({ bodyLimit: 65_536 });
  translateErrors(app);
  refuseForeignOrigins(app, null);
  await app.register(fastifyCookie);
  await app.register(fastifyMultipart);
  const http = createHttp(app, logins.visitors);
  eventRoutes(http, events, { maxFileBytes: maxBytes });
  photoRoutes(http, photos, events);
  linkRoutes(http, links, photos);
  liveRoutes(http, { live, events, sessions });
  uploadRoutes(http, uploads);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  return {
    url,
    port,
    db,
    blobs,
    links,
    live,
    limits,
    sessions,
    events,
    accounts,
    admins,
    uploads,
    photos,
    deletions,
    async event(changes = {}, passwords = {}) {
      const id = uuidv7(clock.now());
      const code = randomCode(8);
      const keys = vault.createKeyPair();
      const flags = {
        with_nsfw_check: 0,
        with_random_slideshow: 0,
        with_fotobox: 0,
        with_user_upload: 1,
        with_slideshow: 1,
        with_videos: 0,
      };
      await db.kysely
        .insertInto('events')
        .values({
          id,
          code,
          title: 'Fest',
          subtitle: '',
          start_date: '2026-05-17',
          end_date: '2026-05-17',
          is_active: 1,
          ...flags,
          with_upload_password: 0,
          storage_limit: null,
          used_bytes: 0,
          photo_count: 0,
          device_count: 0,
          created_at: clock.now(),
          purging_at: null,
          purged_at: null,
          version: 1,
          ...changes,
        })
        .execute();
      await db.kysely
        .insertInto('event_keys')
        .values({ event_id: id, public_key: keys.publicKey, sealed_for_operator: Buffer.alloc(1) })
        .execute();
      for (const [kind, password] of Object.entries(passwords)) {
        const verifier = await vault.createVerifier(password);
        await db.kysely
          .insertInto('event_passwords')
          .values({ event_id: id, kind, verifier, sealed: Buffer.alloc(1) })
          .execute();
      }
      const { token } = await sessions.start('user', id, keys);
      return { id, code, cookie: `feierbild_host=${token}`, privateKey: keys.privateKey };
    },
    row: (eventId) => db.kysely.selectFrom('events').selectAll().where('id', '=', eventId).executeTakeFirstOrThrow(),
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
    async leftovers() {
      const stored = await Array.fromAsync(blobs.list(''));
      return { staged: await readdir(join(folder, 'staging')), blobs: stored.map(({ key }) => key).sort() };
    },
    async close() {
      live.close();
      await app.close();
      await photos.close();
      await blobs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function newDevice(): string {
  return randomBytes(16).toString('base64url');
}

/** A small JPEG, another one each time. */
export async function drawPhoto({ width = 160, height = 120 } = {}): Promise<Buffer> {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg()
    .toBuffer();
}
