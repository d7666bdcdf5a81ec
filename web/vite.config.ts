import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const COMPRESSED = /\.(js|css|html|svg|webmanifest)$/;

/** Modules in one chunk for all pages: what most pages share … */
const COMMON = ['/web/src/api/', '/web/src/lib/', '/web/src/ui/', '/web/src/texts.ts', '/contract/src/', '/node_modules/lucide-react/'];
/** … except what only pages of hosts and administrators need. */
const HOSTS_ONLY = [
  '/web/src/ui/download-link.tsx',
  '/web/src/ui/host-guard.tsx',
  '/web/src/ui/login-form.tsx',
  '/web/src/ui/share-link.tsx',
  '/web/src/ui/switch.tsx',
  '/web/src/ui/zip/',
  '/web/src/lib/after-login.ts',
  '/web/src/lib/leave-guard.ts',
  '/web/src/lib/photo-list.ts',
  '/web/src/lib/reconcile.ts',
  '/web/src/lib/store.ts',
  '/web/src/lib/use-copy.ts',
  '/web/src/lib/throttle.ts',
  '/web/src/lib/use-live.ts',
  '/web/src/lib/use-photo-list.ts',
];
const isCommon = (id: string): boolean => COMMON.some((part) => id.includes(part)) && !HOSTS_ONLY.some((part) => id.includes(part));

/** Writes .br and .gz beside each text file, so that the server need not compress when it answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    writeBundle({ dir = 'dist' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!COMPRESSED.test(name)) continue;
        const bytes = readFileSync(join(dir, name));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

/** The oldest browsers that the pages promise to work in (README.md). */
const BROWSERS = ['safari15.4', 'chrome100', 'firefox100'];

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), precompress()],
  build: {
    target: BROWSERS,
    manifest: true,
    // The policy allows no inline data for scripts and styles.
    assetsInlineLimit: 0,
    // The imports of the video chunk are not preloaded: the list of their names would make the guest's page larger, and videos are not
    // needed at once.
    modulePreload: { polyfill: false, resolveDependencies: (file, dependencies) => (file.includes('/videos-') ? [] : dependencies) },
    // One style sheet for all pages: a second request takes a phone on a slow line longer than these few kilobytes.
    cssCodeSplit: false,
    rolldownOptions: {
      ...(isSsrBuild ? {} : { input: ['src/main.tsx', 'src/start.ts'] }),
      output: {
        codeSplitting: {
          groups: [{ name: 'common', test: isCommon, minShareCount: 2 }],
        },
      },
    },
  },
  // The server's program bundles its libraries, React in its production form.
  ssr: { noExternal: true },
  worker: { format: 'es' },
}));
