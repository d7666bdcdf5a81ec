import { describe, expect, it } from 'vitest';
import { addFiles, hasLostConnection, isHeic, remaining, shareSent, summariseFailures, type Item } from './selection.ts';
import type { Failure } from './upload-run.ts';

let ids = 0;
const newId = (): string => String(++ids);
const file = (name: string, size = 3): File => new File([new Uint8Array(size)], name, { lastModified: 1, type: 'image/jpeg' });
const item = (name: string, state: Item['state'], code: Failure['code'] = 'no_connection'): Item => ({
  id: newId(),
  file: file(name),
  isHeic: false,
  state,
  progress: 0,
  failure: state === 'failed' ? { code, message: '' } : null,
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
    expect(hasLostConnection([item('a', 'failed', 'not_a_photo'), item('b', 'uploaded')])).toBe(false);
    expect(hasLostConnection([item('a', 'failed', 'not_a_photo'), item('b', 'failed', 'no_connection')])).toBe(true);
  });

  it('tells its share: whole files that are settled, parts of those on their way', () => {
    expect(shareSent([])).toBe(0);
    const half: Item = { ...item('c', 'uploading'), progress: 0.5 };
    expect(shareSent([item('a', 'uploaded'), item('b', 'failed', 'too_large'), half, item('d', 'pending')])).toBe(0.625);
  });

  it('knows HEIC by type or by name in any case', () => {
    expect(isHeic({ name: 'IMG.HEIC', type: '' })).toBe(true);
    expect(isHeic({ name: 'x', type: 'image/heic' })).toBe(true);
    expect(isHeic({ name: 'x.heif', type: 'image/heif' })).toBe(false);
  });

  it('sums failures up by cause', () => {
    const summary = summariseFailures([
      item('a', 'failed', 'too_large'),
      item('b', 'failed', 'not_a_photo'),
      item('c', 'failed', 'not_a_photo'),
      item('d', 'failed', 'internal'),
    ]);
    expect(summary.map(({ text }) => text)).toEqual([
      '1 Datei ist zu groß.',
      '2 Dateien sind keine lesbaren Bilder.',
      '1 Foto konnte nicht hochgeladen werden.',
    ]);
  });

  it('tells a full server from a full event, and what else is refused from an event that takes nothing', () => {
    const summary = summariseFailures([
      item('a', 'failed', 'storage_full'),
      item('b', 'failed', 'disk_full'),
      item('c', 'failed', 'demo_full'),
      item('d', 'failed', 'demo_full'),
      item('e', 'failed', 'wrong_event_password'),
      item('f', 'failed', 'upload_disabled'),
      item('g', 'failed', 'unreadable'),
    ]);
    expect(summary.map(({ text, advice, password }) => [text, advice, password])).toEqual([
      [
        '1 Datei lässt sich nicht mehr lesen.',
        'Vielleicht wurde etwas gelöscht oder verschoben. Tippen Sie die roten Kacheln an und wählen Sie die Fotos noch einmal aus.',
        false,
      ],
      [
        'Der Speicherplatz dieses Events ist voll: 1 Foto fehlt.',
        'Bitte sagen Sie dem Gastgeber Bescheid; Ihre Fotos sind noch auf diesem Gerät.',
        false,
      ],
      [
        'Der Server hat keinen freien Speicherplatz mehr: 1 Foto fehlt.',
        'Es ist nichts verloren; bitte versuchen Sie es später erneut.',
        false,
      ],
      ['2 Fotos wurden nicht angenommen.', 'In der Demo sind höchstens 20 Fotos je Gerät möglich.', false],
      ['1 Foto wurde nicht angenommen.', 'Das Event-Passwort fehlt oder stimmt nicht mehr.', true],
      ['1 Foto wurde nicht angenommen.', 'Das Event nimmt gerade keine Fotos an. Bitte fragen Sie den Gastgeber.', false],
    ]);
  });
});
