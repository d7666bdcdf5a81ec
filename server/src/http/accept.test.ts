import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servePages } from './pages.ts';

const RENDERER = `
export const documentOf = (path) => path;
export const indexedPaths = () => [];
export const renderDocument = async () => ({ html: '<!doctype html>', indexed: false, style: '' });
`;
/** Four addresses: a page only, a page and a call, a call only, and neither. */
const ADDRESSES = ['/join', '/event/ABCD2345', '/api/site', '/gibt-es-nicht'];

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko)';
const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

/** `User-Agent` and `Accept` of clients that open pages. */
const PEOPLE: Record<string, [agent: string, accept: string]> = {
  'Chrome and Samsung Internet': [`${ANDROID} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, CHROME],
  Firefox: ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', FIREFOX],
  'an older Firefox': [
    'Mozilla/5.0 (X11; Linux x86_64; rv:100.0)',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  ],
  Safari: [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, FIREFOX],
  "Instagram's own browser": [`${IPHONE} Mobile/15E148 Instagram 380.0.0.1 (iPhone15,2; iOS 18_5; de_DE)`, FIREFOX],
  "Facebook's own browser": [`${ANDROID} Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/500.0]`, CHROME],
  "TikTok's own browser": [`${IPHONE} Mobile/15E148 musical_ly_40.0.0 BytedanceWebview/d8a21c6`, FIREFOX],
  "Pinterest's own browser": [`${IPHONE} Mobile/15E148 [Pinterest/iOS]`, FIREFOX],
  'Opera Mini': [
    'Opera/9.80 (J2ME/MIDP; Opera Mini/9.80) Presto/2.12',
    'text/html, application/xml;q=0.9, application/xhtml+xml, image/png, */*;q=0.1',
  ],
  Googlebot: ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'text/html,application/xhtml+xml,*/*;q=0.8'],
  Lynx: ['Lynx/2.9.0', 'text/html, text/plain, text/sgml, text/css, */*;q=0.01'],
  'a translator that changes case': ['Mozilla/5.0', 'Text/HTML;Q=0.9, */*'],
  'a reader of any text': ['Reader/1.0', 'text/*;q=0.3, */*;q=0.1'],
  'a mirror that takes both, pages first': ['HTTrack/3.49', 'text/html, application/json;q=0.9'],
};

/** `User-Agent` and `Accept` of programs, which get the call's answer. */
const PROGRAMS: Record<string, [agent: string | undefined, accept: string | undefined]> = {
  curl: ['curl/8.9.1', '*/*'],
  Wget: ['Wget/1.24.5', '*/*'],
  'the fetch of a page': [`${ANDROID} Chrome/130.0.0.0 Mobile Safari/537.36`, '*/*'],
  axios: ['axios/1.7.7', 'application/json, text/plain, */*'],
  jQuery: [`${IPHONE} Safari/604.1`, 'application/json, text/javascript, */*; q=0.01'],
  'requests of Python': ['python-requests/2.32.3', '*/*'],
  'Go without a header': ['Go-http-client/1.1', undefined],
  'a monitor without a name': [undefined, undefined],
  UptimeRobot: ['Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)', '*/*'],
  'Uptime Kuma': ['Uptime-Kuma/1.23.16', 'application/json, text/plain, */*'],
  'an image of a page': [`${ANDROID} Chrome/130.0.0.0`, 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8'],
  'who wants no HTML': ['n8n', 'text/html;q=0, */*'],
  'who rather has JSON': ['okhttp/4.12', 'text/html;q=0.5, application/json'],
  'an empty header': ['okhttp/4.12', ''],
  'a broken header': ['okhttp/4.12', ';;q=, ,text/;q=x'],
};

describe('what a request gets by its Accept header', () => {
  let folder: string;
  let app: FastifyInstance;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-accept-'));
    await mkdir(join(folder, 'dist/.vite'), { recursive: true });
    await writeFile(join(folder, 'dist/.vite/manifest.json'), '{}');
    await writeFile(join(folder, 'renderer.mjs'), RENDERER);
    app = Fastify();
    for (const path of ['/event/:code', '/api/site']) app.get(path, async () => ({ title: 'Fest' }));
    await servePages(
      app,
      { folder: join(folder, 'dist'), renderer: join(folder, 'renderer.mjs') },
      {
        site: () => ({}),
        origin: null,
        eventOf: async () => ({}),
        linkOf: async () => null,
        languageOf: () => ({ language: null, offered: null }),
        shownAs: async () => null,
      },
    );
  });
  afterAll(async () => {
    await app?.close();
    await rm(folder, { recursive: true });
  });

  /** Returns the kind of answer for each address. */
  async function kindsFor(agent: string | undefined, accept: string | undefined): Promise<string[]> {
    const headers = { ...(agent !== undefined && { 'user-agent': agent }), ...(accept !== undefined && { accept }) };
    const kinds: string[] = [];
    for (const url of ADDRESSES) {
      const { headers: answered, statusCode } = await app.inject({ url, headers });
      kinds.push(`${statusCode} ${String(answered['content-type']).split(';')[0]}`);
    }
    return kinds;
  }
  const [PAGE, JSON_200] = ['200 text/html', '200 application/json'];

  it.each(Object.entries(PEOPLE))('%s: pages', async (_, [agent, accept]) => {
    expect(await kindsFor(agent, accept)).toEqual([PAGE, PAGE, JSON_200, '404 text/html']);
  });
  it.each(Object.entries(PROGRAMS))('%s: a page where there is nothing else, else the answer', async (_, [agent, accept]) => {
    expect(await kindsFor(agent, accept)).toEqual([PAGE, JSON_200, JSON_200, '404 application/json']);
  });
});
