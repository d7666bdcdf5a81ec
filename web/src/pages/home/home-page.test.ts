import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SITE } from '../../../ui-book/samples.ts';
import { SiteContext } from '../../lib/use-site.ts';
import { keepersText } from '../privacy/keepers.ts';
import { Promises } from './home-page.tsx';

const STORE = { what: 'Fotospeicher', name: 'Bucket Inc.', country: 'USA' };
const OWN = { what: 'Datenbank', name: 'Beispiel-Rechenzentrum', country: 'Deutschland' };

function promises(keepers: (typeof STORE)[]): string {
  const value = { ...SITE, said: { https: true, eea: true, backups: true, keepers } };
  return renderToStaticMarkup(createElement(SiteContext, { value }, createElement(Promises)));
}

it('the country of the server is promised only where nobody keeps photos or data in another one', () => {
  expect(promises([])).toContain('Server in Deutschland');
  expect(promises([OWN])).toContain('Server in Deutschland');
  expect(promises([OWN, STORE])).not.toContain('Server in');
  expect(promises([{ ...STORE, name: '', country: '' }])).not.toContain('Server in');
});

it('the privacy text names who keeps photos and data beside the server', () => {
  expect(keepersText([])).toBe('');
  expect(keepersText([STORE, { ...OWN, name: '', country: '' }])).toBe(
    'Daten verarbeiten in unserem Auftrag auch: Bucket Inc., USA (Fotospeicher); ein Anbieter (Datenbank).',
  );
});
