import { describe, expect, it } from 'vitest';
import { summariseFailures } from './failures.ts';
import { createItem, type Item } from './selection.ts';
import type { Failure } from './upload-run.ts';

const failed = (code: Failure['code']): Item => ({
  ...createItem(new File([], 'a.jpg'), code),
  state: 'refused',
  released: true,
  failure: { code, message: '' },
});

describe('the summary of failures', () => {
  it('sums failures up by cause', () => {
    const summary = summariseFailures([failed('too_large'), failed('not_a_photo'), failed('not_a_photo'), failed('internal')], false, null);
    expect(summary.map(({ text }) => text)).toEqual([
      '1 Datei ist zu groß.',
      '2 Dateien sind keine lesbaren Bilder.',
      '1 Foto konnte nicht hochgeladen werden.',
    ]);
  });

  it('names the requests that failed for a reason that only the server knows', () => {
    const trouble = (requestId: string): Item => ({ ...failed('internal'), failure: { code: 'internal', message: '', requestId } });
    const items = ['a', 'b', 'a', 'c', 'd'].map(trouble);
    const large: Item = { ...failed('too_large'), failure: { code: 'too_large', message: '', requestId: 'e' } };
    expect(summariseFailures([...items, large], false, null).map(({ ids }) => ids)).toEqual([[], ['a', 'b', 'c']]);
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
      null,
    );
    expect(summary.map(({ text, advice, password }) => [text, advice, password])).toEqual([
      [
        '1 Datei lässt sich nicht mehr lesen.',
        'Vielleicht wurde etwas gelöscht oder verschoben. Was rot ist, antippen und noch einmal auswählen.',
        false,
      ],
      [
        'Der Speicherplatz dieses Events ist voll: 1 Foto fehlt.',
        'Bitte dem Gastgeber Bescheid sagen; alles ist noch auf diesem Gerät.',
        false,
      ],
      [
        'Der Server hat keinen freien Speicherplatz mehr: 1 Foto fehlt.',
        'Es ist nichts verloren; bitte später noch einmal versuchen.',
        false,
      ],
      ['2 Fotos wurden nicht angenommen.', 'In der Demo sind höchstens 20 Fotos je Gerät möglich.', false],
      ['1 Foto wurde nicht angenommen.', 'Das Event-Passwort fehlt oder stimmt nicht mehr.', true],
      ['1 Foto wurde nicht angenommen.', 'Das Event nimmt gerade nichts an. Bitte den Gastgeber fragen.', false],
    ]);
  });

  it('leaves out what is sent again by itself', () => {
    const unreached: Item = { ...failed('no_connection'), state: 'waiting' };
    expect(summariseFailures([unreached], true, null)).toEqual([]);
    expect(summariseFailures([unreached], false, null)).toHaveLength(1);
  });

  it('has sentences of their own for videos and for too many pixels', () => {
    expect(summariseFailures([failed('video_refused'), failed('too_many_pixels')], false, null).map(({ text }) => text)).toEqual([
      '1 Bild hat mehr als 200 Megapixel.',
      '1 Video wurde nicht angenommen.',
    ]);
  });
});
