import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import type { Decoder } from '../../images/decoder.ts';
import { drawVideo, hasFfmpeg } from '../../images/testing/videos.ts';
import { purgeEvent } from '../events/purge.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { drawPhoto, newDevice, type TestApp } from '../testing.ts';
import { videosOf } from './testing.ts';

const all = engines();
const FIXTURES = join(import.meta.dirname, '../../../../../shared/fixtures/photos');
const VIDEOS_OFF = 'Bei diesem Event werden keine Videos angenommen';

describe.skipIf(!hasFfmpeg).each(all)('videos on $name (ffmpeg draws them)', (engine) => {
  let decoder: Decoder;
  let video: Buffer<ArrayBuffer>;
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let device: string;
  const { named, add, get, bytesOf, send } = videosOf(engine, (opened) => ({ decoder, video, app, event, device } = opened));

  /** Creates a locked slideshow; returns its cookie. */
  async function projector(): Promise<string> {
    const { public_key } = await app.db.kysely
      .selectFrom('event_keys')
      .select('public_key')
      .where('event_id', '=', event.id)
      .executeTakeFirstOrThrow();
    const keys = { privateKey: event.privateKey, publicKey: public_key };
    const { token } = await app.db.transaction((trx) => app.sessions.start('projector', event.id, keys, trx));
    return `feierbild_projector=${token}`;
  }

  it('are taken where the event takes them, counted apart from photos, and listed with length and codecs', async () => {
    const { status, photo } = await add();
    await app.upload(event.code, await drawPhoto(), { device });
    expect(status).toBe(201);
    expect(photo).toMatchObject({
      width: 320,
      height: 180,
      filename: 'VID_0042.MP4',
      size: video.length,
      video: { type: 'video/mp4', codecs: expect.stringMatching(/^avc1\.\w+, mp4a\.40\.2$/), url: `/api/photos/${photo.id}/video` },
    });
    expect(Math.abs((photo.video?.duration_ms as number) - 2000)).toBeLessThan(100);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 1, video_count: 1, device_count: 1 });
    const list = (await (await get(`/api/events/${event.code}/photos`)).json()) as { photos: Photo[]; pagination: { total: number } };
    expect([list.pagination.total, list.photos.map((each) => 'video' in each)]).toEqual([2, [true, false]]);
    const mine = (await (await get(`/api/events/${event.code}/my-photos`, { 'device-id': device })).json()) as { photos: Photo[] };
    expect(mine.photos).toHaveLength(2);
    const shown = (await (await get(`/api/events/${event.code}`)).json()) as { storage: object };
    expect(shown.storage).toMatchObject({ photos: { count: 1 }, videos: { count: 1 } });
    expect((await createIntegrity({ ...app }).check()).findings).toEqual([]);
    expect((await add()).status).toBe(200);
  });

  it('are refused with a sentence where the event does not take them, and photos there are as before', async () => {
    const other = await app.event();
    const refused = await app.upload(other.code, named(video, 'VID.mp4'), { device });
    expect([refused.status, refused.code, refused.body]).toEqual([415, 'video_refused', expect.stringContaining(VIDEOS_OFF)]);
    const taken = await app.upload(other.code, await drawPhoto(), { device });
    expect([taken.status, 'video' in taken.photo]).toEqual([201, false]);
    expect((await app.leftovers()).staged).toEqual([]);
  });

  it('are told from a picture that begins like a stream of television, which is taken as a picture', async () => {
    const gif = await sharp(await drawPhoto())
      .gif()
      .toBuffer();
    // Packets of such a stream have 188 bytes and begin with a G, as each GIF does; here it is in the GIF's palette.
    gif[188] = 0x47;
    const taken = await add(gif, 'lustig.gif');
    expect([taken.status, 'video' in taken.photo]).toEqual([201, false]);
    const stream = Buffer.alloc(2000, 0xff);
    for (let at = 0; at < stream.length; at += 188) stream[at] = 0x47;
    const refused = await add(stream, 'VID.ts');
    expect([refused.status, refused.code]).toEqual([415, 'video_unreadable']);
  });

  it('of other codecs, cut short, or above the limit are refused, and leave nothing', async () => {
    const mpeg4 = await add(await drawVideo({ picture: 'mpeg4' }));
    expect([mpeg4.status, mpeg4.code]).toEqual([415, 'video_unreadable']);
    const cut = await add(video.subarray(0, video.length - 1000));
    expect([cut.status, cut.code]).toEqual([415, 'video_unreadable']);
    const large = await add(Buffer.concat([video, Buffer.alloc(6_000_000)]));
    expect([large.status, large.code]).toEqual([413, 'too_large']);
    expect(await app.leftovers()).toEqual({ staged: [], blobs: [] });
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, video_count: 0, used_bytes: 0 });
  });

  it('larger than a photo may be come in pieces, up to their own limit', async () => {
    const padding = Buffer.alloc(6_000_000);
    padding.writeUInt32BE(padding.length, 0);
    padding.write('free', 4);
    const long = Buffer.concat([video, padding]);
    const begin = (bytes: Uint8Array, code = event.code, length = bytes.length) =>
      fetch(`${app.url}/uploads`, {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'device-id': device,
          'content-type': 'application/offset+octet-stream',
          'upload-length': String(length),
          'upload-metadata': `filename ${btoa('VID_1.mp4')},eventCode ${btoa(code)}`,
        },
        body: Uint8Array.from(bytes),
      });
    const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
    const stored = await begin(long);
    const { photo } = (await stored.json()) as { photo: Photo };
    expect([stored.status, photo.size, photo.video?.codecs]).toEqual([201, long.length, expect.stringContaining('avc1')]);
    expect((await bytesOf(await get(photo.original_url))).equals(long)).toBe(true);
    expect(await codeOf(await add(long).then(({ status, body }) => new Response(body, { status })))).toEqual([413, 'too_large']);
    expect(await codeOf(await begin(long, (await app.event()).code))).toEqual([413, 'too_large']);
    expect(await codeOf(await begin(video.subarray(0, 1000), event.code, 500_000_001))).toEqual([413, 'too_large']);
    // The limit of photos is unchanged.
    expect(await codeOf(await begin(Buffer.concat([await drawPhoto(), padding])))).toEqual([413, 'too_large']);
    const full = await app.event({ with_videos: 1, storage_limit: 1_000_000 });
    expect(await codeOf(await begin(long, full.code))).toEqual([507, 'storage_full']);
    const limits = (await (await get(`/event/${event.code}/max`)).json()) as Record<string, unknown>;
    expect(limits).toMatchObject({ max_file_bytes: 5_000_000, max_video_bytes: 500_000_000 });
    expect(await (await get(`/event/${full.code}/max`)).json()).toHaveProperty('max_video_bytes');
    expect(await (await get(`/event/${(await app.event()).code}/max`)).json()).not.toHaveProperty('max_video_bytes');
  });

  it('play by Range for their host and their device, and for nobody else', async () => {
    const { photo } = await add();
    const url = photo.video?.url as string;
    for (const headers of [{ cookie: event.cookie }, { 'device-id': device }]) {
      const part = await get(url, { ...headers, range: 'bytes=1000-1999' });
      expect([part.status, part.headers.get('content-type'), part.headers.get('content-disposition')]).toEqual([206, 'video/mp4', null]);
      expect((await bytesOf(part)).equals(video.subarray(1000, 2000))).toBe(true);
    }
    const other = await app.event();
    for (const headers of [{}, { cookie: other.cookie }, { 'device-id': newDevice() }]) expect((await get(url, headers)).status).toBe(404);
    const { photo: picture } = await app.upload(event.code, await drawPhoto(), { device });
    expect((await get(`/api/photos/${picture.id}/video`)).status).toBe(404);
    const download = await get(photo.original_url);
    expect(download.headers.get('content-disposition')).toContain('filename="VID_0042.MP4"');
    expect((await bytesOf(download)).equals(video)).toBe(true);
  });

  it('play on a locked slideshow without their place, as long as it shows them', async () => {
    const { photo } = await add();
    const cookie = await projector();
    const shown = await get(photo.video?.url as string, { cookie });
    const bytes = await bytesOf(shown);
    expect([shown.status, bytes.length, bytes.includes('+52.5163')]).toEqual([200, video.length, false]);
    expect((await get(photo.original_url, { cookie })).status).toBe(404);
    const pictures = [photo.video?.url as string, photo.thumbnail_url, photo.preview_url];
    const statuses = async () => Promise.all(pictures.map(async (path) => (await get(path, { cookie })).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    for (const off of [
      app.db.kysely.updateTable('events').set({ with_slideshow: 0 }),
      app.db.kysely.updateTable('photos').set({ slideshow: 0 }),
    ]) {
      await off.execute();
      expect(await statuses()).toEqual([404, 404, 404]);
      await app.db.kysely.updateTable('events').set({ with_slideshow: 1 }).execute();
    }
  });

  it('are handed out by a link without their place: the same length, each range as in the whole', async () => {
    for (const path of ['video/issue-515_720p_gps.mp4', 'constructed/video/hevc-hvc1_rotate-90_gps.mov']) {
      const phones = existsSync(join(FIXTURES, path)) ? await readFile(join(FIXTURES, path)) : video;
      const { photo } = await add(phones, path.split('/').at(-1));
      const link = await send(`/api/photos/${photo.id}/link`, 'POST', { cookie: event.cookie });
      const { download_url } = (await link.json()) as { download_url: string };
      const url = `/api/photos/temp_download/${download_url.split('/').at(-1)}`;
      const whole = await get(url, {});
      expect([whole.status, whole.headers.get('content-type'), whole.headers.get('cache-control')]).toEqual([
        200,
        photo.video?.type,
        'no-store',
      ]);
      // A report can name the video by this header.
      expect(whole.headers.get('photo-id')).toBe(photo.id);
      expect(whole.headers.get('content-disposition')).toMatch(/filename="video_\d+\.(mp4|mov)"/);
      const copy = await bytesOf(whole);
      expect(copy.length).toBe(phones.length);
      for (const place of ['loci', '©xyz', '+52.5163', 'location']) {
        expect([path, place, copy.includes(Buffer.from(place, 'latin1'))]).toEqual([path, place, false]);
      }
      for (const [start, end] of [
        [0, 1],
        [Math.max(0, phones.indexOf('moov') - 100), phones.length - 1],
        [phones.length - 5000, phones.length],
        [999, Math.min(phones.length, 400_000)],
      ] as const) {
        const part = await get(url, { range: `bytes=${start}-${end - 1}` });
        expect([part.status, (await bytesOf(part)).equals(copy.subarray(start, end))]).toEqual([206, true]);
      }
      expect(
        (
          await decoder.video(
            async function* ({ start, end }) {
              yield Uint8Array.from(copy.subarray(start, end));
            },
            copy.length,
            { owner: event.id },
          )
        ).codecs,
      ).toBe(photo.video?.codecs);
    }
  });

  it('that cannot be read to their end play for their host, but have neither link nor wall', async () => {
    const fragmented = await drawVideo({ seconds: 1, more: ['-movflags', '+frag_keyframe+empty_moov'] });
    const { status, photo } = await add(Buffer.concat([fragmented, Buffer.from('52.5163, 13.3777')]));
    expect([status, (await get(photo.video?.url as string)).status]).toEqual([201, 200]);
    const refused = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
    expect(await refused(await send(`/api/photos/${photo.id}/link`, 'POST', { cookie: event.cookie }))).toEqual([409, 'video_not_shared']);
    // A link made with an upload, as the Fotobox gets it, is refused, too.
    const found = await app.photos.find(
      {
        host: null,
        admin: null,
        assistant: null,
        projector: null,
        helper: null,
        gallery: null,
        token: null,
        deviceId: device,
        address: '',
      },
      photo.id,
    );
    const { download_url } = await app.links.make(found);
    const path = `/api/photos/temp_download/${download_url.split('/').at(-1)}`;
    expect(await refused(await get(path, {}))).toEqual([409, 'video_not_shared']);
    expect((await fetch(`${app.url}${path}`, { method: 'HEAD' })).status).toBe(409);
    const cookie = await projector();
    expect(await refused(await get(photo.video?.url as string, { cookie }))).toEqual([409, 'video_not_shared']);
  });

  it('are in the ZIP as they came, under their own names, which end in what they are', async () => {
    const { photo } = await add(video, 'Torte.MOV');
    const { photo: unnamed } = await add(await drawVideo({ seconds: 1 }), 'setup.exe');
    const chosen = await send(
      `/api/events/${event.code}/selections`,
      'POST',
      { cookie: event.cookie, 'content-type': 'application/json' },
      JSON.stringify({ photos: [photo.id, unnamed.id] }),
    );
    const { download_url } = (await chosen.json()) as { download_url: string };
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-zip-'));
    await writeFile(join(folder, 'all.zip'), await bytesOf(await get(download_url)));
    execFileSync('/usr/bin/python3', ['-m', 'zipfile', '-e', 'all.zip', 'out'], { cwd: folder });
    const names = execFileSync('find', ['out', '-type', 'f'], { cwd: folder }).toString().trim().split('\n').sort();
    expect(names.map((name) => name.split('/').at(-1))).toEqual(['Anonym – Torte.MOV.mp4', 'Anonym – setup.exe.mp4']);
    expect((await readFile(join(folder, names[0] as string))).equals(video)).toBe(true);
    await rm(folder, { recursive: true });
  });

  it('go with their counters: deleted one by one, or with the event', async () => {
    const { photo } = await add();
    await add(await drawVideo({ seconds: 1 }));
    expect((await send(`/api/photos/${photo.id}`, 'DELETE', { 'device-id': device })).status).toBe(204);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, video_count: 1 });
    await app.db.kysely.updateTable('events').set({ video_count: 3 }).execute();
    const { findings } = await createIntegrity({ ...app }).check();
    expect(findings.map(({ problem }) => problem)).toEqual(['Zahl der Videos ist 3 statt 1']);
    await purgeEvent({ ...app, clock: { now: Date.now }, onPurged: () => undefined }, event.id);
    expect(await app.row(event.id)).toMatchObject({ photo_count: 0, video_count: 0, used_bytes: 0 });
    expect((await app.leftovers()).blobs).toEqual([]);
  });
});
