import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The words in the privacy text for each key of the local storage. */
const NAMED = {
  userName: 'der Name, den Sie eingeben',
  device_id: 'ein Speichereintrag mit der zufälligen Gerätekennung',
  expandedEvents: 'welche Zeilen der Event-Liste aufgeklappt sind',
  slideshowQr: 'ob die Slideshow den QR-Code zeigt',
  shareText: 'der Text, den sie zum Link schreiben',
  persist: 'dass der Browser gebeten wurde, sie zu behalten',
  drawing: 'solange der Browser eine Vorschau von ihnen zeichnet',
  consent: 'bei welchen Events Sie diesen Hinweisen zugestimmt haben',
  kept: 'dass es sie gibt',
};

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8').replaceAll(/\s+/g, ' ');

it('names all that a browser stores', () => {
  const [, keys = '', events = ''] = /type Key = ([^;]*);.*type EventsKey = ([^;]*);/.exec(read('../../lib/storage.ts')) ?? [];
  const stored = [...`${keys} ${events}`.matchAll(/'(\w+)'/g)].map(([, key]) => key);
  expect(stored.toSorted()).toEqual(Object.keys(NAMED).toSorted());
  const text = read('privacy-page.tsx');
  expect(Object.values(NAMED).filter((words) => !text.includes(words))).toEqual([]);
});
