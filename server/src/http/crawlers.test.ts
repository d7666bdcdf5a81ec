import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { isLinkCrawler, maybeLinkCrawler } from './crawlers.ts';
import { isNavigation } from './request.ts';

/** Headers of messengers' crawlers. */
const CRAWLERS: Record<string, Record<string, string>> = {
  'Facebook, Instagram, Messenger': {
    'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    accept: '*/*',
    range: 'bytes=0-524287',
  },
  WhatsApp: { 'user-agent': 'WhatsApp/2.23.20.0', accept: '*/*' },
  'Signal, which says it is WhatsApp': { 'user-agent': 'WhatsApp/2' },
  Telegram: { 'user-agent': 'TelegramBot (like TwitterBot)', accept: '*/*' },
  Slack: { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', accept: '*/*', range: 'bytes=0-32768' },
  Discord: { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' },
  LinkedIn: { 'user-agent': 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)', accept: '*/*' },
  X: { 'user-agent': 'Twitterbot/1.0', accept: 'text/html,application/xhtml+xml' },
  'Teams and Skype': {
    'user-agent': 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    accept: '*/*',
  },
  Mastodon: { 'user-agent': 'Mastodon/4.3.1 (http.rb/5.2.0; +https://mastodon.example/) Bot', accept: 'text/html' },
  VK: { 'user-agent': 'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)', accept: '*/*' },
  'Threads and Messenger, once somebody sends a link': {
    'user-agent': 'meta-externalfetcher/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    accept: '*/*',
  },
  Snapchat: { 'user-agent': 'Mozilla/5.0 (compatible; Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots)' },
  Bluesky: { 'user-agent': 'Bluesky Cardyb/1.1; +mailto:support@bsky.app', accept: '*/*' },
  Mattermost: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:55.0) Mattermost-Bot/1.1' },
  'Nextcloud Talk': { 'user-agent': 'Nextcloud Server Crawler', accept: '*/*' },
  'LINE, which says it is Facebook': { 'user-agent': 'facebookexternalhit/1.1;line-poker/1.0', accept: '*/*' },
  iMessage: {
    'user-agent':
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    accept: '*/*',
  },
};

/** Headers of programs that get the call's answer. */
const PROGRAMS: Record<string, Record<string, string>> = {
  curl: { 'user-agent': 'curl/8.9.1', accept: '*/*' },
  'a script of a page': { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', accept: '*/*' },
  nobody: {},
  'a crawler that asks for JSON': { 'user-agent': 'Mastodon/4.3.1', accept: 'application/activity+json, application/json' },
};

const asked = (headers: Record<string, string>, method = 'GET') => ({ method, headers }) as unknown as FastifyRequest;

describe('previews of links', () => {
  it.each(Object.entries(CRAWLERS))('%s gets the page, with what it shows', (_, headers) => {
    expect([isNavigation(asked(headers)), maybeLinkCrawler(asked(headers))]).toEqual([true, true]);
  });
  it.each(Object.entries(PROGRAMS))('%s gets the answer of the call', (_, headers) => {
    expect([isNavigation(asked(headers)), isLinkCrawler(asked(headers))]).toEqual([false, false]);
  });
  it("people's browsers get the page without what only messengers read", () => {
    const browser = asked({ 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', accept: 'text/html' });
    expect([isNavigation(browser), maybeLinkCrawler(browser)]).toEqual([true, false]);
  });
  it('a name never makes a page of what changes something', () => {
    expect(isNavigation(asked({ 'user-agent': 'WhatsApp/2' }, 'POST'))).toBe(false);
  });
});
