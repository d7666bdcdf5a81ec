import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDecoder, type DecoderPools } from './create-decoder.ts';
import { NotAPhoto } from './decoder.ts';
import type { Bytes } from '../lib/bytes.ts';
import type { Answer, VideoTask } from './messages.ts';
import type { Pool } from './pool.ts';
import { createVideoReader } from './read-videos.ts';
import { box, redrawn, u32 } from './testing/boxes.ts';
import { wholeFile } from './testing/whole-file.ts';
import { drawVideo, hasFfmpeg } from './testing/videos.ts';
import { answerVideo, readVideo } from './video/read-video.ts';
import { NotTaken } from './video/sparse-file.ts';

/** Limits of one video: bytes that the server reads beside one pass over it for a copy, and requests for bytes. */
const MOST_BYTES = 20 * 1024 * 1024;
const MOST_ROUNDS = { probe: 80, cleanCopy: 5000 };
/** CPU time for one video, ms: far above the need of any, and far below the sandbox's limit. */
const MOMENT_MS = 1000;
const CUTS = 200;

const readWhole = (video: Buffer) => readVideo(wholeFile(video));

/** Answers in place of the sandboxed process: a thousand videos take seconds, and thrown errors are visible. */
function inThisProcess() {
  const count = { bytes: 0, rounds: 0 };
  const run: Pool['run'] = async ({ task, source, use }) => {
    const pieces: Buffer[] = [];
    /** The real process waits for bytes within a function; this one starts again with the bytes that came. */
    async function more(source: () => AsyncIterable<Bytes>): Promise<Answer> {
      const piece = Buffer.concat(await Array.fromAsync(source()));
      count.bytes += piece.length;
      count.rounds++;
      pieces.push(piece);
      const [first, ...further] = pieces;
      try {
        const { header, body } = answerVideo(task as VideoTask, first as Buffer, (start, end) => {
          const known = further.shift();
          if (!known) throw Object.assign(new Error('asks'), { needed: [start, end] });
          return known;
        });
        return { header: JSON.parse(JSON.stringify(header)), body: body as Bytes };
      } catch (error) {
        if (error instanceof NotTaken) throw new NotAPhoto(error.message);
        if (error instanceof Error && 'needed' in error) return { header: { needed: error.needed }, body: Buffer.alloc(0) };
        throw error;
      }
    }
    return use(await more(source), more);
  };
  return { reader: createVideoReader({ run }), count };
}

const readOf = (video: Buffer) =>
  async function* ({ start, end }: { start: number; end: number }) {
    yield video.subarray(start, end);
  };

/** Reads a video in both ways of the server: the reader accepts or refuses it, within all limits. */
async function outcome(video: Buffer): Promise<'taken' | 'refused'> {
  const begun = process.cpuUsage();
  let result: 'taken' | 'refused' = 'refused';
  for (const what of ['probe', 'cleanCopy'] as const) {
    const { reader, count } = inThisProcess();
    try {
      const found = await reader[what](readOf(video), video.length, { owner: 'event' });
      if ('keep' in found) {
        expect(found.keep.every(([start, end]) => start < end && end <= video.length)).toBe(true);
        expect(found.writes.every(([at, hex]) => at + hex.length / 2 <= video.length)).toBe(true);
      } else expect(found.width * found.height).toBeGreaterThan(0);
      result = 'taken';
    } catch (error) {
      if (!(error instanceof NotAPhoto)) throw error;
    }
    expect(count.bytes).toBeLessThanOrEqual(MOST_BYTES + (what === 'probe' ? 0 : video.length));
    // The first bytes come without a request.
    expect(count.rounds - 1).toBeLessThanOrEqual(MOST_ROUNDS[what]);
  }
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(MOMENT_MS);
  return result;
}

describe.skipIf(!hasFfmpeg)('the reader of videos, given what nobody should (ffmpeg draws them)', () => {
  let decoder: DecoderPools;
  let videos: Buffer[];
  /** H.264 without sound; the moov comes last. */
  let silent: Buffer;
  /** A fragmented movie; its moov does not list the fragments. */
  let fragments: Buffer;

  beforeAll(async () => {
    decoder = createDecoder({ log: console });
    const dated = ['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.creationdate=2026-05-17T21:04:00+0900'];
    videos = await Promise.all([
      drawVideo({ seconds: 1 }),
      drawVideo({ seconds: 1, more: ['-movflags', '+faststart'] }),
      drawVideo({ seconds: 1, container: 'mov', picture: 'hevc', more: dated }),
      drawVideo({ seconds: 1, picture: 'av1', sound: 'opus' }),
      drawVideo({ seconds: 1, container: 'webm', picture: 'vp9', sound: 'opus' }),
    ]);
    silent = await drawVideo({ sound: null });
    fragments = await drawVideo({ more: ['-movflags', '+frag_keyframe+empty_moov'] });
  });
  afterAll(() => decoder.close());

  const sandboxed = (video: Buffer) => decoder.video(readOf(video), video.length, { owner: 'event' });

  it(`refuses a video that was cut anywhere, at ${CUTS} places`, async () => {
    for (const [index, video] of videos.entries()) {
      expect(await outcome(video)).toBe('taken');
      for (let cut = 0; cut < CUTS; cut++) {
        const part = video.subarray(0, Math.floor((video.length * cut) / CUTS));
        expect([index, cut, await outcome(part)]).toEqual([index, cut, 'refused']);
      }
    }
  });

  it('refuses or reads fragments that were cut anywhere', async () => {
    const outcomes = new Set<string>();
    for (let cut = 0; cut <= CUTS; cut++) outcomes.add(await outcome(fragments.subarray(0, Math.floor((fragments.length * cut) / CUTS))));
    expect(outcomes).toEqual(new Set(['taken', 'refused']));
  });

  it('refuses in its sandbox what was cut, one after the other, and goes on', async () => {
    for (const video of videos) {
      for (const share of [0.001, 0.3, 0.6, 0.9, 0.999]) {
        await expect(sandboxed(video.subarray(0, Math.floor(video.length * share)))).rejects.toThrow(NotAPhoto);
      }
      expect((await sandboxed(video)).width).toBe(320);
    }
  });

  it('survives 4,000 videos that were changed at random', async () => {
    const change = fc.record({
      at: fc.nat(),
      how: fc.constantFrom('byte', 'byte', 'number', 'remove', 'repeat'),
      value: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 1, 7, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff)),
      length: fc.integer({ min: 1, max: 64 }),
    });
    const outcomes = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat(videos.length - 1), fc.array(change, { minLength: 1, maxLength: 6 }), async (index, changes) => {
        const video = videos[index] as Buffer;
        const [from, to] = headOf(video);
        let head = Buffer.from(video.subarray(from, to));
        for (const { at, how, value, length } of changes) {
          const place = at % (head.length - 4);
          if (how === 'byte') head[place] = value;
          else if (how === 'number') head.writeUInt32BE(value, place);
          else if (how === 'remove') head = Buffer.concat([head.subarray(0, place), head.subarray(place + length)]);
          else head = Buffer.concat([head.subarray(0, place + length), head.subarray(place)]);
        }
        outcomes[await outcome(Buffer.concat([video.subarray(0, from), head, video.subarray(to)]))]++;
      }),
      { numRuns: 4000, seed: 17 },
    );
    // Some changed headers do no harm, and not every video is refused at its first box.
    expect(Math.min(outcomes.taken, outcomes.refused)).toBeGreaterThan(400);
  });

  it('refuses hostile boxes, drawn by hand, each for what it is', async () => {
    const start = silent.indexOf('moov') - 4;
    const [before, moov] = [silent.subarray(0, start), silent.subarray(start, start + silent.readUInt32BE(start))];
    const inside = moov.subarray(8);
    const made = (...content: Uint8Array[]) => Buffer.concat([before, box('moov', ...content)]);
    const withTables = (contents: Parameters<typeof redrawn>[1]) => Buffer.concat([before, redrawn(moov, contents)]);
    expect(readWhole(made(inside)).width).toBe(320);
    expect(readWhole(withTables({})).width).toBe(320);

    const trakAt = inside.indexOf('trak') - 4;
    const trak = inside.subarray(trakAt, trakAt + inside.readUInt32BE(trakAt));
    const nested = (depth: number): Buffer => (depth === 0 ? box('free') : box('udta', nested(depth - 1)));
    const changed = (from: string, at: number, bytes: Uint8Array): Buffer => {
      const copy = Buffer.from(inside);
      copy.set(bytes, copy.indexOf(from) + at);
      return made(copy);
    };
    const hostile: Record<string, [Buffer, string]> = {
      '17 tracks': [made(inside, ...Array.from({ length: 16 }, () => trak)), 'too many tracks'],
      'boxes 17 deep': [made(inside, nested(17)), 'nested too deeply'],
      'a moov above 16 MB': [made(inside, box('free', Buffer.alloc(16 * 1024 * 1024))), 'the moov is too large'],
      'boxes without end': [made(inside, ...Array.from({ length: 30_000 }, () => box('free'))), 'too many boxes'],
      'a box of 7 bytes': [made(inside, u32(7), Buffer.from('free')), 'impossible length'],
      'a box beyond the file': [made(inside, u32(0x7fff_ffff), Buffer.from('free')), 'cut short'],
      'a box longer than numbers go': [made(inside, u32(1), Buffer.from('free'), u32(0xffff_ffff, 0xffff_ffff)), 'cut short'],
      'data in another file': [changed('url ', 7, Uint8Array.of(0)), 'in another file'],
      'a codec of another name': [changed('avc1', 0, Buffer.from('xvid')), 'no picture of a codec'],
      'an encrypted picture': [changed('avc1', 0, Buffer.from('encv')), 'encrypted'],
      'four thousand million samples': [changed('stsz', 12, u32(0xffff_ffff)), 'too short'],
      'four thousand million chunks': [changed('stco', 8, u32(0xffff_ffff)), 'too short'],
      'four thousand million samples in a chunk': [changed('stsc', 16, u32(0xffff_ffff)), 'more samples than sizes'],
      'samples behind the file': [changed('stco', 12, u32(0x7fff_ffff)), 'outside of their place'],
      'samples in the headers': [changed('stco', 12, u32(0)), 'outside of their place'],
      'samples that are nowhere': [withTables({ stsc: () => u32(0, 0) }), 'without a place'],
      'millions of pieces': [millionsOfPieces(moov), 'too many pieces'],
      'sides that no picture has': [changed('tkhd', 80, u32(0xffff_ffff, 0xffff_ffff)), 'impossible sides'],
      'longer than a week': [changed('mvhd', 20, u32(0x7fff_ffff)), 'impossible length'],
      'two hundred outermost boxes': [Buffer.concat([...Array.from({ length: 200 }, () => box('free')), silent]), 'too many boxes'],
      'no video at all': [Buffer.from('<!doctype html><script>alert(1)</script>'), 'cut short'],
      'nothing but zeros': [Buffer.alloc(1_000_000), 'no moov'],
    };
    for (const [what, [video, why]] of Object.entries(hostile)) {
      expect(() => readWhole(video), what).toThrow(why);
      expect([what, await outcome(video)]).toEqual([what, 'refused']);
      await expect(sandboxed(video), what).rejects.toThrow(NotAPhoto);
    }
    expect((await sandboxed(silent)).width).toBe(320);
  });

  it('refuses endless elements of WebM, and lists that lead all over the file', async () => {
    const video = await drawVideo({ container: 'webm', picture: 'vp8', sound: null });
    // The seek head contains the id before the element does.
    const tracks = video.lastIndexOf(Buffer.from('1654ae6b', 'hex'));
    for (const [at, hex] of [
      [tracks + 4, '01ffffffffffffff'],
      [tracks + 4, '0100ffffffffffff'],
      [tracks, '00000000'],
      [0, '1a45dfa3ff'],
    ] as const) {
      const broken = Buffer.from(video);
      broken.write(hex, at, 'hex');
      expect(() => readWhole(broken)).toThrow(NotTaken);
      expect(await outcome(broken)).toBe('refused');
    }
    const scattered = scatteredWebm();
    expect(await outcome(scattered)).toBe('refused');
    const reading = inThisProcess().reader.probe(readOf(scattered), scattered.length, { owner: 'event' });
    await expect(reading).rejects.toThrow('in too many pieces');
    await expect(sandboxed(scattered)).rejects.toThrow(NotAPhoto);
  });
});

/** Finds the part of a video that is read: its `moov`, or the head of a WebM. */
function headOf(video: Buffer): [number, number] {
  const moov = video.indexOf('moov') - 4;
  return moov < 0 ? [0, Math.min(600, video.length)] : [moov, moov + video.readUInt32BE(moov)];
}

/** Builds a WebM element with its length in eight bytes. */
function element(id: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from(id.toString(16), 'hex'), u32(0x0100_0000, body.length), body]);
}

/** Builds a WebM with sixty elements before its pictures, and sixty behind them that the seek head names: each needs a read of its own. */
function scatteredWebm(): Buffer {
  const [count, gap] = [60, 100_000];
  const before = Buffer.concat(Array.from({ length: count }, () => element(0xec, Buffer.alloc(gap))));
  const cluster = element(0x1f43b675, Buffer.alloc(8));
  const tracks = element(0x1654ae6b, Buffer.alloc(gap));
  const list = (from: number): Buffer => {
    const places = Array.from({ length: count }, (_, n) => from + n * tracks.length);
    const seeks = places.map((at) => element(0x4dbb, element(0x53ab, u32(0x1654_ae6b)), element(0x53ac, u32(at))));
    return element(0x114d9b74, ...seeks);
  };
  const from = list(0).length + before.length + cluster.length;
  const segment = element(0x18538067, list(from), before, cluster, ...Array.from({ length: count }, () => tracks));
  return Buffer.concat([element(0x1a45dfa3, element(0x4282, Buffer.from('webm'))), segment]);
}

/** Builds tables of nearly 16 MB that list every other byte of the samples as a chunk, backwards: none can be joined. */
function millionsOfPieces(moov: Buffer): Buffer {
  const count = 3_900_000;
  const places = Buffer.alloc(4 * count);
  for (let chunk = 0; chunk < count; chunk++) places.writeUInt32BE(8 + 2 * (count - chunk), 4 * chunk);
  const hostile = redrawn(moov, {
    stsz: () => u32(0, 1, count),
    stsc: () => u32(0, 1, 1, 1, 1),
    stco: () => Buffer.concat([u32(0, count), places]),
  });
  return Buffer.concat([box('mdat', Buffer.alloc(2 * count + 8)), hostile]);
}
