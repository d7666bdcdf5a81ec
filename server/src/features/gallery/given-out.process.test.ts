import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { errors } from '@feierbild/contract/errors.ts';
import { enginesForRules } from '../../database/testing.ts';
import { drawVideo, hasFfmpeg } from '../../images/testing/videos.ts';
import { drawPhoto, newDevice, refusal, type Headers, type TestApp } from '../testing.ts';
import { beforeEachGallery, galleryClient, ids, OPEN } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { newKey, tusClient } from '../uploads/testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host } = opened));

  const { call, json, set, enter, list, flag, statuses, keysOf } = galleryClient(() => ({ app, event }));

  it('shows no more of a photo whose preview came first than of any other, in each of its states', async () => {
    let device = newDevice();
    const { ask, append, metadata } = tusClient(() => ({ app, code: event.code, device }));
    const photo = await drawPhoto();
    const announce = async () => {
      const key = newKey();
      const about = { 'upload-length': String(photo.length), 'upload-metadata': metadata(), 'content-type': 'image/jpeg' };
      const { status, body } = await ask('PUT', `/uploads/${key}/preview`, about, photo);
      expect(status, body).toBe(201);
      return { key, photo: (JSON.parse(body) as { photo: Photo }).photo };
    };
    const guest = await enter(await set({ ...OPEN, originals: true }));
    const open = await announce();
    expect((await list(guest)).photos).toMatchObject([{ id: open.photo.id, state: 'announced' }]);
    expect(await statuses(open.photo, guest)).toEqual([200, 200, errors.original_missing.status]);
    await flag(open.photo, false);
    expect(await statuses(open.photo, guest)).toEqual([404, 404, 404]);
    // The arrival of the original does not show the photo either.
    await append(`/uploads/${open.key}`, 0, photo);
    expect(await statuses(open.photo, guest)).toEqual([404, 404, 404]);
    expect([ids(await list(guest)), await keysOf()]).toEqual([[], []]);
    await flag(open.photo, true);
    expect(await statuses(open.photo, guest)).toEqual([200, 200, 200]);
    await flag(open.photo, false);

    await json('PUT', `/api/events/${event.code}/release`, host, { value: true });
    device = newDevice();
    const { photo: waiting } = await announce();
    expect(await statuses(waiting, guest)).toEqual([404, 404, 404]);
    expect([ids(await list(guest)), await keysOf()]).toEqual([[], []]);
    await flag(waiting, true);
    expect(await statuses(waiting, guest)).toEqual([200, 200, errors.original_missing.status]);
  });

  it.runIf(hasFfmpeg)('plays a video for guests as long as it is shown (ffmpeg draws one)', async () => {
    await app.db.kysely.updateTable('events').set({ with_videos: 1 }).where('id', '=', event.id).execute();
    const file = await drawVideo({ more: ['-movflags', 'use_metadata_tags', '-metadata', 'location=+52.5163+013.3777/'] });
    const { photo } = await app.upload(event.code, new File([file], 'VID_0042.MP4'), { device: newDevice() });
    const path = photo.video?.url ?? '';
    const guest = await enter(await set({ ...OPEN, originals: true }));
    const seen = await call('GET', path, guest);
    expect(seen.status).toBe(200);
    const bytes = Buffer.from(await seen.arrayBuffer());
    expect([bytes.length, bytes.includes('+52.5163'), file.includes('+52.5163')]).toEqual([file.length, false, true]);
    await flag(photo, false);
    for (const headers of [guest, { ...guest, range: 'bytes=0-99' }, { ...guest, 'if-none-match': seen.headers.get('etag') ?? '' }])
      expect((await call('GET', path, headers)).status).toBe(404);
    expect((await call('HEAD', path, guest)).status).toBe(404);
    expect(await statuses(photo, guest)).toEqual([404, 404, 404]);
  });

  it('gives originals out without the place of shooting, where the host lets it, and byte for byte to their own device', async () => {
    const place = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' } };
    const file = await sharp(await drawPhoto())
      .withExif(place)
      .jpeg()
      .toBuffer();
    expect((await sharp(file).metadata()).exif).toBeDefined();
    const device = newDevice();
    const { photo } = await app.upload(event.code, file, { device });
    const guest = await enter(await set(OPEN));
    expect(await refusal(await call('GET', photo.original_url, guest))).toEqual([403, 'originals_off']);
    await set({ ...OPEN, originals: true });
    const shared = await call('GET', photo.original_url, guest);
    expect([shared.status, shared.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="photo_/),
    ]);
    const bytes = Buffer.from(await shared.arrayBuffer());
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
    const own = await call('GET', photo.original_url, { ...guest, 'device-id': device });
    expect(Buffer.from(await own.arrayBuffer()).equals(file)).toBe(true);
  });
});
