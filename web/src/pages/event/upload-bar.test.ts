import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createItem, type Failure, type Item } from './item.ts';
import { UploadBar } from './upload-bar.tsx';

const stored: Item = { ...createItem(new File([], 'a.jpg')), state: 'stored' };
const refused = (code: Failure['code']): Item => ({
  ...createItem(new File([], 'b.jpg')),
  state: 'refused',
  failure: { code, message: '' },
});

/** Returns the choices that the bar offers after a run. */
function shown(items: Item[], consent: boolean): string[] {
  const nothing = (): void => undefined;
  const more = createElement('label', {}, 'Fotos auswählen');
  const given = { items, takesVideos: false, seenBy: '', running: false, consent, ready: true, onConsent: nothing, onStart: nothing, more };
  const html = renderToStaticMarkup(createElement(UploadBar, given));
  return ['Fotos auswählen', 'type="checkbox"'].filter((part) => html.includes(part));
}

it('lets a guest choose more after a run that stored some, whatever became of the others', () => {
  expect(shown([stored], true)).toEqual(['Fotos auswählen']);
  expect(shown([stored, refused('not_a_photo')], true)).toEqual(['Fotos auswählen']);
  expect(shown([stored, refused('storage_full')], true)).toEqual(['Fotos auswählen']);
});

it('asks for the consent, too, where it was taken back and something may still be sent', () => {
  expect(shown([stored, refused('storage_full')], false)).toEqual(['Fotos auswählen', 'type="checkbox"']);
});
