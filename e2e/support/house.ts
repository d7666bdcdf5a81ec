import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

interface House {
  server: TestServer;
  browser: Browser;
}

/** A server and a browser before all tests of this `describe`, ended after them. `settings` as in `startServer`. */
export function useHouse(opened: (house: House) => unknown, settings?: Parameters<typeof startServer>[0]): void {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(settings), launchBrowser()]);
    await opened({ server, browser });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });
}
