import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const COMPRESSED = /\.(js|css|html|svg|webmanifest)$/;

/**
 * Chunks of modules that pages share, by the pages that need them at once: what the guest's page needs, nothing else (a phone at a feast has a
 * bar of signal), what it needs after its first paint, and what the other public pages need besides. Those of hosts and administrators find their own.
 */
const SHARED: [chunk: string, pages: string[]][] = [
  ['guest', ['guest']],
  ['later', ['pages/event/later']],
  [
    'public',
    [
      'main',
      ...['home/home', 'join/join', 'join/secure-join', 'create/create', 'contact/contact', 'login/login'].map(
        (page) => `pages/${page}-page`,
      ),
    ],
  ],
];

/**
 * In which of these chunks a module is; a page's own are in none. Styles are in two files: one for guests and the other public pages, with
 * what comes later (a second request takes a phone on a slow line longer than a few kilobytes), one for hosts and administrators besides.
 */
function sharedChunk(): Rolldown.CodeSplittingNameFunction {
  const chunks = new Map<string, string>();
  const source = join(import.meta.dirname, 'src');
  const entries = new Set(['guest.tsx', 'main.tsx', 'guest-app.tsx'].map((name) => join(source, name)));
  return (id, graph) => {
    const add = (each: string, chunk: string): void => {
      if (chunks.has(each)) return;
      chunks.set(each, chunk);
      for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) add(imported, chunk);
    };
    if (chunks.size === 0) for (const [chunk, pages] of SHARED) for (const page of pages) add(join(source, `${page}.tsx`), chunk);
    const chunk = chunks.get(id);
    if (id.endsWith('.css')) return chunk || id.startsWith(join(source, 'video')) ? 'guest' : 'host';
    return id.startsWith(join(source, 'pages')) || entries.has(id) ? null : (chunk ?? null);
  };
}

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

/**
 * Lucide's icons one by one, by our own function (src/ui/create-icon.ts): as the library joins them, each shared chunk would have the icons of
 * all pages.
 */
function singleIcons(): Plugin {
  const folder = join(import.meta.dirname, '../node_modules/lucide-react/dist/esm');
  const files = new Map<string, string>();
  for (const [, names = '', file = ''] of readFileSync(join(folder, 'lucide-react.mjs'), 'utf8').matchAll(/^export \{(.*)\} from '(.*)'/gm))
    for (const [, name = ''] of names.matchAll(/default as (\w+)/g)) files.set(name, join(folder, file));
  return {
    name: 'single-icons',
    enforce: 'pre',
    resolveId: (source, importer = '') =>
      source.endsWith('/createLucideIcon.mjs') && importer.includes('/lucide-react/')
        ? join(import.meta.dirname, 'src/ui/create-icon.ts')
        : null,
    transform: {
      filter: { code: "from 'lucide-react'" },
      handler: (code) =>
        code.replace(
          /import \{([^}]*)\} from 'lucide-react';/g,
          (_, names: string) =>
            names
              .split(',')
              .map((name) => name.trim())
              .filter((name) => name !== '' && !name.startsWith('type '))
              .map((name) => `import ${name} from '${files.get(name)}';`)
              .join(' ') + names.replace(/[^\n]/g, ''),
        ),
    },
  };
}

/** The oldest browsers that the pages promise to work in (README.md). */
const BROWSERS = ['safari15.4', 'chrome100', 'firefox100'];

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [singleIcons(), react(), precompress()],
  build: {
    target: BROWSERS,
    manifest: true,
    // The policy allows no inline data for scripts and styles.
    assetsInlineLimit: 0,
    // The imports of the video chunk are not preloaded: the list of their names would make the guest's page larger, and videos are not
    // needed at once.
    modulePreload: { polyfill: false, resolveDependencies: (file, dependencies) => (file.includes('/videos-') ? [] : dependencies) },
    rolldownOptions: {
      // The guests' page is part of a program of its own (guest.tsx), and of the one for all pages.
      checks: { ineffectiveDynamicImport: false },
      ...(isSsrBuild ? {} : { input: ['src/guest.tsx', 'src/main.tsx', 'src/start.ts'] }),
      output: {
        codeSplitting: {
          groups: [{ name: sharedChunk(), debugName: 'shared' }],
        },
      },
    },
  },
  // The server's program bundles its libraries, React in its production form.
  ssr: { noExternal: true },
  worker: { format: 'es' },
}));
