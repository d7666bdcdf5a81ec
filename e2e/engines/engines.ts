import { existsSync } from 'node:fs';
import { startChromium } from './chromium.ts';
import { FIREFOX, startFirefox } from './firefox.ts';
import { startWebKit, WEBKIT } from './webkit.ts';

/** Engines of the promised browsers; `there` tells whether this machine has them. */
export const ENGINES = {
  Chromium: { start: startChromium, there: true },
  Firefox: { start: startFirefox, there: existsSync(FIREFOX) },
  WebKit: { start: startWebKit, there: WEBKIT.browser !== undefined && existsSync(WEBKIT.driver) && existsSync(WEBKIT.display) },
};
