import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { LANGUAGES } from '@feierbild/contract/languages.ts';
import { build, type Manifest } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newerSyntax } from '../../tools/es2018.ts';
import { newerCalls } from '../../tools/floor.ts';
import { addressOf, filesOf } from './build-files.ts';

const WEB = join(import.meta.dirname, '..');
const KB = 1024;
/** Calls that Safari 15.4, Chrome 100 or Firefox 100 lack and that the pages check first or do without; and a method of our own. */
const ASKED_FIRST = [
  '.startViewTransition(',
  '.share(',
  '.requestFullscreen(',
  '.take(',
  // The library for passkeys makes these calls.
  '.getTransports(',
  '.getPublicKeyAlgorithm(',
  '.getPublicKey(',
  '.getAuthenticatorData(',
  '.isConditionalMediationAvailable(',
  '.signalUnknownCredential(',
  '.signalAllAcceptedCredentials(',
  '.signalCurrentUserDetails(',
  '.getClientCapabilities(',
];
/** A part of one of React's messages, which names a newer call. */
const SAID = 'form.requestSubmit() instead';
/** Styles that these browsers ignore and whose absence would show: selectors, media queries, at-rules, functions, units and properties. */
const TOO_NEW_STYLES =
  /:(has|popover-open|user-invalid|user-valid|open|state)\b|&|@(container|scope|starting-style|property|media \(not|media not \(|media [^{]*[<>])|\b(color-mix|light-dark|oklch|oklab|lch|lab|anchor|round|sin|cos|image-set)\(|\d(svh|lvh|svw|lvw|cqw|cqh|cqi|cqb|rlh|lh|cap|ic)\b|[{;](translate|rotate|scale|field-sizing|mask|subgrid|inset-area|position-area):/;
/** A unit whose rule names an older one for the same property first: `height:100vh;…height:100dvh`. */
const WITH_FALLBACK = /([a-z-]+):([^;}]*\d)vh([^;}]*);([^}]*?)\1:\2dvh\3(?=[;}])/g;
/** Limits of a guest's phone: bytes until /event/{code} works, and bytes with all later code, such as workers and the device's store. */
const FIRST_LIMIT = 92 * KB;
const LIMIT = 110 * KB;
/** The sources that a phone loads before /galerie/{code} shows its photos, and their limits. */
const GALLERY = ['src/guest-gallery.tsx', 'src/pages/guest-gallery/opening.ts'];
const GALLERY_LIMIT = 100 * KB;
const GALLERY_STYLES_LIMIT = 11 * KB;

/** Limit of the wall's scripts and styles: televisions have little memory and slow processors. */
const WALL_LIMIT = 32 * KB;
/** Calls that the wall supplies to Chromium 68 itself (old-browsers.ts) or checks first, and a method of our own. */
const SUPPLIED = ['.ListFormat(', '.flatMap(', '.requestFullscreen(', '.retry('];
/** Styles with which Chromium 68 would drop their whole rule or declaration; it knows `gap` in grids by the older name only. */
const TOO_NEW_FOR_WALLS =
  /@layer|:(is|where)\(|[{;](inset|aspect-ratio|gap|(margin|padding|inset)-(inline|block)[a-z-]*):|[{;][^{};]*\b(min|max|clamp|env)\(|,[^{},]*:focus-visible|:focus-visible[^{},]*,/g;

describe("the JavaScript of the guest's page", () => {
  let folder: string;
  let manifest: Manifest;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'feierbild-pages-'));
    // The test runner's own mode would build React with its development checks.
    vi.stubEnv('NODE_ENV', 'production');
    await build({ root: WEB, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
    manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the files that these chunks load at once, each file once. */
  function loaded(names: string[], seen = new Set<string>()): Set<string> {
    for (const name of names) {
      const chunk = manifest[name];
      if (!chunk) throw new Error(`${name} is not in the manifest`);
      if (seen.has(chunk.file)) continue;
      seen.add(chunk.file);
      loaded(chunk.imports ?? [], seen);
    }
    return seen;
  }

  const stylesOf = (names: string[]): string[] => filesOf(names, manifest).styles;
  const read = (file: string): Promise<string> => readFile(join(folder, file), 'utf8');
  const guest = (): string[] => [...loaded(['src/guest.tsx'])];

  const weigh = async (files: Iterable<string>): Promise<number> => {
    const sizes = await Promise.all([...files].map(async (file) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length));
    return sizes.reduce((sum, size) => sum + size, 0);
  };

  it('stays within 92 KB gzip at first, and within 110 KB with all that comes later', async () => {
    const first = new Set(guest());
    const later = Object.values(manifest).flatMap(({ file, dynamicImports = [] }) => (first.has(file) ? dynamicImports : []));
    expect(later.some((name) => name.includes('event-after-paint'))).toBe(true);
    const all = loaded(later, new Set(first));
    // Vite lists workers among the assets of the chunk that starts them.
    const chunks = Object.values(manifest).filter(({ file }) => all.has(file));
    const workers = chunks.flatMap(({ assets = [] }) => assets).filter((file) => file.endsWith('.js'));
    expect(workers.map((file) => /[\w-]+\.worker/.exec(file)?.[0]).sort()).toEqual(['keep.worker', 'thumbnail.worker']);
    const sizes = { first: await weigh(first), all: await weigh([...all, ...workers]) };
    console.log(`guest page: ${(sizes.first / KB).toFixed(1)} KB at first, ${(sizes.all / KB).toFixed(1)} KB in all`);
    // A smaller size means that the graph was not followed, and the limits would prove nothing.
    expect(sizes.first).toBeGreaterThan(40 * KB);
    expect(sizes.first).toBeLessThanOrEqual(FIRST_LIMIT);
    expect(sizes.all).toBeLessThanOrEqual(LIMIT);
  });

  it('has no byte of another language, of which each weighs at most 6 KB gzip a page', async () => {
    const words = Object.keys(manifest).filter((name) => name.startsWith('src/languages/'));
    expect(words.length).toBe(3 * (Object.keys(LANGUAGES).length - 1));
    for (const name of words) {
      const german = loaded([`src/${basename(name, '.ts')}.tsx`]);
      const own = [...loaded([name])].filter((file) => !german.has(file) && !guest().includes(file));
      expect(own.length).toBeGreaterThan(0);
      expect.soft(await weigh(own), name).toBeLessThanOrEqual(6 * KB);
      for (const file of own) expect(guest()).not.toContain(file);
    }
    const german = await Promise.all([...guest(), ...loaded(GALLERY)].map(read));
    expect(german.join('')).not.toMatch(/[а-яґєії]{3}|[ء-ي]{3}|Teşekkürler|Dziękujemy|Thank you/i);
  });

  it('holds neither the query cache nor the schemas', async () => {
    const code = async (files: string[]): Promise<string> =>
      (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    const foreign = /QueryClient|ZodError|invalid_union/;
    expect(await code(guest())).not.toMatch(foreign);
    // The host's pages contain the cache, which proves the pattern.
    expect(await code([...loaded(['src/pages/host-gallery/host-gallery-page.tsx'])])).toMatch(foreign);
  });

  it("shows the guests' gallery with 100 KB gzip at most and 11 KB of styles, without the query cache; full screen comes later", async () => {
    const files = [...loaded(GALLERY)];
    const { styles } = filesOf(GALLERY, manifest);
    const sizes = { code: await weigh(files), styles: await weigh(styles) };
    console.log(
      `guests' gallery: ${(sizes.code / KB).toFixed(1)} KB, ${(sizes.styles / KB).toFixed(1)} KB of styles, ${files.length} scripts`,
    );
    expect(sizes.code).toBeGreaterThan(60 * KB);
    expect(sizes.code).toBeLessThanOrEqual(GALLERY_LIMIT);
    expect(sizes.styles).toBeLessThanOrEqual(GALLERY_STYLES_LIMIT);
    const code = (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('\n');
    expect(code).not.toMatch(/QueryClient|ZodError|yarl__toolbar/);
    expect((await Promise.all(stylesOf(['src/pages/guest-gallery/guest-viewer.tsx']).map(read))).join('')).toContain('yarl__toolbar');
    expect((await Promise.all(styles.map(read))).join('')).not.toContain('yarl__toolbar');
  });

  it('is another one on a wall: one script and one style sheet of at most 32 KB gzip together, which a television of 2020 understands', async () => {
    const [script = '', style = ''] = ['src/wall.ts', 'src/wall.css'].map((name) => addressOf(name, manifest).slice(1));
    const size = await weigh([script, style]);
    console.log(`wall: ${(size / KB).toFixed(1)} KB`);
    expect(size).toBeGreaterThan(15 * KB);
    expect(size).toBeLessThanOrEqual(WALL_LIMIT);
    const code = await readFile(join(folder, script), 'utf8');
    expect(code).not.toMatch(/QueryClient|useSyncExternalStore|react/i);
    expect(newerSyntax(code)).toEqual([]);
    const calls = [...code.matchAll(newerCalls('wall'))].map(([call]) => call);
    expect([...new Set(calls)].filter((call) => !SUPPLIED.includes(call))).toEqual([]);
    // Left out: rules in @supports, and sizes by clamp(), which only newer browsers use.
    const styles = (await readFile(join(folder, style), 'utf8'))
      .replace(/@supports[^{]*\{(?:[^{}]*\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '')
      .replace(/--size-\w+:clamp\([^;]*\);?/g, '');
    expect(styles.length).toBeGreaterThan(8 * KB);
    expect([...styles.matchAll(TOO_NEW_FOR_WALLS)].map(({ index }) => styles.slice(Math.max(0, index - 60), index + 60))).toEqual([]);
    for (const each of ['.a{inset:0}', '.a{display:flex;gap:1rem}', '.a{width:min(1px,2px)}', '.a{padding-inline:1px}', '.a:is(b){}'])
      expect(each).toMatch(new RegExp(TOO_NEW_FOR_WALLS.source));
    for (const each of [
      'a?.b',
      'a ?? b',
      'a ||= b',
      'try {} catch {}',
      'class A { b = 1 }',
      'class A { #b() {} }',
      '1_000',
      '2n',
      'import("a")',
    ])
      expect(newerSyntax(each)).toHaveLength(1);
    expect(newerSyntax('async function* a() { for await (const { b, ...c } of d) yield { ...c, e: /(?<f>g)(?<=h)/su }; }')).toEqual([]);
  });

  it('calls nothing that the oldest browsers lack, and neither does any other page', async () => {
    const scripts = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.js'));
    expect(scripts.length).toBeGreaterThan(20);
    const tooNew = newerCalls();
    const found = await Promise.all(
      scripts.map(async (name) => {
        const code = (await readFile(join(folder, 'assets', name), 'utf8')).replaceAll(SAID, '');
        return [...code.matchAll(tooNew)].flatMap(([call]) => (ASKED_FIRST.includes(call) ? [] : [`${name}: ${call}`]));
      }),
    );
    expect(found.flat()).toEqual([]);
    for (const call of ['photos.toReversed()', 'ids.union(others)', 'Object.groupBy(photos)', 'class A { static {} }', '/(?<=a)b/'])
      expect(call).toMatch(newerCalls());
  });

  it('waits for one style sheet of at most 9 KB gzip, as other public pages do; galleries and helpers need a second one, hosts and administrators a third', async () => {
    const [own = '', ...others] = stylesOf(['src/guest.tsx']);
    expect(others).toEqual([]);
    expect(await weigh([own])).toBeLessThanOrEqual(9 * KB);
    const first = new Set(guest());
    const later = Object.values(manifest).flatMap(({ file, dynamicImports = [] }) => (first.has(file) ? dynamicImports : []));
    expect(later.length).toBeGreaterThan(1);
    for (const name of later) expect([own]).toEqual(expect.arrayContaining(stylesOf([name])));
    expect(stylesOf(['src/main.tsx', 'src/pages/home/home-page.tsx'])).toEqual([own]);
    // Guests in the gallery, helpers and readers of links load these sheets, and not those of the administration.
    const gallery = stylesOf(GALLERY);
    expect([gallery[0], gallery.length]).toEqual([own, 2]);
    for (const page of ['release/release-page', 'download/download-page'])
      expect(stylesOf(['src/main.tsx', `src/pages/${page}.tsx`])).toEqual(gallery);
    const hosts = stylesOf(['src/main.tsx', 'src/pages/host-gallery/host-gallery-page.tsx']);
    expect(hosts).toEqual([...gallery, expect.stringMatching(/host-/)]);
    // The later layer wins in any order of loading.
    for (const file of hosts) expect(await read(file)).toMatch(/^@layer guest,gallery,viewer,host,language;@layer (guest|gallery|host)\{/);
  });

  it('is styled by nothing that the oldest browsers lack', async () => {
    const files = (await readdir(join(folder, 'assets'))).filter((name) => name.endsWith('.css'));
    const written = await Promise.all(files.map((name) => readFile(join(folder, 'assets', name), 'utf8')));
    const styles = written.join('\n').replace(WITH_FALLBACK, '$1:$2vh$3;$4');
    expect(styles.length).toBeGreaterThan(20 * KB);
    const found = [...styles.matchAll(new RegExp(`${TOO_NEW_STYLES.source}|\\ddvh\\b`, 'g'))];
    expect(found.map(({ index }) => styles.slice(Math.max(0, index - 60), index + 60))).toEqual([]);
    for (const style of ['.a:has(b)', '@media (width<40rem)', '@media not (min-width:70rem)', 'color-mix(in srgb,red,blue)']) {
      expect(style).toMatch(TOO_NEW_STYLES);
    }
  });
});
