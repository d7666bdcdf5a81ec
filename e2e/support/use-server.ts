import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { adminOf, type Client } from './api.ts';
import { launchBrowser } from './browser.ts';
import { startServer, type TestServer } from './server.ts';

interface Started {
  server: TestServer;
  browser: Browser;
}

/** Starts a server and a browser before all tests of this `describe`, and ends them afterwards. `settings` as in `startServer`. */
export function useServer(onStart: (started: Started) => unknown, settings?: Parameters<typeof startServer>[0]): void {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startServer(settings), launchBrowser()]);
    await onStart({ server, browser });
  });
  afterAll(async () => {
    await browser?.close();
    await server?.dispose();
  });
}

/** Does the same with a logged-in administrator. */
export function useAdmin(onStart: (started: Started & { admin: Client }) => unknown, settings?: Parameters<typeof startServer>[0]): void {
  useServer(async (started) => onStart({ ...started, admin: await adminOf(started.server.url) }), settings);
}
