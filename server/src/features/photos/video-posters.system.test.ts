import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { drawVideo, hasFfmpeg } from '../../images/testing/videos.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { drawPhoto, newDevice, type TestApp } from '../testing.ts';
import { videosOf } from './testing.ts';

const all = engines();

type Headers = Record<string, string>;

describe.skipIf(!hasFfmpeg).each(all)('videos on $name (ffmpeg draws them)', (engine) => {
  let video: Buffer<ArrayBuffer>;
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  const { named, add, get, bytesOf, send } = videosOf(engine, (opened) => ({ video, app, event, device } = opened));

  const sendPoster = async (photo: Photo, picture: Uint8Array, from: Headers = { 'device-id': device }): Promise<Response> => {
    const form = new FormData();
    form.append('file', named(picture, 'poster.jpg'));
    return send(`/api/photos/${photo.id}/poster`, 'PUT', from, form);
  };
  const drawPoster = (width = 640, height = 360) => drawPhoto({ width, height });

  it('have a drawn poster that no browser keeps, until their device sends one', async () => {
    const { photo } = await add();
    const drawn = await get(photo.thumbnail_url);
    expect([drawn.status, drawn.headers.get('content-type'), drawn.headers.get('cache-control')]).toEqual([200, 'image/png', 'no-store']);
    expect(await sharp(await bytesOf(drawn)).metadata()).toMatchObject({ width: 400, height: 225 });
    expect((await get(photo.preview_url)).headers.get('cache-control')).toBe('no-store');

    expect((await sendPoster(photo, await drawPoster(), { 'device-id': newDevice() })).status).toBe(404);
    expect(await (await sendPoster(photo, await drawPoster(360, 640))).json()).toMatchObject({ code: 'poster_refused' });
    expect(await (await sendPoster(photo, Buffer.from('<html>'))).json()).toMatchObject({ code: 'not_a_photo' });
    expect(await (await sendPoster(photo, video)).json()).toMatchObject({ code: 'not_a_photo' });
    expect((await sendPoster(photo, await drawPoster(2000, 1125))).status).toBe(413);
    const late = new FormData();
    late.append('before', 'x'.repeat(10_000));
    late.append('file', named(await drawPoster(), 'poster.jpg'));
    const refused = await send(`/api/photos/${photo.id}/poster`, 'PUT', { 'device-id': device }, late);
    expect(await refused.json()).toMatchObject({ code: 'file_missing' });
    expect((await sendPoster(photo, await drawPoster())).status).toBe(204);

    const [thumbnail, preview] = [await get(photo.thumbnail_url), await get(photo.preview_url)];
    for (const answer of [thumbnail, preview]) expect(answer.headers.get('cache-control')).toContain('immutable');
    const first = await bytesOf(preview);
    expect(await sharp(first).metadata()).toMatchObject({ width: 640, height: 360 });
    // A second poster changes nothing.
    expect((await sendPoster(photo, await drawPoster())).status).toBe(204);
    expect((await bytesOf(await get(photo.preview_url))).equals(first)).toBe(true);
    expect((await app.leftovers()).blobs).toHaveLength(3);
    expect((await createIntegrity({ ...app }).check()).findings).toEqual([]);
  });

  it('that get their poster have other addresses, are news once, and stay on the wall', async () => {
    const { photo } = await add();
    await sendPoster(photo, await drawPoster());
    await sendPoster(photo, await drawPoster());
    const changes = await app.db.kysely.selectFrom('changes').select(['kind', 'photo_id']).orderBy('seq').execute();
    expect(changes).toMatchObject([
      { kind: 'came', photo_id: photo.id },
      { kind: 'poster', photo_id: photo.id },
    ]);
    const pictures = { thumbnail_url: `${photo.thumbnail_url}?poster`, preview_url: `${photo.preview_url}?poster` };
    const listed = await (await get(`/api/events/${event.code}/photos`)).json();
    expect(listed).toMatchObject({ photos: [pictures] });
    for (const path of Object.values(pictures)) expect((await get(path)).headers.get('content-type')).toBe('image/jpeg');
    const { change_seq } = await app.db.kysely.selectFrom('events').select('change_seq').executeTakeFirstOrThrow();
    const wall = await (await get(`/api/events/${event.code}/slideshow?seq=${change_seq - 1}`)).json();
    expect(wall).toMatchObject({ photos: [pictures], gone: [] });
  });

  it('get their poster from a host’s browser, too, where no other came before', async () => {
    const { photo } = await add();
    const other = await app.event();
    const asHost: Headers = { cookie: event.cookie };
    expect((await sendPoster(photo, await drawPoster(), { cookie: other.cookie })).status).toBe(404);
    expect((await sendPoster(photo, await drawPoster(), {})).status).toBe(404);
    expect(await (await sendPoster(photo, await drawPoster(360, 640), asHost)).json()).toMatchObject({ code: 'poster_refused' });
    expect((await sendPoster(photo, await drawPoster(), { ...asHost, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await sendPoster(photo, await drawPoster(), asHost)).status).toBe(204);
    const first = await bytesOf(await get(photo.preview_url));
    expect(await sharp(first).metadata()).toMatchObject({ format: 'jpeg', width: 640, height: 360 });
    for (const from of [asHost, { 'device-id': device }]) expect((await sendPoster(photo, await drawPoster(), from)).status).toBe(204);
    expect((await bytesOf(await get(photo.preview_url))).equals(first)).toBe(true);
  });

  it('that were released wait again for a still of their device, and not for one of their host’s', async () => {
    await app.db.kysely.updateTable('events').set({ with_release: 1 }).execute();
    const asHost: Headers = { cookie: event.cookie };
    const show = (photo: Photo) =>
      send(`/api/photos/${photo.id}/slideshow`, 'PUT', { ...asHost, 'content-type': 'application/json' }, JSON.stringify({ value: true }));
    const stateOf = ({ id }: Photo) =>
      app.db.kysely.selectFrom('photos').select(['slideshow', 'release_state']).where('id', '=', id).executeTakeFirstOrThrow();
    const [released, waiting] = [
      { slideshow: 1, release_state: 2 },
      { slideshow: 0, release_state: 1 },
    ];
    const { photo } = await add();
    expect(await stateOf(photo)).toEqual(waiting);
    expect((await show(photo)).status).toBe(200);
    // A refused still is no news.
    expect((await sendPoster(photo, await drawPoster(360, 640))).status).toBe(415);
    expect(await stateOf(photo)).toEqual(released);
    const { change_seq } = await app.row(event.id);
    expect((await sendPoster(photo, await drawPoster())).status).toBe(204);
    expect(await stateOf(photo)).toEqual(waiting);
    const wall = await (await get(`/api/events/${event.code}/slideshow?seq=${change_seq}`)).json();
    expect(wall).toMatchObject({ photos: [], gone: [photo.id] });
    const asked = await (await get(`/api/events/${event.code}/photos?view=waiting&after=0`)).json();
    expect(asked).toMatchObject({ photos: [{ id: photo.id, preview_url: `${photo.preview_url}?poster` }] });
    // A second still changes nothing, not even a decision.
    expect((await show(photo)).status).toBe(200);
    expect((await sendPoster(photo, await drawPoster())).status).toBe(204);
    expect(await stateOf(photo)).toEqual(released);

    const { photo: other } = await add(await drawVideo({ seconds: 1 }), 'VID_0043.MP4');
    await show(other);
    expect((await sendPoster(other, await drawPoster(), asHost)).status).toBe(204);
    expect(await stateOf(other)).toEqual(released);
  });

  it('get no poster where they are photos', async () => {
    const { photo } = await app.upload(event.code, await drawPhoto(), { device });
    expect((await sendPoster(photo, await drawPoster())).status).toBe(404);
  });

  it('whose thumbnail is lost get it anew: from the poster, else drawn', async () => {
    const { photo } = await add();
    const stored = async () => app.db.kysely.selectFrom('photos').selectAll().executeTakeFirstOrThrow();
    const lose = async () => app.blobs.remove(photoBlob(event.id, photo.id, 'thumbnail', (await stored()).thumbnail_attempt));
    await lose();
    expect((await get(photo.thumbnail_url)).headers.get('content-type')).toBe('image/png');
    await sendPoster(photo, await drawPoster());
    await lose();
    const anew = await get(photo.thumbnail_url);
    expect([anew.status, anew.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    await lose();
    await app.blobs.remove(photoBlob(event.id, photo.id, 'preview', (await stored()).preview_attempt));
    expect((await get(photo.thumbnail_url)).headers.get('content-type')).toBe('image/png');
  });

  it('whose poster is lost or was changed are shown by their thumbnail', async () => {
    const { photo } = await add();
    await sendPoster(photo, await drawPoster());
    const stored = await app.db.kysely.selectFrom('photos').selectAll().executeTakeFirstOrThrow();
    const poster = photoBlob(event.id, photo.id, 'preview', stored.preview_attempt);
    const shown = async () => {
      const answer = await get(photo.preview_url);
      const { width } = await sharp(await bytesOf(answer)).metadata();
      return [answer.status, answer.headers.get('cache-control') === 'no-store', width];
    };
    expect(await shown()).toEqual([200, false, 640]);
    const { width } = await sharp(await bytesOf(await get(photo.thumbnail_url))).metadata();
    await app.blobs.put(poster, Buffer.alloc(3000, 1));
    expect(await shown()).toEqual([200, true, width]);
    await app.blobs.remove(poster);
    expect(await shown()).toEqual([200, true, width]);
  });
});
