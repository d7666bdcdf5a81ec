import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { renderedAnswer, trusted, typeOfPicture } from './answers.ts';
import { NotAPhoto } from './decoder.ts';

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
const [jpeg, webp] = await Promise.all([picture.clone().jpeg().toBuffer(), picture.clone().webp().toBuffer()]);
const header = (type: string) => ({ type: 'image/png', width: 8, height: 8, takenAt: null, rendition: { type, width: 8, height: 8 } });
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
});
