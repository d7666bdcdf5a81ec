import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { bothOf, renderedAnswer, trusted, typeOfPicture, wallClock } from './answers.ts';
import { NotAPhoto } from './decoder.ts';

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
const [jpeg, webp] = await Promise.all([picture.clone().jpeg().toBuffer(), picture.clone().webp().toBuffer()]);
const header = (type: string) => ({ type: 'image/png', width: 8, height: 8, takenAt: [], rendition: { type, width: 8, height: 8 } });
const check = (type: string, body: Uint8Array) => trusted(renderedAnswer, { header: header(type), body }, typeOfPicture);

describe('an answer of a decoder process', () => {
  it('counts where its bytes are of the type it names', () => {
    expect(check('image/jpeg', jpeg).body).toBe(jpeg);
    expect(check('image/webp', webp).header.rendition.type).toBe('image/webp');
  });

  it.each([
    ['a page that calls itself a JPEG', 'image/jpeg', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a WebP that calls itself a JPEG', 'image/jpeg', webp],
    ['a JPEG that calls itself a WebP', 'image/webp', jpeg],
    ['nothing', 'image/jpeg', Buffer.alloc(0)],
    ['another type', 'text/html', jpeg],
  ])('does not count for %s', (_what, type, body) => {
    expect(() => check(type, body)).toThrow(NotAPhoto);
  });

  it('counts with a second picture behind the first one alone, and never in its place', () => {
    const body = Buffer.concat([webp, jpeg]);
    expect(bothOf(body, { type: 'image/jpeg', size: jpeg.length })).toEqual([webp, jpeg]);
    for (const size of [0, body.length, body.length + 1])
      expect(() => bothOf(body, { type: 'image/webp', size }), `${size}`).toThrow(NotAPhoto);
  });
});

describe('a time that a camera wrote', () => {
  it.each([
    ['2026:05:17 21:04:00', '2026-05-17T21:04:00'],
    ['2026:05:17 20:04:00+01:00', '2026-05-17T21:04:00'],
    ['2026:05:17 21:04:00+02:00', '2026-05-17T21:04:00'],
    ['2026:12:31 23:30:00Z', '2027-01-01T00:30:00'],
    ['2026-05-17T12:04:00-0700', '2026-05-17T21:04:00'],
    ['2026:05:18 00:49:00+05:45', '2026-05-17T21:04:00'],
    ['2026: 5:17  9: 4: 7', '2026-05-17T09:04:07'],
    ['2026:05:17  9:04:07', '2026-05-17T09:04:07'],
    ['2026/05/17 21:04:00', '2026-05-17T21:04:00'],
    ['2026.05.17 21:04:00', '2026-05-17T21:04:00'],
    ['2026-05-17T21:04', '2026-05-17T21:04:00'],
    ['2026-05-17T21:04:00.123', '2026-05-17T21:04:00'],
    ['2026-05-17T19:04:00.123Z', '2026-05-17T21:04:00'],
    ['2026:05:17 21:04:00   ', '2026-05-17T21:04:00'],
    ['2026:05:17 09:04:00 PM', '2026-05-17T21:04:00'],
    ['2026:05:17 9:04 p.m.', '2026-05-17T21:04:00'],
    ['2026:05:17 9:04:00 p. m.', '2026-05-17T21:04:00'],
    ['2026:05:17 12:04:00 a. m.', '2026-05-17T00:04:00'],
    ['2026:05:17 09:04:00 am', '2026-05-17T09:04:00'],
    ['2026:05:17 12:04:00AM', '2026-05-17T00:04:00'],
    ['2026:05:17 12:04:00 PM', '2026-05-17T12:04:00'],
    ['2026:05:17 21:04:00 PM', '2026-05-17T21:04:00'],
    ['2026:05:17 08:04:00 PM+01:00', '2026-05-17T21:04:00'],
    ['2026:05:17 00:04:00 AM', '2026-05-17T00:04:00'],
    ['2026:10:25 01:30:00+00:00', '2026-10-25T02:30:00'],
    ['2026:05:17 20:04:00+01', '2026-05-17T21:04:00'],
    ['2026:05:17 21:04:00+0200', '2026-05-17T21:04:00'],
    ['2026:05:17 21:04:00 +2', '2026-05-17T21:04:00'],
    ['2026:05:18 00:49:00+545', '2026-05-17T21:04:00'],
    ['2026-05-17 19:04:00 UTC', '2026-05-17T21:04:00'],
    ['2026:05:17 19:04:00 gmt', '2026-05-17T21:04:00'],
    ['2026:05:17 22:04:00 UTC+3', '2026-05-17T21:04:00'],
    // Leap second.
    ['2026:06:30 23:59:60', '2026-06-30T23:59:59'],
    ['2026:05:17 21:04:60.5', '2026-05-17T21:04:59'],
    ['2026:05:17 21:04:61', null],
    ['2026:05:17 21:04:00+99', null],
    ['2026:05:17 21:04:00+99:00', null],
    ['2026:05:17', null],
    ['17/05/2026 21:04:00', null],
    ['2026:13:17 21:04:00', null],
    ['2026:02:30 21:04:00', null],
    ['2026:05:17 24:00:00', null],
    ['2026:05:17 24:12:34', '2026-05-17T00:12:34'],
    ['2026:05:17 24:00:34+02:00', '2026-05-17T00:00:34'],
    ['2026:05:17 25:12:34', null],
    ['1899:12:31 21:04:00', null],
    ['2999:12:31 21:04:00', null],
    ['    :  :     :  :  ', null],
    ['0000:00:00 00:00:00', null],
    ['２０２６:05:17 21:04:00', null],
    ['', null],
    [null, null],
  ])('%j is, in Berlin, %j', (text, expected) => {
    expect(wallClock(text, 1900)).toBe(expected);
  });

  it('is the first of those in the file that is possible', () => {
    const answer = {
      header: { ...header('image/jpeg'), takenAt: ['0000:00:00 00:00:00', '2026:05:17 21:04:00', '2020:01:01 00:00:00'] },
      body: jpeg,
    };
    expect(trusted(renderedAnswer, answer, typeOfPicture).header.takenAt).toBe('2026-05-17T21:04:00');
  });
});
