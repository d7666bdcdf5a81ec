import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { WALL_STYLES, wallBuild } from './wall-build.ts';

const COMPRESSED = /\.(js|css|html|svg|webmanifest)$/;

/** Pages that share chunks, by their visitors. Chunks have to be small: a phone at a feast has a bar of signal. */
const PAGES = {
  /** The guests' page. */
  guest: ['guest'],
  /** The guests' page after its first paint. */
  'after-paint': ['pages/event/after-paint', 'pages/event/pictures/poster'],
  gallery: ['guest-gallery'],
  /** The gallery's full screen, which is loaded later, too. */
  viewer: ['pages/guest-gallery/guest-viewer'],
  public: ['main', ...['home/home', 'join/join', 'join/secure-join', 'create/create', 'contact/contact', 'login/login'].map(pageAt)],
  /** Pages for helpers, and for a photo's link. */
  link: ['release/release', 'download/download'].map(pageAt),
};
type Group = keyof typeof PAGES;

function pageAt(name: string): string {
  return `pages/${name}-page`;
}

/** Returns the chunk of a module by the groups of pages that need it; null leaves the choice to the bundler. */
function chunkOf(needs: (group: Group) => boolean): string | null {
  if (needs('guest')) return 'guest';
  if (needs('after-paint')) return 'after-paint';
  if (needs('gallery') && needs('public')) return null;
  if (needs('gallery')) return needs('link') ? 'gallery' : 'photos';
  return needs('public') ? 'public' : null;
}

/**
 * Returns the shared chunk of a module; a page's own modules are in none. Styles are in few files (`SHEETS`), because a second request
 * takes a phone on a slow line longer than a few kilobytes.
 */
function sharedChunk(): Rolldown.CodeSplittingNameFunction {
  const source = join(import.meta.dirname, 'src');
  const entries = new Set(
    ['guest.tsx', 'main.tsx', 'guest-app.tsx', 'guest-gallery.tsx', 'guest-gallery-app.tsx'].map((name) => join(source, name)),
  );
  const reached = new Map<Group, Set<string>>();
  return (id, graph) => {
    const reach = (each: string, found: Set<string>): void => {
      if (found.has(each)) return;
      found.add(each);
      for (const imported of graph.getModuleInfo(each)?.importedIds ?? []) reach(imported, found);
    };
    if (reached.size === 0)
      for (const [group, pages] of Object.entries(PAGES)) {
        const found = new Set<string>();
        for (const page of pages) for (const end of ['.tsx', '.ts']) reach(join(source, page + end), found);
        reached.set(group as Group, found);
      }
    const needs = (group: Group): boolean => reached.get(group)?.has(id) === true;
    // A language's modules are in its own chunks.
    if (id.startsWith(join(source, 'languages'))) return null;
    if (id.endsWith('.css')) return sheetOf(needs);
    // This module would get a file of its own, because the guests' page shares it with its part after the paint.
    if (id === join(source, 'pages/event/item.ts')) return 'guest';
    // One file, so that the code that asks for kept photos comes with the code that keeps them.
    if (needs('after-paint') && !needs('guest') && id.startsWith(join(source, 'pages/event')) && !id.endsWith('/poster.ts'))
      return 'event-after-paint';
    return id.startsWith(join(source, 'pages')) || entries.has(id) ? null : chunkOf(needs);
  };
}

/**
 * The style sheets: for guests and the other public pages; for the guests' gallery, helpers and links; for the full screen, which comes
 * later; for hosts and administrators. Each is a layer of its own, because a page that is opened from another one may load them in any
 * order; later layers override earlier ones all the same.
 */
const SHEETS = ['guest', 'gallery', 'viewer', 'host'] as const;

function sheetOf(needs: (group: Group) => boolean): (typeof SHEETS)[number] {
  if (needs('guest') || needs('after-paint') || needs('public')) return 'guest';
  if (needs('gallery') || needs('link')) return 'gallery';
  return needs('viewer') ? 'viewer' : 'host';
}

const layeredStyles = (): Plugin => ({
  name: 'layered-styles',
  apply: (_config, { isSsrBuild }) => isSsrBuild !== true,
  enforce: 'post',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      // Televisions' browsers know no layers, and the wall has a single sheet.
      if (file.type !== 'asset' || !file.fileName.endsWith('.css') || file.originalFileNames.includes(WALL_STYLES)) continue;
      // All other sheets belong to languages, and override the pages' own.
      const layer = SHEETS.find((sheet) => file.fileName.startsWith(`assets/${sheet}-`)) ?? 'language';
      file.source = `@layer ${SHEETS.join()},language;@layer ${layer}{${String(file.source).trim()}}`;
    }
  },
});

/**
 * Writes a .br and a .gz file beside each text file, so that the server need not compress its answers. A build in a folder of its own is not
 * served.
 */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: ({ build }, { isSsrBuild }) => !isSsrBuild && build?.outDir === undefined,
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
 * Imports Lucide's icons one by one, made by our own function (src/ui/create-icon.ts): with the library's joint module each shared chunk
 * would have the icons of all pages.
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

/** Removes the names, sizes and keys of Lucide's icons, which nobody reads. */
const bareIcons = (): Plugin => ({
  name: 'bare-icons',
  transform: {
    filter: { id: /lucide-react\/dist\/esm\/icons\// },
    handler: (code) =>
      code
        .replace(/^ {2}name: .*\n {2}size: .*\n/m, '')
        .replace(/,\n {2}aliases: .*$/m, '')
        .replace(/,\s+key: "\w+"/g, '')
        .replace('__iconData.node;\n', ''),
  },
});

/** Returns a hash that distinguishes the classes of one style sheet from others, in fewer bytes than Vite's own. */
const shortHash = (file: string): string =>
  createHash('sha256')
    .update(relative(join(import.meta.dirname, '..'), file).replaceAll('\\', '/'))
    .digest('base64url')
    .slice(0, 3);

/** Matches before a name that is no part of another name, of a path or of a property. */
const ALONE = "(?<![\\w./'-])";
const classOf = (name: string, file: string): string => `${name}_${shortHash(file)}`;

/**
 * Replaces uses of classes (`styles.form`) by their names: the table of a style sheet's names would be in the sheet's chunk, a kilobyte
 * of the guests' page.
 */
const writtenClasses = (): Plugin => ({
  name: 'written-classes',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { code: ".module.css'" },
    handler: (code, id) =>
      [...code.matchAll(/^import (\w+) from '(.+\.module\.css)';$/gm)].reduce((written, [line, table = '', path = '']) => {
        // Some classes are looked up by a name that is known only at run time; the table's name in a comment looks like that.
        if (new RegExp(`${ALONE}${table}\\b(?!\\.\\w)`).test(written.replace(line, ''))) return written;
        const literal = (_: string, name: string): string => `'${classOf(name, join(dirname(id), path))}'`;
        return written.replace(line, `import '${path}';`).replace(new RegExp(`${ALONE}${table}\\.(\\w+)`, 'g'), literal);
      }, code),
  },
});

/** Keeps style sheets whose table of names is not read any more. */
const keptStyles = (): Plugin => ({
  name: 'kept-styles',
  apply: 'build',
  enforce: 'post',
  transform: { filter: { id: /\.module\.css$/ }, handler: (code) => ({ code, map: null, moduleSideEffects: 'no-treeshake' as const }) },
});

/** The oldest browsers that the pages promise to work in (README.md). */
const BROWSERS = ['safari15.4', 'chrome100', 'firefox100'];

/** Chunks whose imports are not preloaded with them. */
const UNLISTED = /\/(videos-|(guest|guest-gallery|main)-[\w-]{8}\.js$)/;

/** The entries of documents. */
const ENTRIES = ['guest.tsx', 'guest-gallery.tsx', 'pages/guest-gallery/opening.ts', 'main.tsx', 'start.ts'].map((name) => `src/${name}`);
/** The entries of each language but German, so that German readers load nothing of it. */
const LANGUAGES = globSync('src/languages/*/{guest,guest-gallery,main}.ts', { cwd: import.meta.dirname });

const CLASSES = { generateScopedName: classOf };
const wall = { root: import.meta.dirname, plugins: [writtenClasses(), keptStyles()], modules: CLASSES };

/** Returns the plugins that every bundle of the pages' sources needs. */
export const sourcePlugins = () => [singleIcons(), bareIcons(), react()];

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [sourcePlugins(), writtenClasses(), keptStyles(), wallBuild(wall), layeredStyles(), precompress()],
  css: { modules: CLASSES },
  build: {
    target: BROWSERS,
    manifest: true,
    // The policy allows no inline data for scripts and styles.
    assetsInlineLimit: 0,
    // A preload list would make pages larger: the imports of the video chunk are not needed at once, and the document names those of the
    // entries, which languages import.
    modulePreload: { polyfill: false, resolveDependencies: (file, dependencies) => (UNLISTED.test(file) ? [] : dependencies) },
    rolldownOptions: {
      // The guests' page is in an entry of its own (guest.tsx), and in the one for all pages.
      checks: { ineffectiveDynamicImport: false },
      ...(isSsrBuild ? {} : { input: [...ENTRIES, ...LANGUAGES] }),
      // Constants of other modules are inlined: their names among the exports of the guests' chunk would weigh more.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // The renderer needs no chunks.
        ...(!isSsrBuild && {
          codeSplitting: {
            // Modules are grouped by name alone: otherwise the first chunk in the alphabet would take modules that others share with it.
            includeDependenciesRecursively: false,
            groups: [{ name: sharedChunk(), debugName: 'shared' }],
          },
        }),
      },
    },
  },
  // The renderer bundles its libraries, React in its production form.
  ssr: { noExternal: true },
  worker: { format: 'es' },
}));
