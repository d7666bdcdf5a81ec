import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';
import { sourcePlugins } from '../vite.config.ts';

/**
 * Serves the page of all components from its sources, on a free port; no other server is needed. Bundled once: each browser that begins with
 * an empty profile would ask for hundreds of files.
 */
export async function serveUiBook(): Promise<{ url: string; close(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'feierbild-book-'));
  const shared = { root: join(import.meta.dirname, '..'), configFile: false, logLevel: 'error' } as const;
  await build({
    ...shared,
    mode: 'development',
    plugins: sourcePlugins(),
    build: { outDir, minify: false, target: 'esnext', rolldownOptions: { input: join(shared.root, '__ui.html') } },
  });
  const server = await preview({ ...shared, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return {
    url: url.replace(/\/$/, ''),
    async close() {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
