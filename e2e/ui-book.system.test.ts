import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveUiBook } from '../web/ui-book/serve.ts';
import { violationsOf } from './support/accessible.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { createLooks, stillPage, VIEWS } from './support/looks.ts';
import { startServer } from './support/server.ts';

const WEB = join(import.meta.dirname, '../web');
const NARROW = { width: 360, height: 780 };
/** Components without a look of their own: they draw only their content, for a host whom a server knows. */
const WITHOUT_LOOK = ['HostGuard', 'HostPage'];

describe('/__ui, the page of all components', () => {
  let book: Awaited<ReturnType<typeof serveUiBook>>;
  let browser: Browser;
  /** Names in the address of the states that fill the window. */
  let alone: string[];

  beforeAll(async () => {
    [book, browser] = await Promise.all([serveUiBook(), launchBrowser()]);
    const { page, context } = await open(DESKTOP);
    alone = await page.locator('[data-alone]').evaluateAll((links) => links.map((link) => link.getAttribute('data-alone') ?? ''));
    await context.close();
  });
  afterAll(async () => {
    await browser?.close();
    await book?.close();
  });

  /** Opens the page of all states without motion, because a spinner never comes to rest. */
  async function open(viewport: typeof PHONE) {
    const opened = await openPage(browser, book.url, viewport);
    await opened.page.emulateMedia({ reducedMotion: 'reduce' });
    await opened.page.goto('/__ui');
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    await opened.page.evaluate(() => document.fonts.ready);
    return opened;
  }

  /** Calls `look` for the page, then for each state that fills the window. */
  async function each(page: Page, look: (state: string) => Promise<void>): Promise<void> {
    await look('all');
    for (const state of alone) {
      // A click on the state's link would load everything again.
      await page.evaluate((search) => window.history.pushState(null, '', search), `?state=${state}`);
      await page.locator(`[data-state="${state}"]`).waitFor({ state: 'attached' });
      await look(state);
    }
  }

  const tooWide = (page: Page): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  /** Reads the names of the components that React has drawn from its own tree. */
  function drawn(page: Page): Promise<string[]> {
    return page.evaluate(() => {
      interface Fiber {
        type: { name?: string } | null;
        child: Fiber | null;
        sibling: Fiber | null;
      }
      const names = new Set<string>();
      const visit = (fiber: Fiber | null): void => {
        for (let one = fiber; one; one = one.sibling) {
          if (one.type?.name) names.add(one.type.name);
          visit(one.child);
        }
      };
      const root = document.getElementById('root') as HTMLElement & Record<string, { stateNode: { current: Fiber } }>;
      const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$')) ?? '';
      // The container may point to the previous tree; the root knows the current one.
      visit(root[key]?.stateNode.current ?? null);
      return [...names];
    });
  }

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('shows each state on a %s without an error in the console or a violation of WCAG 2.2 AA', async (_, viewport) => {
    const { page, context, errors } = await open(viewport);
    const states = await page.locator('[data-state]').evaluateAll((shown) => shown.map((one) => one.getAttribute('data-state')));
    const found: string[] = [];
    await each(page, async (state) => {
      found.push(...(await violationsOf(page)).map((violation) => `${state}: ${violation}`));
    });
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
    expect(states.length).toBeGreaterThan(60);
    expect(alone.length).toBeGreaterThan(20);
    expect(new Set([...states, ...alone]).size).toBe(states.length + alone.length);
    await context.close();
  });

  it('shows every component of web/src/ui, and does not scroll sideways at 360 px in any state', async () => {
    const folder = join(WEB, 'src/ui');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.tsx'));
    const sources = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const exported = sources.flatMap((source) =>
      [...source.matchAll(/^export (?:default )?(?:function|const|class) ([A-Z]\w*)/gm)].map(([, name]) => name ?? ''),
    );
    expect(exported.length).toBeGreaterThanOrEqual(files.length);

    const { page, context } = await open(NARROW);
    const shown = new Set<string>();
    const found: string[] = [];
    await each(page, async (state) => {
      for (const name of await drawn(page)) shown.add(name);
      const wider = await tooWide(page);
      if (wider > 0) found.push(`${state} is ${wider} px too wide`);
      // A modal dialog scrolls apart from the page.
      const cut = await page.locator('dialog[open]').evaluateAll((all) => all.some((one) => one.scrollWidth > one.clientWidth));
      if (cut) found.push(`${state}: the dialog is too wide`);
    });
    expect(exported.filter((name) => !shown.has(name) && !WITHOUT_LOOK.includes(name))).toEqual([]);
    expect(found).toEqual([]);
    await context.close();
  });

  it('shows in forced colours whether a switch is on', async () => {
    const { page, context } = await open(DESKTOP);
    await page.emulateMedia({ reducedMotion: 'reduce', forcedColors: 'active' });
    const switches = await page.getByRole('switch').evaluateAll((all) =>
      all.map((one) => {
        const [track, knob] = [...one.querySelectorAll('[aria-hidden], [aria-hidden] > *')].map((part) => getComputedStyle(part));
        return { on: one.ariaChecked, edge: track?.borderTopStyle, ground: track?.backgroundColor, knob: knob?.backgroundColor };
      }),
    );
    const grounds = (on: string): unknown[] => switches.filter((one) => one.on === on).map(({ ground }) => ground);
    expect([grounds('true').length > 0, grounds('false').length > 0]).toEqual([true, true]);
    for (const { edge, ground, knob } of switches) expect([edge, ground === knob]).toEqual(['solid', false]);
    for (const ground of grounds('true')) expect(grounds('false')).not.toContain(ground);
    await context.close();
  });

  it('says how many photos a ZIP takes where more are chosen, whose ZIP cannot be asked for', async () => {
    const { page, context } = await open(PHONE);
    await page.goto('/__ui?state=selection-bar-too-many');
    await page.getByText('In ein ZIP passen höchstens 20.000.').waitFor();
    expect(await page.getByRole('button', { name: 'Auswahl als ZIP' }).isEnabled()).toBe(false);
    expect(await page.getByRole('button', { name: 'Aus der Slideshow' }).isEnabled()).toBe(true);
    await context.close();
  });

  it('stands still where somebody wants no motion', async () => {
    const { page, context } = await open(DESKTOP);
    const moving = (): Promise<number> =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length);
    await expect.poll(moving).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    // Turning spinners prove that the count above works.
    await expect.poll(moving).toBeGreaterThan(0);
    await context.close();
  });

  it('shows each state as it looked before', async () => {
    const views = VIEWS.filter(({ width }) => width !== 768).map((view) => ({ ...view, scale: 0.5 }));
    const { look, differences, unused } = createLooks({ folder: 'components', views });
    const page = await stillPage(browser, book.url);
    await page.goto('/__ui');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await each(page, (state) => look(page, state, state === 'all' ? { height: 20_000 } : {}));
    expect(differences()).toEqual([]);
    expect(await unused()).toEqual([]);
    await page.context().close();
  });

  it('looks the same on machines with other typefaces', async () => {
    const other = await launchBrowser('others');
    const page = await stillPage(other, book.url);
    const view = { width: 390, height: 844, scale: 0.5 };
    const { look, differences } = createLooks({ folder: 'components', views: [view] });
    await page.goto('/__ui');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await look(page, 'all', { height: 20_000 });
    await other.close();
    expect(differences()).toEqual([]);
  });

  it('is not there in production: neither in its files nor at its address', async () => {
    const trace = /__ui|ui-book|Donaudampfschifffahrt/;
    // All long names of the book hold the last word.
    expect(await readFile(join(WEB, 'ui-book/samples.ts'), 'utf8')).toMatch(trace);
    const found: string[] = [];
    for (const folder of ['dist', 'dist-render']) {
      const files = await readdir(join(WEB, folder), { recursive: true, withFileTypes: true });
      for (const file of files.filter((one) => one.isFile() && !/\.(br|gz)$/.test(one.name))) {
        const path = join(file.parentPath, file.name);
        if (trace.test(path.slice(WEB.length)) || trace.test(await readFile(path, 'latin1'))) found.push(path);
      }
    }
    expect(found).toEqual([]);

    const server = await startServer();
    try {
      const headers = { accept: 'text/html' };
      const answers = await Promise.all(['/__ui', '/__ui.html', '/gibt-es-nicht'].map((path) => fetch(server.url + path, { headers })));
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
      const [own, , unknown] = await Promise.all(answers.map((answer) => answer.text()));
      expect(own).toBe(unknown);
    } finally {
      await server.dispose();
    }
  });
});
