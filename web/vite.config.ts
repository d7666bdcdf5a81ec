import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const PACKED = /\.(js|css|html|svg|webmanifest)$/;

/** What most pages share, but for the parts that bring a host's libraries along. */
const COMMON = /web\/src\/(api|lib|ui|texts)|contract\/src\/|lucide-react/;
const HOSTS = /host-guard|share-link|switch|after-login|use-live|leave-guard|password/;

/** Writes .br and .gz beside each text file, so that the server never compresses while it answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: (_config, { isSsrBuild }) => !isSsrBuild,
    writeBundle({ dir = 'dist' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!PACKED.test(name)) continue;
        const bytes = readFileSync(join(dir, name));
        writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }));
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
      }
    },
  };
}

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), precompress()],
  build: {
    target: 'es2022',
    manifest: true,
    // The policy allows no inline data for scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Each file costs a way to the server and back, of which a phone at a party has few at once: the styles of all pages
    // are smaller than one such way is long, and so are the parts that two pages share.
    cssCodeSplit: false,
    rolldownOptions: {
      ...(isSsrBuild ? {} : { input: ['index.html', 'src/start.ts'] }),
      output: {
        codeSplitting: {
          groups: [{ name: 'common', test: (id) => COMMON.test(id) && !HOSTS.test(id), minShareCount: 2 }],
        },
      },
    },
  },
  // The program for the server brings everything it needs, in React's production form.
  ssr: { noExternal: true },
  worker: { format: 'es' },
}));
