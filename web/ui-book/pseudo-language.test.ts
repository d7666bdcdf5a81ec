import { createElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { SiteContext } from '../src/lib/use-site.ts';
import { GERMAN, pseudo } from '../src/languages/testing.ts';
import DownloadPage from '../src/pages/download/download-page.tsx';
import EventPage from '../src/pages/event/event-page.tsx';
import GuestGalleryPage, { Closed, NoEntry } from '../src/pages/guest-gallery/guest-gallery-page.tsx';
import JoinPage from '../src/pages/join/join-page.tsx';
import SecureJoinPage from '../src/pages/join/secure-join-page.tsx';
import { InApp, Thanks } from '../src/pages/event/after-paint.tsx';
import { speak } from '../src/texts/speech.ts';
import { MessagePage } from '../src/ui/message-page.tsx';
import { ReportForm } from '../src/ui/report-form.tsx';
import { Waiting } from '../src/ui/spinner.tsx';
import { LONG_NAME, LONG_TITLE, sampleItem, SITE } from './samples.ts';

/** Names, codes, numbers and hosts' texts, which are not translated. */
const NAMES =
  /Feierbild|Beta|[\wäöüß]+\.(jpg|HEIC)|K7MQ2XWA|[0-9a-f]{8}|Anna|Alle Gäste sehen sofort, was hier hochgeladen wird\.|\d+\. Mai/gi;

const event = { title: 'Anna', subtitle: '', with_user_upload: true, with_upload_password: false, with_videos: true };
const gallery = {
  mode: 'open',
  opens_at: null,
  open: true,
  with_release: true,
  release_minutes: 30,
  photos_per_device: 5,
  originals: false,
  own_meanwhile: false,
} as const;
const drawn = (of: object) =>
  createElement(SiteContext, { value: { ...SITE, event: of as never } }, createElement(EventPage, { code: 'K7MQ2XWA' }));

/** Renders a page, and returns all text that is read or heard, in its order. */
function wordsOf(shown: ReactNode): string[] {
  const html = renderToStaticMarkup(createElement(SiteContext, { value: SITE }, shown));
  const heard = [...html.matchAll(/ (?:aria-label|alt|title|placeholder)="([^"]*)"/g)].map(([, text = '']) => text);
  return [html.replace(/<[^>]*>/g, ''), ...heard];
}

/** Returns the words that are in no catalogue, because they are outside of the brackets. */
function foreignIn(words: string): string {
  let depth = 0;
  let outside = '';
  for (const letter of words
    .replaceAll(LONG_NAME, ' ')
    .replaceAll(LONG_TITLE, ' ')
    .replace(/&#?\w+;/g, ' ')
    .replace(NAMES, ' ')) {
    if (letter === '⟦') depth++;
    else if (letter === '⟧') depth--;
    else if (depth === 0 && /\p{L}/u.test(letter)) outside += letter;
  }
  expect(depth, words).toBe(0);
  return outside;
}

// The language is set before the import, because some states take their texts then.
speak(pseudo({ ...GERMAN, errors: { other: 'Fehler', field: 'Feld' } }));
const { guest } = await import('./guest.tsx');
const { guestGallery } = await import('./guest-gallery.tsx');

describe('a language that nobody speaks', () => {
  afterAll(() => speak({}));
  afterEach(() => vi.unstubAllGlobals());

  const pages: [name: string, shown: ReactNode][] = [
    ['join', createElement(JoinPage)],
    ['secure join', createElement(SecureJoinPage)],
    ['download', createElement(DownloadPage, { token: 'abc' })],
    ['download without a link', createElement(DownloadPage, { token: '' })],
    ['report', createElement(ReportForm)],
    ['report of a known photo', createElement(ReportForm, { event: 'K7MQ2XWA', photo: 'IMG_1.jpg' })],
    ['waiting', createElement(Waiting, { first: true })],
    ['in another app', createElement(InApp)],
    [
      'thanks',
      createElement(Thanks, {
        name: 'Anna',
        items: [sampleItem('1', { state: 'stored' })],
        gallery: '/galerie/K7MQ2XWA',
        event: { code: 'AAAAAAAA', title: 'Fest' },
      }),
    ],
    ['no code', createElement(EventPage, { code: '' })],
    ['a message', createElement(MessagePage, { title: '' })],
  ];
  it.each(pages)('has every word of the page: %s', (_, shown) => {
    expect(wordsOf(shown).map(foreignIn).join('')).toBe('');
  });

  const states = {
    open: { event, locked: false },
    'with a gallery': { event: { ...event, gallery }, locked: false },
    locked: { event, locked: true },
    'without uploads': { event: { ...event, with_user_upload: false, gallery }, locked: false },
    wrong: { refused: { status: 404, code: 'event_not_found', error: 'Event nicht gefunden', fields: {} } },
    'too early': { refused: { status: 403, code: 'event_inactive', error: 'Event ist nicht aktiv', fields: { opens_on: '2027-01-01' } } },
    over: { refused: { status: 403, code: 'event_inactive', error: 'Event ist nicht aktiv', fields: { ended_on: '2025-01-01' } } },
  };
  it.each(Object.entries(states))('has every word of an event: %s', async (_, of) => {
    expect(wordsOf(drawn(of)).map(foreignIn).join('')).toBe('');
  });

  const visited = (of: object) =>
    createElement(SiteContext, { value: { ...SITE, event: of as never } }, createElement(GuestGalleryPage, { code: 'K7MQ2XWA' }));
  const others = { code: 'K7MQ2XWA', event, busy: false, onRetry() {} };
  const closed = (opens_at: string | null) =>
    createElement(Closed, { ...others, refusal: { closed: { count: 7, opens_at } }, onOpen: others.onRetry });
  it.each([
    ['before its photos', visited(states['with a gallery'])],
    ['of no event', visited(states.wrong)],
    ['before the reveal', closed(null)],
    ['before an instant', closed('2026-05-17T19:04:00Z')],
    ['that does not open', createElement(NoEntry, { ...others, error: new TypeError() })],
  ] as const)("has every word of the guests' gallery: %s", (_, shown) => {
    expect(wordsOf(shown).map(foreignIn).join('')).toBe('');
  });

  it.each([...guest.states, ...guestGallery.states.filter(({ id }) => !id.startsWith('dialog-'))])('has every word of: $id', ({ show }) => {
    vi.stubGlobal('window', { innerWidth: 390, innerHeight: 844, devicePixelRatio: 1 });
    expect(wordsOf(show).map(foreignIn).join('')).toBe('');
  });
});
