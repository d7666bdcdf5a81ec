import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SITE } from '../../../ui-book/samples.ts';
import { SiteContext } from '../../lib/use-site.ts';
import { VideoDownload } from './download-page.tsx';

it('a video can be reported from the page of its link, as a photo can', () => {
  const page = createElement(VideoDownload, { url: '/api/photos/temp_download/abc' });
  expect(renderToStaticMarkup(createElement(SiteContext, { value: SITE }, page))).toContain('Video melden');
});
