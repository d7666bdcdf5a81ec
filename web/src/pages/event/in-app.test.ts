import { expect, it } from 'vitest';
import { appOf } from './in-app.ts';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; SM-S911B; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.6478.71 Mobile';

it.each([
  ['Instagram', `${IPHONE} Mobile/15E148 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5; de_DE)`],
  ['Threads', `${IPHONE} Mobile/15E148 Barcelona 338.0.0.30.103 (iPhone14,5; iOS 17_5; de_DE)`],
  ['Facebook', `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/468.0.0.38.108;FBDV/iPhone14,5]`],
  ['Facebook', `${ANDROID} Safari/537.36 [FB_IAB/FB4A;FBAV/468.0.0.62.72;]`],
  ['Messenger', `${IPHONE} Mobile/15E148 [FBAN/MessengerForiOS;FBAV/462.0.0.36.109]`],
  ['Messenger', `${ANDROID} Safari/537.36 [FB_IAB/Orca-Android;FBAV/462.0.0.24.87;]`],
  [
    'TikTok',
    `${IPHONE} Mobile/15E148 musical_ly_34.9.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/de Region/DE BytedanceWebview/d8a21c6`,
  ],
  ['TikTok', `${ANDROID} Safari/537.36 trill_340905 BytedanceWebview/d8a21c6`],
  ['Snapchat', `${IPHONE} Version/17.5 Mobile/15E148 Snapchat/12.88.0.42 (like Safari/8618.2.12.10.9, panda)`],
  ['Snapchat', `${ANDROID} Safari/537.36Snapchat12.88.0.30`],
  ['Google', `${IPHONE} GSA/319.0.637129023 Mobile/15E148 Safari/604.1`],
  ['Line', `${IPHONE} Mobile/15E148 Safari Line/14.9.0`],
  ['LinkedIn', `${IPHONE} Mobile/15E148 [LinkedInApp]/9.29.5774`],
  ['Pinterest', `${IPHONE} Mobile/15E148 [Pinterest/iOS]`],
  ['X', `${IPHONE} Mobile/15E148 Twitter for iPhone/10.45`],
  ['Telegram', `${ANDROID} Safari/537.36 Telegram-Android/10.14.5 (Samsung SM-S911B; Android 14; SDK 34; HIGH)`],
  ['WeChat', `${IPHONE} Mobile/15E148 MicroMessenger/8.0.49(0x18003137) NetType/WIFI Language/de`],
  ['', `${ANDROID} Safari/537.36`],
  ['', `${IPHONE} Mobile/15E148`],
])('is in an app’s own browser: %s', (app, userAgent) => expect(appOf({ userAgent })).toBe(app));

it.each([
  ['Safari', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on an iPhone', `${IPHONE} CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1`],
  ['Firefox on an iPhone', `${IPHONE} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`],
  ['DuckDuckGo', `${IPHONE} Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`],
  ['Chrome on Android', 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'],
  [
    'Samsung',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
  ],
  ['Firefox', 'Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0'],
  ['a desktop', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'],
])('is in a browser: %s', (_, userAgent) => expect(appOf({ userAgent })).toBeNull());

it('is in no app on the home screen', () => expect(appOf({ userAgent: `${IPHONE} Mobile/15E148`, standalone: true })).toBeNull());
