import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import type { GalleryPage, Photo } from '@feierbild/contract/entities.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import type { Engine } from '../../database/testing.ts';
import type { Decoder } from '../../images/decoder.ts';
import { cacheThumbnails } from '../../storage/thumbnail-cache.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';
import { cookieOf, drawPhoto, newDevice, openApp, type Headers, type TestApp } from '../testing.ts';

type Event = Awaited<ReturnType<TestApp['event']>>;

export const OPEN = {
  mode: 'open',
  opens_at: null,
  photos_per_device: null,
  originals: false,
  own_meanwhile: true,
  wall_meanwhile: true,
};
export const REVEAL = { ...OPEN, mode: 'reveal' };

/** Opens a server with an event whose host is logged in. */
export async function openGallery(options: Parameters<typeof openApp>[0]) {
  const app = await openApp(options);
  const event = await app.event();
  return { app, event, host: { cookie: event.cookie } };
}

type Opened = Awaited<ReturnType<typeof openGallery>> & { clock: { time: number; now(): number } };

/** Opens a server with an event before each test. Its clock stands still. */
export function beforeEachGallery(engine: Engine, decoder: Decoder, onOpen: (opened: Opened) => void): void {
  beforeEach(async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const opened = await openGallery({ db: await engine.open(), decoder, clock });
    onOpen({ ...opened, clock });
    return () => opened.app.close();
  });
}

/** Does the same with a cache of thumbnails in `folder`, as in front of a remote store. */
export function beforeEachCachedGallery(engine: Engine, decoder: Decoder, onOpen: (opened: Opened & { folder: string }) => void): void {
  beforeEach(async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const folder = await mkdtemp(join(RUN_FOLDER, 'gallery-'));
    const wrapStore = (store: TestApp['blobs']) => cacheThumbnails(store, { folder: join(folder, 'thumbnails') });
    const opened = await openGallery({ db: await engine.open(), decoder, clock, wrapStore });
    onOpen({ ...opened, clock, folder });
    return async () => {
      await opened.app.close();
      await rm(folder, { recursive: true, force: true });
    };
  });
}

/** Returns the token of a link to the gallery or of a helper's link. */
export const tokenOf = ({ url }: { url: string | null }): string => url?.split('#')[1] ?? '';
export const ids = ({ photos }: { photos: Photo[] }): string[] => photos.map(({ id }) => id);

/** Creates the calls of an event's host, its guests and its helper to a server under test. */
export function galleryClient(current: () => { app: TestApp; event: Event }) {
  const call: TestApp['call'] = (...request) => current().app.call(...request);
  const json: TestApp['json'] = (...request) => current().app.json(...request);
  const login = (token: string | undefined, headers: Headers = {}, code = current().event.code) =>
    call('POST', '/auth/gallery/login', headers, { code, ...(token !== undefined && { token }) });

  return {
    call,
    json,
    login,
    set: (settings: object, of = current().event) =>
      json<Gallery>('PUT', `/api/events/${of.code}/gallery`, { cookie: of.cookie }, settings),
    async send(device = newDevice(), of = current().event, name = 'Anna'): Promise<Photo> {
      const sent = await current().app.upload(of.code, await drawPhoto(), { device, headers: { 'device-name': name } });
      expect(sent.status, sent.body).toBe(201);
      return sent.photo;
    },
    /** Logs a guest in by the link. */
    async enter(settings: { url: string | null }, of = current().event): Promise<Headers> {
      const answer = await login(tokenOf(settings), {}, of.code);
      expect(answer.status).toBe(200);
      return cookieOf(answer);
    },
    /** Makes the gallery's link anew. */
    newLink: () => {
      const { code, cookie } = current().event;
      return json<Gallery>('POST', `/api/events/${code}/gallery/link`, { cookie });
    },
    /** Invites a helper, who logs in. */
    async helperOf(of = current().event): Promise<Headers> {
      const { url } = await json<{ url: string }>('POST', `/api/events/${of.code}/helper`, { cookie: of.cookie });
      return cookieOf(await call('POST', '/auth/helper/login', {}, { code: of.code, token: tokenOf({ url }) }));
    },
    list: (guest: Headers, query = 'after=0') => json<GalleryPage>('GET', `/api/events/${current().event.code}/photos?${query}`, guest),
    flag: (photo: Photo, value: boolean, headers: Headers = { cookie: current().event.cookie }) =>
      call('PUT', `/api/photos/${photo.id}/slideshow`, headers, { value }),
    /** Returns the statuses of thumbnail, preview and download. */
    statuses: (photo: Photo, guest: Headers) =>
      Promise.all(
        [photo.thumbnail_url, photo.preview_url, photo.original_url].map(async (path) => (await call('GET', path, guest)).status),
      ),
    /** Waits until each photo's row has its preview; the integrity check without a grace period would report it. */
    drawn: () =>
      expect.poll(() => current().app.db.kysely.selectFrom('photos').select('id').where('preview_size', 'is', null).execute()).toEqual([]),
    /** Reads the ids of photos whose keys guests have. */
    async keysOf(): Promise<string[]> {
      const rows = await current().app.db.kysely.selectFrom('gallery_photo_keys').select('photo_id').execute();
      return rows.map(({ photo_id }) => photo_id);
    },
  };
}
