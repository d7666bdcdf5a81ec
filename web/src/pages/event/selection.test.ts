import { describe, expect, it } from 'vitest';
import { addFiles, isHeic, lostConnection, remaining, shareSent, type Item } from './selection.ts';
import type { Failure } from './upload-run.ts';

let ids = 0;
const newId = (): string => String(++ids);
const file = (name: string, size = 3): File => new File([new Uint8Array(size)], name, { lastModified: 1, type: 'image/jpeg' });
const item = (name: string, state: Item['state'], code?: Failure['code']): Item => ({
  id: newId(),
  file: file(name),
  isHeic: false,
  state,
  progress: 0,
  failure: code ? { code, message: '' } : null,
});

describe('the selection', () => {
  it('takes the same file once', () => {
    const once = addFiles([], [file('a.jpg'), file('a.jpg'), file('a.jpg', 4)], newId);
    expect(addFiles(once, [file('a.jpg')], newId)).toHaveLength(2);
  });

  it('drops what is uploaded and lets failed files wait again when new ones come', () => {
    const items = addFiles([item('done.jpg', 'stored'), item('red.jpg', 'refused', 'not_a_photo')], [file('new.jpg')], newId);
    expect(items.map((one) => [one.file.name, one.state])).toEqual([
      ['red.jpg', 'waiting'],
      ['new.jpg', 'waiting'],
    ]);
  });

  it('counts failed files among those that remain', () => {
    expect(remaining([item('a', 'stored'), item('b', 'waiting', 'no_connection'), item('c', 'waiting')])).toBe(2);
  });

  it('knows whether something was lost for want of a connection', () => {
    expect(lostConnection([item('a', 'refused', 'not_a_photo'), item('b', 'stored')])).toBe(false);
    expect(lostConnection([item('a', 'refused', 'not_a_photo'), item('b', 'waiting', 'no_connection')])).toBe(true);
  });

  it('tells its share: whole files that are settled, parts of those on their way', () => {
    expect(shareSent([])).toBe(0);
    const half: Item = { ...item('c', 'sending'), progress: 0.5 };
    expect(shareSent([item('a', 'stored'), item('b', 'refused', 'too_large'), half, item('d', 'waiting')])).toBe(0.625);
  });

  it('knows HEIC by type or by name in any case', () => {
    expect(isHeic({ name: 'IMG.HEIC', type: '' })).toBe(true);
    expect(isHeic({ name: 'x', type: 'image/heic' })).toBe(true);
    expect(isHeic({ name: 'x.heif', type: 'image/heif' })).toBe(false);
  });
});
