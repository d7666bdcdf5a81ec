import { existsSync } from 'node:fs';
import { startChromium } from './chromium.ts';
import { FIREFOX, startFirefox } from './firefox.ts';
import { startWebKit, WEBKIT } from './webkit.ts';

/** The engines of the browsers that are promised; some are not on every machine. */
export const ENGINES = {
  Chromium: { start: startChromium, there: true },
  Firefox: { start: startFirefox, there: existsSync(FIREFOX) },
  WebKit: { start: startWebKit, there: WEBKIT.browser !== undefined && existsSync(WEBKIT.driver) && existsSync(WEBKIT.display) },
};
