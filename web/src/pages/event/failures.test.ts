import { describe, expect, it } from 'vitest';
import { summariseFailures } from './failures.tsx';
import { createItem, type Failure, type Item } from './item.ts';

const failed = (code: Failure['code']): Item => ({
  ...createItem(new File([], 'a.jpg'), code),
  state: 'refused',
  submitted: true,
  failure: { code, message: '' },
});

describe('the summary of failures', () => {
  it('sums failures up by cause: one file by its name, several by their number and the first names', () => {
    const photos = Array.from({ length: 5 }, (_, n): Item => ({ ...failed('not_a_photo'), name: `${n}.jpg` }));
    const video = { ...failed('video_refused'), name: 'IMG_0042.mov', type: 'video/quicktime' };
    const summary = summariseFailures([failed('too_large'), ...photos, video, failed('internal')], false);
    expect(summary.map(({ text, names }) => [text, names])).toEqual([
      ['a.jpg: zu groß.', ''],
      ['5 Dateien: kein lesbares Bild.', '0.jpg, 1.jpg, 2.jpg und 2 weitere'],
      ['IMG_0042.mov: Bei diesem Event werden keine Videos angenommen.', ''],
      ['a.jpg: nicht hochgeladen.', ''],
    ]);
  });

  it('counts photos and videos apart', () => {
    const video = { ...failed('storage_full'), type: 'video/mp4' };
    expect(summariseFailures([failed('storage_full'), failed('storage_full'), video], false)[0]?.text).toBe(
      '2 Fotos und 1 Video: Der Speicherplatz dieses Events ist voll.',
    );
  });

  it('says a reason that is as true of several files as of one', () => {
    const removed = [failed('photo_removed'), failed('photo_removed')];
    expect(summariseFailures(removed, false)[0]?.text).toBe('2 Fotos: gelöscht, bevor das Original da war.');
    expect(summariseFailures(removed.slice(1), false)[0]?.text).toBe('a.jpg: gelöscht, bevor das Original da war.');
  });

  it('names the requests that failed for a reason that only the server knows', () => {
    const trouble = (requestId: string): Item => ({ ...failed('internal'), failure: { code: 'internal', message: '', requestId } });
    const items = ['a', 'b', 'a', 'c', 'd'].map(trouble);
    const large: Item = { ...failed('too_large'), failure: { code: 'too_large', message: '', requestId: 'e' } };
    expect(summariseFailures([...items, large], false).map(({ ids }) => ids)).toEqual([[], ['a', 'b', 'c']]);
  });

  it('tells a full server from a full event, and what else is refused from an event that takes nothing', () => {
    const summary = summariseFailures(
      [
        failed('storage_full'),
        failed('disk_full'),
        failed('demo_full'),
        failed('demo_full'),
        failed('wrong_event_password'),
        failed('upload_disabled'),
        failed('unreadable'),
      ],
      false,
    );
    expect(summary.map(({ text, advice, password }) => [text, advice, password])).toEqual([
      [
        'a.jpg: nicht mehr lesbar.',
        'Vielleicht wurde etwas gelöscht oder verschoben. Was rot ist, antippen und noch einmal auswählen.',
        false,
      ],
      ['a.jpg: Der Speicherplatz dieses Events ist voll.', 'Bitte dem Gastgeber Bescheid sagen; alles ist noch auf diesem Gerät.', false],
      ['a.jpg: Der Server hat keinen freien Speicherplatz mehr.', 'Es ist nichts verloren; bitte später noch einmal versuchen.', false],
      ['2 Fotos: In der Demo sind höchstens 20 Fotos je Gerät möglich.', '', false],
      ['a.jpg: Das Event-Passwort fehlt oder stimmt nicht mehr.', '', true],
      ['a.jpg: Das Event nimmt gerade nichts an.', 'Bitte den Gastgeber fragen.', false],
    ]);
  });

  it('leaves out what is sent again by itself', () => {
    const unreached: Item = { ...failed('no_connection'), state: 'waiting' };
    expect(summariseFailures([unreached], true)).toEqual([]);
    expect(summariseFailures([unreached], false)).toHaveLength(1);
  });
});
