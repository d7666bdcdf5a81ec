import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDecoder } from './create-decoder.ts';
import { NotAPhoto, type Decoder } from './decoder.ts';
import { box, redrawn, u32 } from './testing/boxes.ts';
import { drawVideo, hasFfmpeg, remux, type TestVideo } from './testing/videos.ts';
import { readVideo } from './video/read-video.ts';
import { Needed, sparseFile } from './video/sparse-file.ts';

const FIXTURES = join(import.meta.dirname, '../../../../shared/fixtures/photos');
const PLACE = '+52.5163+013.3777/';

let decoder: Decoder;
beforeAll(() => {
  decoder = createDecoder({ log: console });
});
afterAll(() => decoder.close());

/** Counts the bytes that are read. */
function reader(file: Uint8Array) {
  const count = { bytes: 0 };
  return Object.assign(
    async function* ({ start, end }: { start: number; end: number }) {
      count.bytes += end - start;
      yield Uint8Array.from(file.subarray(start, end));
    },
    { count },
  );
}
const facts = (file: Uint8Array) => decoder.video(reader(file), file.length, { owner: 'event' });

/** The reader itself, with the whole file at hand. */
const readWhole = (file: Buffer) => readVideo(sparseFile(file.length, [[0, file.length]], file));

/** What a link hands out. */
function cleaned(file: Buffer): Buffer {
  const { keep, writes } = readWhole(file).clean;
  const copy = Buffer.alloc(file.length);
  for (const [start, end] of keep) file.copy(copy, start, start, end);
  for (const [at, hex] of writes) copy.write(hex, at, 'hex');
  return copy;
}

describe.skipIf(!hasFfmpeg)('the reader of videos (ffmpeg draws them)', () => {
  const taken: [TestVideo, string, string][] = [
    [{}, 'video/mp4', '^avc1\\.[0-9A-F]{6}, mp4a\\.40\\.2$'],
    [{ sound: null }, 'video/mp4', '^avc1\\.[0-9A-F]{6}$'],
    [{ sound: 'mp3' }, 'video/mp4', 'mp3$'],
    [{ sound: 'opus' }, 'video/mp4', 'opus$'],
    [{ container: 'mov' }, 'video/quicktime', '^avc1\\.[0-9A-F]{6}, mp4a\\.40\\.2$'],
    [{ container: 'mov', sound: 'mp3' }, 'video/quicktime', 'mp3$'],
    [{ picture: 'hevc' }, 'video/mp4', '^hvc1\\.1\\.6\\.L\\d+\\.[0-9A-F.]+, mp4a'],
    [{ container: 'mov', picture: 'hevc' }, 'video/quicktime', '^hvc1\\.1\\.6'],
    [{ picture: 'av1' }, 'video/mp4', '^av01\\.0\\.\\d\\dM\\.\\d\\d, mp4a'],
    [{ picture: 'vp9', sound: 'opus' }, 'video/mp4', '^vp09\\.00\\.\\d\\d\\.08, opus$'],
    [{ container: 'webm', picture: 'vp8', sound: 'opus' }, 'video/webm', '^vp8, opus$'],
    [{ container: 'webm', picture: 'vp9', sound: 'opus' }, 'video/webm', '^vp9, opus$'],
    [{ container: 'webm', picture: 'vp9', sound: null }, 'video/webm', '^vp9$'],
    [{ container: 'webm', picture: 'av1', sound: 'opus' }, 'video/webm', '^av01\\.0\\.\\d\\dM\\.\\d\\d, opus$'],
    [{ more: ['-movflags', '+faststart'] }, 'video/mp4', 'avc1'],
    [{ more: ['-movflags', '+frag_keyframe+empty_moov'] }, 'video/mp4', 'avc1'],
  ];
  it.each(taken)('takes %j', async (video, type, codecs) => {
    const file = await drawVideo(video);
    const found = await facts(file);
    expect(found).toMatchObject({ type, width: 320, height: 180 });
    expect(found.codecs).toMatch(new RegExp(codecs));
    // A stream of fragments does not say how long it will be.
    if (!video.more?.[1]?.includes('frag')) expect(Math.abs((found.durationMs as number) - 2000)).toBeLessThan(100);
  });

  it.each<[string, TestVideo]>([
    ['a picture of another codec', { picture: 'mpeg4' }],
    ['a sound of another codec', { container: 'webm', picture: 'vp8', sound: 'vorbis' }],
    ['a raw sound', { container: 'mov', sound: 'pcm' }],
    ['Matroska that is no WebM', { container: 'mkv' }],
    [
      'an encrypted video',
      { more: ['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '0'.repeat(32), '-encryption_kid', '1'.repeat(32)] },
    ],
    ['a video without a picture', { more: ['-vn'] }],
  ])('refuses %s', async (_, video) => {
    await expect(facts(await drawVideo(video))).rejects.toThrow(NotAPhoto);
  });

  it('hands out no place that a track keeps beside its samples', async () => {
    const video = await drawVideo();
    const kept = [box('udta', box('\u00a9xyz', Buffer.from(PLACE))), box('meta', Buffer.from(PLACE)), box('uuid', Buffer.from(PLACE))];
    const placed = redrawn(video, { trak: (before) => Buffer.concat([redrawn(before, {}), ...kept]) });
    expect([placed.includes(PLACE), placed.length > video.length]).toEqual([true, true]);
    const copy = cleaned(placed);
    expect([copy.length, copy.includes(PLACE)]).toEqual([placed.length, false]);
    expect(await facts(copy)).toMatchObject({ width: 320, height: 180 });
  });

  it('gives the sides as they are shown, whichever way the phone was held', async () => {
    const video = await drawVideo();
    const one = 0x10000;
    for (const [turn, [a, b, c, d], sides] of [
      [90, [0, one, -one, 0], [180, 320]],
      [180, [-one, 0, 0, -one], [320, 180]],
      [270, [0, -one, one, 0], [180, 320]],
    ] as const) {
      const turned = Buffer.from(video);
      const matrix = turned.indexOf('tkhd') + 44;
      for (const [index, value] of [a, b, 0, c, d].entries()) turned.writeInt32BE(value, matrix + 4 * index);
      const { width, height } = await facts(turned);
      expect([turn, width, height]).toEqual([turn, ...sides]);
    }
  });

  it('knows when it was recorded: by the phone’s own clock where the video has it, else by the clock in Berlin', async () => {
    const video = await drawVideo();
    const apple = await remux(video, 'mov', {
      more: ['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.creationdate=2026-05-17T21:04:00+0900'],
    });
    expect((await facts(apple)).takenAt).toBe('2026-05-17T21:04:00');
    const instant = await remux(video, 'mp4', { more: ['-metadata', 'creation_time=2026-05-17T19:04:00Z'] });
    expect((await facts(instant)).takenAt).toBe('2026-05-17T21:04:00');
    expect((await facts(video)).takenAt).toBeNull();
  });

  it('reads two small ranges of a long video whose moov is at its end', async () => {
    const video = await drawVideo({ seconds: 20, width: 1280, height: 720 });
    expect(video.length).toBeGreaterThan(1_000_000);
    const read = reader(video);
    await decoder.video(read, video.length, { owner: 'event' });
    expect(read.count.bytes).toBeLessThan(300_000);
  });

  it('asks for no more than 64 KiB at once, but for a moov', () => {
    const huge = 400_000_000;
    const head = box('ftyp', Buffer.from('isom'), u32(0));
    const data = Buffer.concat([u32(huge), Buffer.from('mdat')]);
    const start = Buffer.concat([head, data, Buffer.alloc(1000)]);
    try {
      readVideo(sparseFile(head.length + huge + 10_000, [[0, start.length]], start));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(Needed);
      const { start: from, end } = error as Needed;
      expect([from, end - from]).toEqual([head.length + huge, 4096]);
    }
  });

  describe('a copy without location', () => {
    const place = ['-metadata', `location=${PLACE}`, '-metadata', 'location-eng=Berlin Mitte'];

    it.each<[string, TestVideo, string[]]>([
      ['MP4 with keys', {}, ['-movflags', 'use_metadata_tags', ...place]],
      ['MOV with ©xyz', { container: 'mov' }, place],
      [
        'MOV with Apple’s keys',
        { container: 'mov' },
        ['-movflags', 'use_metadata_tags', '-metadata', `com.apple.quicktime.location.ISO6709=${PLACE}`],
      ],
      ['MP4 with moov in front', {}, ['-movflags', '+faststart+use_metadata_tags', ...place]],
      ['WebM with tags', { container: 'webm', picture: 'vp9', sound: 'opus' }, ['-metadata', `LOCATION=${PLACE}`]],
    ])('%s: same length, same pictures and sound', async (_, video, more) => {
      const located = await remux(await drawVideo(video), video.container ?? 'mp4', { more });
      expect(located.includes(PLACE)).toBe(true);
      const copy = cleaned(located);
      expect(copy.length).toBe(located.length);
      expect(copy.includes(PLACE)).toBe(false);
      expect(copy.includes('Berlin')).toBe(false);
      const streams = async (file: Buffer) => (await remux(file, 'md5', { more: ['-map_metadata', '-1', '-f', 'framemd5'] })).toString();
      expect(await streams(copy)).toBe(await streams(located));
      expect(readWhole(copy).facts).toMatchObject({ ...readWhole(located).facts, creationDate: null });
      // What is clean stays as it is.
      expect(cleaned(copy).equals(copy)).toBe(true);
    });

    it('leaves out tracks of positions, with their contents, and what is appended', async () => {
      const subtitles = Buffer.from(`1\n00:00:00,000 --> 00:00:01,000\nGPS ${PLACE}\n`);
      const video = await withSubtitles(await drawVideo(), subtitles);
      expect(video.includes(PLACE)).toBe(true);
      const hung = Buffer.concat([video, box('uuid', Buffer.from(`exif:GPSLatitude ${PLACE}`)), Buffer.from('GPS')]);
      const copy = cleaned(hung);
      expect([copy.length, copy.includes(PLACE), copy.includes('GPS')]).toEqual([hung.length, false, false]);
      expect(readWhole(copy).facts.codecs).toBe(readWhole(video).facts.codecs);
    });

    it.skipIf(!existsSync(FIXTURES))('of phones’ own videos (../shared/fixtures)', async () => {
      for (const [name, places] of [
        ['video/issue-515_720p_gps.mp4', ['loci', '06ad1400345e8a', 'earth']],
        ['constructed/video/hevc-hvc1_rotate-90_gps.mov', ['©xyz']],
      ] as const) {
        const video = await readFile(join(FIXTURES, name));
        const copy = cleaned(video);
        expect(copy.length).toBe(video.length);
        for (const place of places) {
          const bytes = Buffer.from(place, /^[0-9a-f]+$/.test(place) && place.length > 6 ? 'hex' : 'latin1');
          expect([name, place, video.includes(bytes), copy.includes(bytes)]).toEqual([name, place, true, false]);
        }
        expect((await facts(copy)).codecs).toBe((await facts(video)).codecs);
      }
    });
  });
});

async function withSubtitles(video: Buffer, subtitles: Buffer): Promise<Buffer> {
  const path = join(tmpdir(), `feierbild-${process.pid}.srt`);
  await writeFile(path, subtitles);
  try {
    return await remux(video, 'mp4', { before: ['-i', path], more: ['-map', '1', '-map', '0', '-c:s', 'mov_text'] });
  } finally {
    await rm(path);
  }
}
