import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { box, redrawn, u32 } from './testing/boxes.ts';
import { drawVideo, hasFfmpeg, probe, remux, type TestVideo } from './testing/videos.ts';
import { wholeFile } from './testing/whole-file.ts';
import { cleanVideo, readVideo } from './video/read-video.ts';
import { NotTaken } from './video/sparse-file.ts';

const FIXTURES = join(import.meta.dirname, '../../../../shared/fixtures/photos');
const PLACE = '+52.5163+013.3777/';
const XMP_ID = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const XMP = Buffer.from(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><exif:GPSLatitude>${PLACE}</exif:GPSLatitude></x:xmpmeta>`);

/** `©xyz` as phones write it. */
const xyz = box('©xyz', Uint8Array.of(0, PLACE.length, 0x15, 0xc7), Buffer.from(PLACE));
const udta = box('udta', xyz);
const xmp = box('uuid', XMP_ID, XMP);
/** Boxes that may contain a location, at any place. */
const hidden = [
  udta,
  xmp,
  box('meta', Buffer.from(PLACE)),
  box('free', Buffer.from(PLACE)),
  box('XMP_', XMP),
  box('©loc', Buffer.from(PLACE)),
];

const readWhole = (file: Buffer) => readVideo(wholeFile(file));
/** Builds the file that a link hands out. */
function cleaned(file: Buffer): Buffer {
  const { keep, writes } = cleanVideo(wholeFile(file));
  const copy = Buffer.alloc(file.length);
  for (const [start, end] of keep) file.copy(copy, start, start, end);
  for (const [at, hex] of writes) copy.write(hex, at, 'hex');
  return copy;
}
/** Hashes the decoded pictures and sounds. */
const streams = async (file: Buffer) => (await remux(file, 'md5', { more: ['-map_metadata', '-1', '-f', 'framemd5'] })).toString();

/** Proves that the copy contains no location, neither in its bytes nor in ffprobe's output, and plays like the original. */
async function provenClean(located: Buffer): Promise<Buffer> {
  expect(located.includes(PLACE)).toBe(true);
  const copy = cleaned(located);
  expect(copy.length).toBe(located.length);
  for (const place of ['+52.5163', '013.3777', 'Berlin', 'GPS', 'xyz']) expect([place, copy.includes(place)]).toEqual([place, false]);
  const read = await probe(copy);
  expect([read.includes('52.5163'), read.includes('"packets"'), /"(location|com\.apple|xmp)/i.test(read)]).toEqual([false, true, false]);
  expect(await streams(copy)).toBe(await streams(located));
  expect(readWhole(copy)).toMatchObject({ ...readWhole(located), creationDate: null });
  // A clean file stays as it is.
  expect(cleaned(copy).equals(copy)).toBe(true);
  return copy;
}

/** Lists the boxes of a file. */
function boxesOf(file: Buffer): { type: string; bytes: Buffer }[] {
  const boxes: { type: string; bytes: Buffer }[] = [];
  for (let at = 0; at < file.length;) {
    const bytes = file.subarray(at, at + file.readUInt32BE(at));
    boxes.push({ type: bytes.toString('latin1', 4, 8), bytes });
    at += bytes.length;
  }
  return boxes;
}

describe.skipIf(!hasFfmpeg)('a copy of a video without location (ffmpeg draws them)', () => {
  const place = ['-metadata', `location=${PLACE}`, '-metadata', 'location-eng=Berlin Mitte'];
  /** H.264 and AAC; the moov comes last. */
  let video: Buffer;
  let webm: Buffer;

  beforeAll(async () => {
    video = await drawVideo();
    webm = await drawVideo({ container: 'webm', picture: 'vp9', sound: 'opus' });
  });

  it.each<[string, TestVideo, string[]]>([
    ['MP4 with keys', {}, ['-movflags', 'use_metadata_tags', ...place]],
    ['MOV with ©xyz', { container: 'mov' }, place],
    [
      'MOV with Apple’s keys',
      { container: 'mov' },
      ['-movflags', 'use_metadata_tags', '-metadata', `com.apple.quicktime.location.ISO6709=${PLACE}`],
    ],
    ['MP4 with moov in front', {}, ['-movflags', '+faststart+use_metadata_tags', ...place]],
    ['MP4 with AV1', { picture: 'av1', sound: 'opus' }, ['-movflags', '+use_metadata_tags', ...place]],
    ['WebM with tags', { container: 'webm', picture: 'vp9', sound: 'opus' }, ['-metadata', `LOCATION=${PLACE}`]],
    ['WebM that names all in a title', { container: 'webm', picture: 'vp8', sound: null }, ['-metadata', `title=${PLACE}`]],
    ['WebM that names its track', { container: 'webm', picture: 'vp9', sound: null }, ['-metadata:s:v', `title=${PLACE}`]],
    [
      'WebM of a browser, of unknown lengths',
      { container: 'webm', picture: 'vp8', sound: 'opus' },
      ['-live', '1', '-cluster_time_limit', '300', '-metadata', `LOCATION=${PLACE}`],
    ],
  ])('%s: same length, same pictures and sound', async (_, drawn, more) => {
    await provenClean(await remux(await drawVideo(drawn), drawn.container ?? 'mp4', { more }));
  });

  it.each(['moov', 'trak', 'mdia', 'minf', 'stbl'])('keeps no place that stands in %s', async (where) => {
    await provenClean(redrawn(video, { [where]: (before) => Buffer.concat([redrawn(before, {}), ...hidden]) }));
  });

  it('keeps no place in names, behind tables, in the entries of codecs, between the samples, or behind the file', async () => {
    const text = Buffer.from(PLACE);
    const behind = (before: Buffer): Buffer => Buffer.concat([before, text]);
    const inEntries = (before: Buffer): Buffer => {
      const entry = before.subarray(8);
      const named = Buffer.from(entry);
      // The name of the compressor.
      if (named.includes('avc1')) named.set(text, 8 + 42);
      const [head, inner] = [named.subarray(0, named.readUInt32BE(0)), named.subarray(named.readUInt32BE(0))];
      return Buffer.concat([before.subarray(0, 8), box(head.toString('latin1', 4, 8), head.subarray(8), udta, xmp), inner]);
    };
    const located = redrawn(video, {
      hdlr: (before) => Buffer.concat([before.subarray(0, 24), text, Buffer.alloc(1)]),
      mvhd: behind,
      tkhd: behind,
      mdhd: behind,
      stts: behind,
      stsc: behind,
      stco: behind,
      stsz: behind,
      stsd: inEntries,
      // The text lies behind the samples.
      mdat: behind,
    });
    await provenClean(Buffer.concat([located, xmp, udta, box('skip', text), box('mdat', text)]));
    // Some cameras append data that are no boxes.
    await provenClean(Buffer.concat([located, u32(0x7fff_ffff), text, text]));
  });

  it.each([
    '+frag_keyframe+empty_moov',
    '+frag_keyframe+empty_moov+default_base_moof',
    '+frag_keyframe+empty_moov+separate_moof+omit_tfhd_offset',
    '+frag_keyframe+delay_moov+dash',
    '+frag_keyframe',
  ])('of a movie in fragments (%s) keeps no place in mvex, in fragments, between and behind them', async (flags) => {
    const fragmented = await remux(await drawVideo({ more: ['-g', '5'] }), 'mp4', { more: ['-movflags', flags] });
    const all = boxesOf(fragmented);
    expect(all.filter(({ type }) => type === 'moof').length).toBeGreaterThan(2);
    // At the end of the file, the boxes change no offset.
    const behind = Buffer.concat([
      fragmented,
      xmp,
      udta,
      redrawn(all.find(({ type }) => type === 'moov')!.bytes, { udta: () => xyz }),
      udta,
    ]);
    await provenClean(behind);
    // Other places only work if offsets count from the fragment.
    if (!/default_base_moof|dash/.test(flags)) return;
    const parts = all.flatMap(({ type, bytes }) => {
      if (type === 'moov') {
        const inMvex = redrawn(bytes, { mvex: (before) => Buffer.concat([before, udta, xmp]) });
        return [inMvex, udta, xmp];
      }
      return type === 'moof' ? [xmp, bytes] : [bytes];
    });
    await provenClean(Buffer.concat(parts));
  });

  it('keeps no place within a fragment', async () => {
    const flags = '+frag_keyframe+empty_moov+default_base_moof';
    const fragmented = await remux(await drawVideo({ sound: null, more: ['-g', '5'] }), 'mp4', { more: ['-movflags', flags] });
    const grown = udta.length + xmp.length + 2 * PLACE.length;
    const inTraf = {
      tfhd: (before: Buffer) => Buffer.concat([before, Buffer.from(PLACE)]),
      trun(before: Buffer) {
        const moved = Buffer.concat([before, Buffer.from(PLACE)]);
        moved.writeInt32BE(moved.readInt32BE(8) + grown, 8);
        return moved;
      },
    };
    const contents = {
      moof: (before: Buffer) => Buffer.concat([redrawn(before, contents), xmp]),
      traf: (before: Buffer): Buffer => Buffer.concat([redrawn(before, inTraf), udta]),
    };
    const located = boxesOf(fragmented).map(({ bytes }) => redrawn(bytes, contents));
    await provenClean(Buffer.concat(located));
  });

  it('of WebM keeps no Tags behind the clusters that no list names, no Void with content, and none in clusters', async () => {
    const segment = webm.indexOf(Buffer.from('18538067', 'hex'));
    const tags = element('1254c367', element('7373', element('67c8', element('45a3', 'LOCATION'), element('4487', PLACE))));
    const hiding = element('ec', PLACE);
    // The seek head's positions count from the segment, and elements behind the clusters move.
    const cluster = webm.indexOf(Buffer.from('1f43b675', 'hex'));
    const content = segment + 12;
    const inSegment = Buffer.concat([webm.subarray(content), tags, hiding, tags]);
    const located = Buffer.concat([webm.subarray(0, segment + 4), sized(inSegment.length), inSegment]);
    expect(located.indexOf(Buffer.from('1f43b675', 'hex'))).toBe(cluster);
    await provenClean(located);

    // A cluster of unknown length, in a segment of unknown length.
    const live = await remux(webm, 'webm', { more: ['-live', '1', '-cluster_time_limit', '300'] });
    const at = live.indexOf(Buffer.from('1f43b675', 'hex'), live.indexOf(Buffer.from('1f43b675', 'hex')) + 4);
    await provenClean(Buffer.concat([live.subarray(0, at), hiding, element('bf', PLACE), tags, live.subarray(at), hiding, tags]));
  });

  it('leaves out tracks of texts and of positions, with their contents, and what is appended', async () => {
    const subtitles = Buffer.from(`1\n00:00:00,000 --> 00:00:01,000\nGPS ${PLACE}\n`);
    const text = await withSubtitles(video, subtitles, 'mp4', 'mov_text');
    expect(text.includes(PLACE)).toBe(true);
    const hung = Buffer.concat([text, box('uuid', Buffer.from(`exif:GPSLatitude ${PLACE}`)), Buffer.from('GPS')]);
    const copies = [cleaned(hung), cleaned(await withSubtitles(webm, subtitles, 'webm', 'webvtt'))];
    for (const copy of copies) {
      expect([copy.includes(PLACE), copy.includes('GPS'), (await probe(copy)).includes('subtitle')]).toEqual([false, false, false]);
    }
    expect(copies[0]?.length).toBe(hung.length);
    expect(readWhole(copies[0] as Buffer).codecs).toBe(readWhole(text).codecs);
    expect((await streams(copies[1] as Buffer)).split('\n').length).toBe((await streams(webm)).split('\n').length);
  });

  it('is not made of what cannot be read to its end', async () => {
    const fragmented = await remux(video, 'mp4', { more: ['-movflags', '+frag_keyframe+empty_moov'] });
    const junk = Buffer.from(`GPS ${PLACE} is no box`);
    for (const broken of [
      Buffer.concat([fragmented, junk]),
      fragmented.subarray(0, fragmented.length - 100),
      Buffer.concat([await remux(webm, 'webm', { more: ['-live', '1'] }), junk]),
    ]) {
      expect(readWhole(broken).width).toBe(320);
      expect(() => cleanVideo(wholeFile(broken))).toThrow(NotTaken);
    }
    // Bytes behind a segment of known length are neither read nor kept.
    expect(cleaned(Buffer.concat([webm, junk])).includes(PLACE)).toBe(false);
  });

  it.skipIf(!existsSync(FIXTURES))('of phones’ own videos (../shared/fixtures)', async () => {
    for (const [name, places] of [
      ['video/issue-515_720p_gps.mp4', ['loci', '06ad1400345e8a', 'earth']],
      ['constructed/video/hevc-hvc1_rotate-90_gps.mov', ['©xyz']],
    ] as const) {
      const phones = await readFile(join(FIXTURES, name));
      const copy = cleaned(phones);
      expect(copy.length).toBe(phones.length);
      for (const mark of places) {
        const bytes = Buffer.from(mark, /^[0-9a-f]+$/.test(mark) && mark.length > 6 ? 'hex' : 'latin1');
        expect([name, mark, phones.includes(bytes), copy.includes(bytes)]).toEqual([name, mark, true, false]);
      }
      expect(await streams(copy)).toBe(await streams(phones));
      expect(/"location|52\.51|loci"/i.test(await probe(copy))).toBe(false);
      expect(readWhole(copy).codecs).toBe(readWhole(phones).codecs);
    }
  });
});

/** Encodes the length of a WebM element in eight bytes. */
const sized = (length: number): Buffer => u32(0x0100_0000, length);

function element(id: string, ...content: (Uint8Array | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([Buffer.from(id, 'hex'), sized(body.length), body]);
}

async function withSubtitles(video: Buffer, subtitles: Buffer, to: string, codec: string): Promise<Buffer> {
  const path = join(tmpdir(), `feierbild-${process.pid}.srt`);
  await writeFile(path, subtitles);
  try {
    return await remux(video, to, { before: ['-i', path], more: ['-map', '1', '-map', '0', '-c:s', codec] });
  } finally {
    await rm(path);
  }
}
