import { join } from 'node:path';
import { createServer } from 'vite';

/** Serves the page of all components from its sources, on a free port or on the given one; no other server is needed. */
export async function serveUiBook(port = 0): Promise<{ url: string; close(): Promise<void> }> {
  const server = await createServer({
    root: join(import.meta.dirname, '..'),
    logLevel: 'error',
    server: { host: '127.0.0.1', port, strictPort: port !== 0, watch: null },
  });
  await server.listen();
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return { url: url.replace(/\/$/, ''), close: () => server.close() };
}
