import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDecoder } from './create-decoder.ts';
import { NotAPhoto, type Decoder } from './decoder.ts';
import { box, u32 } from './testing/boxes.ts';
import { drawVideo, hasFfmpeg, remux, type TestVideo } from './testing/videos.ts';
import { readVideo } from './video/read-video.ts';
import { sparseFile } from './video/sparse-file.ts';

let decoder: Decoder;
beforeAll(() => {
  decoder = createDecoder({ log: console });
});
afterAll(() => decoder.close());

/** Reads ranges and counts their bytes. */
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
const probe = (file: Uint8Array) => decoder.video(reader(file), file.length, { owner: 'event' });

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
    const found = await probe(file);
    expect(found).toMatchObject({ type, width: 320, height: 180 });
    expect(found.codecs).toMatch(new RegExp(codecs));
    // A stream of fragments does not tell its final length.
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
    await expect(probe(await drawVideo(video))).rejects.toThrow(NotAPhoto);
  });

  it('takes a movie with bytes behind it that are no boxes, as some cameras append, but not one whose last box broke off', async () => {
    const file = await drawVideo({});
    const appended = Buffer.concat([file, u32(3), Buffer.from('SEFH'), Buffer.alloc(100, 0xff)]);
    expect(await probe(appended)).toEqual(await probe(file));
    await expect(probe(Buffer.concat([file, u32(0x7fff_ffff), Buffer.from('mdat')]))).rejects.toThrow(NotAPhoto);
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
      const { width, height } = await probe(turned);
      expect([turn, width, height]).toEqual([turn, ...sides]);
    }
  });

  it('knows when it was recorded: by the phone’s clock and its offset where the video has them, always by the clock in Berlin', async () => {
    const video = await drawVideo();
    const apple = await remux(video, 'mov', {
      more: ['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.creationdate=2026-05-17T21:04:00+0900'],
    });
    expect((await probe(apple)).takenAt).toBe('2026-05-17T14:04:00');
    const instant = await remux(video, 'mp4', { more: ['-metadata', 'creation_time=2026-05-17T19:04:00Z'] });
    expect((await probe(instant)).takenAt).toBe('2026-05-17T21:04:00');
    expect((await probe(video)).takenAt).toBeNull();
  });

  it('reads two small ranges of a long video whose moov is at its end', async () => {
    const video = await drawVideo({ seconds: 20, width: 1280, height: 720 });
    expect(video.length).toBeGreaterThan(1_000_000);
    const read = reader(video);
    await decoder.video(read, video.length, { owner: 'event' });
    expect(read.count.bytes).toBeLessThan(300_000);
  });

  it('sends no byte twice, however often it has to ask, and goes on where the store fails in between', async () => {
    const video = await drawVideo({ seconds: 1, sound: null });
    const scattered = Buffer.concat([video, ...Array.from({ length: 50 }, () => box('free', Buffer.alloc(70_000)))]);
    const read = reader(scattered);
    const before = await decoder.video(read, scattered.length, { owner: 'event' });
    expect(read.count.bytes).toBeLessThan(64 * 1024 + 52 * 4096 + video.length);
    let asked = 0;
    async function* failing({ start, end }: { start: number; end: number }) {
      if (++asked === 20) throw new Error('the store fails');
      yield* read({ start, end });
    }
    await expect(decoder.video(failing, scattered.length, { owner: 'event' })).rejects.toThrow('the store fails');
    // A process that waits for bytes gets no other video.
    expect(await probe(scattered)).toEqual(before);
  });

  it('asks for no more than 64 KiB at once, but for a moov', () => {
    const huge = 400_000_000;
    const head = box('ftyp', Buffer.from('isom'), u32(0));
    const data = Buffer.concat([u32(huge), Buffer.from('mdat')]);
    const start = Buffer.concat([head, data, Buffer.alloc(1000)]);
    const asked: number[][] = [];
    const fetch = (from: number, end: number): Buffer => {
      asked.push([from, end - from]);
      return Buffer.alloc(end - from);
    };
    expect(() => readVideo(sparseFile(head.length + huge + 10_000, start, fetch))).toThrow('no moov');
    expect(asked).toEqual([[head.length + huge, 4096]]);
  });
});
