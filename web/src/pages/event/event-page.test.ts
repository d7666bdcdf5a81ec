import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it } from 'vitest';
import { SITE } from '../../../ui-book/samples.ts';
import { texts } from '../../languages/en/texts.ts';
import { SiteContext } from '../../lib/use-site.ts';
import { speak } from '../../texts/speech.ts';
import EventPage from './event-page.tsx';

afterEach(() => speak({}));

it('a refusal that the server has drawn is said in the language of the page', () => {
  const error = 'Zu viele Versuche.';
  const event = { refused: { status: 429, code: 'too_many_attempts', error } } as const;
  const page = () =>
    renderToStaticMarkup(createElement(SiteContext, { value: { ...SITE, event } }, createElement(EventPage, { code: 'K7MQ2XWA' })));
  expect(page()).toContain(error);
  speak(texts);
  expect(page()).toContain(texts.errors.too_many_attempts);
  expect(page()).not.toContain(error);
});
