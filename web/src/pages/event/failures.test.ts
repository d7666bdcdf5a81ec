import { describe, expect, it } from 'vitest';
import { summariseFailures } from './failures.ts';
import type { Item } from './selection.ts';
import type { Failure } from './upload-run.ts';

const failed = (code: Failure['code']): Item => ({
  id: code,
  file: new File([], 'a.jpg'),
  isHeic: false,
  state: 'refused',
  progress: 0,
  failure: { code, message: '' },
});

describe('the summary of failures', () => {
  it('sums failures up by cause', () => {
    const summary = summariseFailures([failed('too_large'), failed('not_a_photo'), failed('not_a_photo'), failed('internal')]);
    expect(summary.map(({ text }) => text)).toEqual([
      '1 Datei ist zu groß.',
      '2 Dateien sind keine lesbaren Bilder.',
      '1 Foto konnte nicht hochgeladen werden.',
    ]);
  });

  it('tells a full server from a full event, and what else is refused from an event that takes nothing', () => {
    const summary = summariseFailures([
      failed('storage_full'),
      failed('disk_full'),
      failed('demo_full'),
      failed('demo_full'),
      failed('wrong_event_password'),
      failed('upload_disabled'),
      failed('unreadable'),
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
