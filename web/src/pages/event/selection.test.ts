import { describe, expect, it } from 'vitest';
import { addFiles, hasLostConnection, isHeic, remaining, shareSent, summariseFailures, type Item } from './selection.ts';

let ids = 0;
const newId = (): string => String(++ids);
const file = (name: string, size = 3): File => new File([new Uint8Array(size)], name, { lastModified: 1, type: 'image/jpeg' });
const item = (name: string, state: Item['state'], status = 0): Item => ({
  id: newId(),
  file: file(name),
  isHeic: false,
  state,
  progress: 0,
  failure: state === 'failed' ? { status, message: '' } : null,
});

describe('the selection', () => {
  it('takes the same file once', () => {
    const once = addFiles([], [file('a.jpg'), file('a.jpg'), file('a.jpg', 4)], newId);
    expect(addFiles(once, [file('a.jpg')], newId)).toHaveLength(2);
  });

  it('drops what is uploaded and lets failed files wait again when new ones come', () => {
    const items = addFiles([item('done.jpg', 'uploaded'), item('red.jpg', 'failed')], [file('new.jpg')], newId);
    expect(items.map((one) => [one.file.name, one.state])).toEqual([
      ['red.jpg', 'pending'],
      ['new.jpg', 'pending'],
    ]);
  });

  it('counts failed files among those that remain', () => {
    expect(remaining([item('a', 'uploaded'), item('b', 'failed'), item('c', 'pending')])).toBe(2);
  });

  it('knows whether something was lost for want of a connection', () => {
    expect(hasLostConnection([item('a', 'failed', 415), item('b', 'uploaded')])).toBe(false);
    expect(hasLostConnection([item('a', 'failed', 415), item('b', 'failed', 0)])).toBe(true);
  });

  it('tells its share: whole files that are settled, parts of those on their way', () => {
    expect(shareSent([])).toBe(0);
    const half: Item = { ...item('c', 'uploading'), progress: 0.5 };
    expect(shareSent([item('a', 'uploaded'), item('b', 'failed', 413), half, item('d', 'pending')])).toBe(0.625);
  });

  it('knows HEIC by type or by name in any case', () => {
    expect(isHeic({ name: 'IMG.HEIC', type: '' })).toBe(true);
    expect(isHeic({ name: 'x', type: 'image/heic' })).toBe(true);
    expect(isHeic({ name: 'x.heif', type: 'image/heif' })).toBe(false);
  });

  it('sums failures up by cause', () => {
    const summary = summariseFailures([
      item('a', 'failed', 413),
      item('b', 'failed', 415),
      item('c', 'failed', 415),
      item('d', 'failed', 500),
    ]);
    expect(summary.map(({ text }) => text)).toEqual([
      '1 Datei ist zu groß.',
      '2 Dateien sind keine lesbaren Bilder.',
      '1 Foto konnte nicht hochgeladen werden.',
    ]);
  });
});
