import { beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createClient, createEvent, hostOf, projectorOf, type Client } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import { backToFirst, holdAtFirst, showsOf, type Show } from './support/show.ts';
import { useServer } from './support/use-server.ts';

/** Number of photos that the remote offers. */
const CHOICES = 24;

describe('a slideshow in its host’s hand', () => {
  let begin: () => Promise<Show>;
  let server: Show['server'];
  let browser: Show['browser'];
  let admin: Show['admin'];
  let event: Show['event'];
  let host: Show['host'];
  let ids: Show['ids'];
  let add: Show['add'];
  let wallOf: Show['wallOf'];
  let stage: Show['stage'];

  useServer(async (started) => void (begin = await showsOf(started)));
  beforeEach(async () => void ({ server, browser, admin, event, host, ids, add, wallOf, stage } = await begin()));

  it('follows the host’s phone: pause, next, curtain, this picture, layout, code and brightness; of two phones the later one learns it', async () => {
    const { page, context, errors } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    const [phone, other] = [await stage(PHONE), await stage(PHONE)];
    for (const each of [phone, other]) await each.page.goto(`/manage/${event.code}/leinwand`);
    const key = (name: string, at = phone) => at.page.getByRole('button', { name, exact: true });
    await key('Pause').click();
    await page.getByRole('button', { name: 'Weiter' }).waitFor();
    await key('Weiter', other).waitFor();
    await backToFirst(page);
    const ahead = (steps: number) => page.getByRole('img', { name: `Foto ${1 + steps} von 6` });
    await key('Nächstes').click();
    await ahead(1).waitFor();
    // The wall learns of two quick presses by one answer.
    const known = Promise.withResolvers<void>();
    await page.route('**/wall', async (route) => (await known.promise, route.continue()));
    const { steps } = await wallOf();
    await key('Nächstes').click();
    await key('Nächstes').click();
    await expect.poll(async () => (await wallOf()).steps).toBe(steps + 2);
    known.resolve();
    await ahead(3).waitFor();
    await page.unroute('**/wall');
    for (const steps of [2, 1]) {
      await page.keyboard.press('ArrowLeft');
      await ahead(steps).waitFor();
    }
    await key('Foto 1 von Anna auf die Leinwand').click();
    await page.getByRole('img', { name: 'Foto 6 von 6' }).waitFor();
    const curtain = () => page.locator('[data-down]').evaluate((each) => getComputedStyle(each).opacity);
    await key('Vorhang zu').click();
    await expect.poll(curtain).toBe('1');
    await key('Vorhang auf', other).click();
    await expect.poll(curtain).toBe('0');
    await key('Vorhang zu').waitFor();
    await phone.page.getByRole('switch', { name: 'QR-Code für Gäste' }).click();
    await page.getByRole('img', { name: 'QR-Code zum Event' }).waitFor({ state: 'detached' });
    await phone.page.getByLabel(/^Helligkeit/).fill('40');
    await phone.page.getByLabel(/^Helligkeit/).blur();
    // The code for guests dims, too: it is the brightest thing in the hall.
    await expect.poll(curtain).toBe('0.6');
    // The remote shows a press before its answer, and sends later presses after it.
    const held = Promise.withResolvers<void>();
    await phone.page.route('**/wall', async (route) => {
      if (route.request().method() === 'PUT') await held.promise;
      await route.continue();
    });
    await phone.page.getByLabel('Mehrere auf einmal').check();
    await key('Nächstes').click();
    held.resolve();
    await expect.poll(() => page.getByRole('img', { name: /^Foto/ }).count()).toBeGreaterThan(2);
    expect(await violationsOf(phone.page)).toEqual([]);

    // The other phone does not undo a change that it has not seen.
    await other.page.route('**/wall', (route) => (route.request().method() === 'GET' ? route.abort() : route.continue()));
    await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, curtain: true });
    await key('Vorhang zu', other).click();
    await other.page.getByText('Ein anderes Handy war schneller. So ist es jetzt.').waitFor();
    expect(await wallOf()).toMatchObject({ curtain: true, paused: true, layout: 'collage', brightness: 40 });
    expect(errors).toEqual([]);
    for (const each of [context, phone.context, other.context]) await each.close();
  });

  it('says of a phone whose line was cut what its press has met, and no more that there is no line once it is back', async () => {
    const { page, context } = await stage(PHONE);
    await page.goto(`/manage/${event.code}/leinwand`);
    const next = page.getByRole('button', { name: 'Nächstes', exact: true });
    await next.waitFor();
    const noLine = page.getByText(/^Keine Verbindung/);
    await page.route('**/wall', (route) => route.abort());
    await next.click();
    await noLine.waitFor();
    expect(await noLine.count()).toBe(1);
    await page.unroute('**/wall');
    // Another phone's change tells the outcome, if the next regular request has not done so yet.
    await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, curtain: true });
    await page.getByText('Die Verbindung war weg. So ist es jetzt.').waitFor();
    await page.getByRole('button', { name: 'Vorhang auf' }).waitFor();
    await expect.poll(() => noLine.count()).toBe(0);
    expect((await wallOf()).steps).toBe(0);
    await next.click();
    await page.getByText(/So ist es jetzt/).waitFor({ state: 'detached' });
    await expect.poll(async () => (await wallOf()).steps).toBe(1);
    await context.close();
  });

  it('says once on the phone that photos and link could not be read, and no more once they were', async () => {
    const { page, context } = await stage(PHONE);
    const reads = [/\/wall\/link$/, /\/photos\?.*view=shown/];
    for (const read of reads) await page.route(read, (route) => route.abort());
    await page.goto(`/manage/${event.code}/leinwand`);
    const noLine = page.getByText(/^Keine Verbindung/);
    await noLine.waitFor();
    await page.getByRole('button', { name: 'Nächstes', exact: true }).waitFor();
    expect([await noLine.count(), await page.getByRole('button', { name: 'Link machen' }).count()]).toEqual([1, 0]);
    // They are asked for again, and the sentence stays until they are there.
    const held = Promise.withResolvers<void>();
    const asked = reads.map((read) => page.waitForRequest(read));
    for (const read of reads) await page.route(read, async (route) => (await held.promise, route.continue()));
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await Promise.all(asked);
    // This answer follows what these requests have changed on the page.
    await page.evaluate(() => fetch('/api/site').then(() => undefined));
    expect(await noLine.count()).toBe(1);
    held.resolve();
    await page.getByRole('button', { name: 'Link machen' }).waitFor();
    await page.getByRole('button', { name: /^Foto 1 .*auf die Leinwand$/ }).waitFor();
    await noLine.waitFor({ state: 'detached' });
    await context.close();
  });

  it('shows nothing before it knows whether the curtain is closed, and falls over the wait for photos, too', async () => {
    const wish = async (change: object) =>
      host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, ...change });
    await wish({ curtain: true });
    const { page, context } = await stage();
    const known = Promise.withResolvers<void>();
    await page.route('**/wall', async (route) => (await known.promise, route.continue()));
    const listed = page.waitForResponse(/slideshow\?after=0/);
    await page.goto(`/slideshow/${event.code}`);
    await (await listed).finished();
    const seen = page.waitForFunction(() => {
      const [photo, curtain] = ['main img[alt^="Foto"]', '[data-down]'].map((each) => document.querySelector(each));
      return photo && { opacity: curtain && getComputedStyle(curtain).opacity };
    });
    // This answer follows those to the requests that the list led to.
    await page.evaluate(() => fetch('/api/site').then(() => undefined));
    expect(await page.locator('main img').count()).toBe(0);
    known.resolve();
    expect(await (await seen).jsonValue()).toEqual({ opacity: '1' });

    for (const id of ids.slice(0, 3)) await host.json('PUT', `/api/photos/${id}/slideshow`, { value: false });
    await page.getByText('Fotos hinzufügen: 3/5').waitFor();
    const curtain = () => page.locator('[data-down]').evaluate((each) => getComputedStyle(each).opacity);
    await expect.poll(curtain).toBe('1');
    await wish({ curtain: false });
    await expect.poll(curtain).toBe('0');
    await context.close();
  });

  it('puts a photo on the wall that its list has only after the press', async () => {
    const { page, context } = await stage();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    const listed = Promise.withResolvers<void>();
    await page.route('**/slideshow?seq=*', async (route) => (await listed.promise, route.continue()));
    const late = await add(50);
    const told = page.waitForResponse(async (answer) => answer.url().endsWith('/wall') && (await answer.text()).includes(late));
    await host.json('PUT', `/api/events/${event.code}/wall`, { version: (await wallOf()).version, photo: late });
    await told;
    listed.resolve();
    await page.locator(`main img[alt^="Foto"][src*="${late}"]`).waitFor();
    await page.getByRole('button', { name: 'Weiter' }).waitFor();
    await context.close();
  });

  it('is opened by the crew’s link, or by eight characters on a television, without a login, until the host ends it', async () => {
    const link = await host.json<{ url: string }>('POST', `/api/events/${event.code}/wall/link`);
    const crew = await openPage(browser, server.url, DESKTOP);
    await crew.page.goto(link.url);
    await crew.page.waitForURL(`**/slideshow/${event.code}`);
    await crew.page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    const television = await openPage(browser, server.url, DESKTOP);
    await television.page.goto('/tv');
    await television.page.getByLabel('Code').fill('AAAAAAAA');
    await television.page.keyboard.press('Enter');
    await television.page.getByText('Dieser Code gilt nicht oder nicht mehr.').waitFor();
    expect(await violationsOf(television.page)).toEqual([]);
    const { code } = await host.json<{ code: string }>('POST', `/api/events/${event.code}/wall/code`);
    await television.page.getByLabel('Code').fill(code.toLowerCase());
    await television.page.keyboard.press('Enter');
    await television.page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await host.json('POST', `/api/events/${event.code}/wall/link`, { value: false });
    for (const each of [crew, television]) await each.page.waitForURL('**/login**', { timeout: 20_000 });
    await crew.page.goto(link.url);
    await crew.page.getByRole('heading', { name: 'Dieser Link gilt nicht mehr' }).waitFor();
    for (const each of [crew, television]) await each.context.close();
  });

  it('shows the crew’s link that another phone has made meanwhile, and ends it with no press', async () => {
    const { page, context } = await stage(PHONE);
    // Live news would show the link before the press.
    await page.route(/\/live/, (route) => route.abort());
    await page.goto(`/manage/${event.code}/leinwand`);
    const make = page.getByRole('button', { name: 'Link machen' });
    await make.waitFor();
    const { url } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/wall/link`);
    await make.click();
    await page.getByText(url).waitFor();
    expect(await host.json('GET', `/api/events/${event.code}/wall/link`)).toEqual({ url });
    await context.close();
  });

  it('shows the helper’s link that another phone has made meanwhile, and ends it with no press', async () => {
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true });
    const { page, context } = await stage(PHONE);
    await page.route(/\/live/, (route) => route.abort());
    await page.goto(`/manage/${event.code}`);
    await page.getByRole('button', { name: 'Link für eine Hilfe …' }).click();
    const make = page.getByRole('button', { name: 'Link machen' });
    await make.waitFor();
    const { url } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/helper`);
    await make.click();
    await page.getByText(url).waitFor();
    expect(await host.json('GET', `/api/events/${event.code}/helper`)).toEqual({ url });
    await context.close();
  });

  it('is opened by the crew’s link also beside the login of another event, or the operator’s; without the link these lead to their own pages', async () => {
    const { url } = await host.json<{ url: string }>('POST', `/api/events/${event.code}/wall/link`);
    const second = await createEvent(admin);
    const logins = [
      [await hostOf(server.url, second), `**/manage/${second.code}`],
      [admin, '**/login?redirect=**'],
    ] as const;
    for (const [login, own] of logins) {
      const { page, context } = await openPage(browser, server.url, DESKTOP);
      await takeOver(context, login, server.url);
      await page.goto(`/slideshow/${event.code}`);
      await page.waitForURL(own);
      await page.goto(url);
      await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
      await page.getByRole('button', { name: 'Sperre aufheben' }).waitFor();
      await context.close();
    }
  });

  it.each([
    ['offers full screen where the browser has it', true],
    ['leaves full screen out where the browser has none', false],
  ])('%s', async (_, fullscreenEnabled) => {
    const { page, context } = await stage(PHONE);
    await page.addInitScript((value) => {
      for (const name of ['fullscreenEnabled', 'webkitFullscreenEnabled']) Object.defineProperty(Document.prototype, name, { value });
    }, fullscreenEnabled);
    await page.goto(`/slideshow/${event.code}`);
    await page.getByRole('button', { name: 'Nächstes Foto' }).waitFor();
    expect(await page.getByRole('button', { name: 'Vollbild' }).count()).toBe(fullscreenEnabled ? 1 : 0);
    await context.close();
  });

  it('names guests also where it is locked, and nobody once the host has switched that off', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    const projector = await projectorOf(server.url, event);
    await takeOver(context, projector, server.url);
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    await add(30);
    await page.getByText('Neu von Anna').waitFor();
    await host.json('PUT', `/api/events/${event.code}/slideshow_names`, { value: false });
    await page.clock.fastForward(121_000);
    await expect.poll(() => page.getByText('Anna').count()).toBe(0);
    await add(31);
    await page.getByText('Neu', { exact: true }).waitFor();
    await context.close();
  });

  it('shows the round of favourites where it is locked, from few hearts to many, and all photos again after it', async () => {
    const { url } = await host.json<{ url: string }>('PUT', `/api/events/${event.code}/gallery`, { mode: 'open' });
    const guests = [createClient(server.url), createClient(server.url)] as const;
    for (const guest of guests) await guest.json('POST', '/auth/gallery/login', { code: event.code, token: url.split('#')[1] });
    const love = (guest: Client, id: string | undefined) => guest.json('PUT', `/api/photos/${id}/heart`, { value: true });
    // The first photo of the order has the most hearts.
    for (const guest of guests) await love(guest, ids[0]);
    await love(guests[0], ids[4]);
    const { page, context, errors } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, await projectorOf(server.url, event), server.url);
    // Only the host chooses the round: the address has no effect here.
    await page.goto(`/slideshow/${event.code}?lieblinge`);
    await holdAtFirst(page);
    // When the round begins or ends, the shown photo stays until its successor is loaded, even if it has no place in the new order.
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    await page.evaluate(() => {
      const look = (): void => {
        if (!document.querySelector('main img[alt^="Foto"]')) document.body.dataset.dark = 'true';
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
    const phone = await stage(PHONE);
    await phone.page.goto(`/manage/${event.code}/leinwand`);
    const favourites = phone.page.getByRole('switch', { name: /^Nur Lieblinge/ });
    await favourites.click();
    const round = async () => {
      const shown: string[] = [];
      for (let n = 1; n <= 2; n++) {
        const one = page.getByRole('img', { name: `Foto ${n} von 2` });
        await one.waitFor();
        shown.push((await one.getAttribute('src')) ?? '');
        await page.keyboard.press('ArrowRight');
      }
      return shown;
    };
    await page.getByRole('img', { name: /^Foto \d von 2/ }).waitFor();
    if ((await page.getByRole('img', { name: 'Foto 1 von 2' }).count()) === 0) await page.keyboard.press('ArrowLeft');
    expect(await round()).toEqual([ids[4], ids[0]].map((id) => expect.stringContaining(id as string)));
    // A photo without a heart can be shown all the same; then the round goes on.
    await phone.page.getByRole('button', { name: 'Foto 4 von Anna auf die Leinwand' }).click();
    await page.locator(`main img[alt^="Foto"][src*="${ids[2]}"]`).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator(`main img[alt^="Foto"][src*="${ids[0]}"], main img[alt^="Foto"][src*="${ids[4]}"]`).first().waitFor();
    await favourites.click();
    await page.getByRole('img', { name: /^Foto \d von 6/ }).waitFor();
    expect(await page.evaluate(() => document.body.dataset.dark)).toBe(undefined);
    // A wall that starts during the round calls none of the others new after it.
    await favourites.click();
    await page.getByRole('img', { name: /^Foto \d von 2/ }).waitFor();
    await page.reload();
    await page.getByRole('img', { name: /^Foto \d von 2/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    if ((await page.getByRole('img', { name: 'Foto 2 von 2' }).count()) === 0) await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Foto 2 von 2' }).waitFor();
    await favourites.click();
    await page.getByRole('img', { name: 'Foto 1 von 6' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('img', { name: 'Foto 2 von 6' }).waitFor();
    expect(errors).toEqual([]);
    for (const each of [context, phone.context]) await each.close();
  });

  it('offers a code for each further television, and sends no brightness of a finger that only scrolls', async () => {
    const { page, context, errors } = await stage(PHONE);
    await page.goto(`/manage/${event.code}/leinwand`);
    const codes = new Set<string>();
    for (const name of [/^Code zum Eintippen/, 'Code für einen weiteren Bildschirm']) {
      const made = page.waitForResponse((answer) => answer.url().endsWith('/wall/code'));
      await page.getByRole('button', { name }).click();
      const { code } = (await (await made).json()) as { code: string };
      await page.getByText(code.replace(/(.{4})/, '$1 ')).waitFor();
      codes.add(code);
    }
    expect(codes.size).toBe(2);
    expect(await violationsOf(page)).toEqual([]);
    const before = (await wallOf()).brightness;
    const touch = (value: string, end: string) =>
      page.getByLabel(/^Helligkeit/).evaluate(
        (slider: HTMLInputElement, [to, name]) => {
          Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, to);
          slider.dispatchEvent(new Event('input', { bubbles: true }));
          slider.dispatchEvent(new PointerEvent(name, { bubbles: true }));
        },
        [value, end] as const,
      );
    await touch('45', 'pointercancel');
    await page.getByText(`Helligkeit: ${before} %`).waitFor();
    expect((await wallOf()).brightness).toBe(before);
    await touch('60', 'pointerup');
    await expect.poll(async () => (await wallOf()).brightness).toBe(60);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('is offered photos that are shown, however many newer ones wait for their release', async () => {
    await host.json('PUT', `/api/events/${event.code}/release`, { value: true });
    for (let n = 0; n < CHOICES; n++) await add(100 + n);
    const { page, context } = await stage(PHONE);
    await page.goto(`/manage/${event.code}/leinwand`);
    const offered = page.getByRole('button', { name: /^Foto \d+ von Anna auf die Leinwand$/ });
    await expect.poll(() => offered.count()).toBe(ids.length);
    // The newest photo that does not wait is offered first.
    await offered.first().click();
    await expect.poll(async () => (await wallOf()).photo).toBe(ids.at(-1));
    await context.close();
  });

  it('is offered photos that stay under the finger while others come; what is not drawn yet is not put on the wall', async () => {
    const { page, context, errors } = await stage(PHONE);
    await page.goto(`/manage/${event.code}/leinwand`);
    const first = page.getByRole('button', { name: 'Foto 1 von Anna auf die Leinwand' });
    await first.and(page.locator('[aria-disabled=false]')).waitFor();
    const place = () =>
      first.evaluate((button) => {
        const top = (element: Element | null) => element?.getBoundingClientRect().top ?? 0;
        return { src: button.querySelector('img')?.src, top: top(button) - top(button.closest('section')) };
      });
    const before = await place();
    expect(before.src).toContain(ids.at(-1));
    const held = Promise.withResolvers<void>();
    await page.route('**/thumbnail*', async (route) => (await held.promise, route.continue()));
    const late = await add(40);
    const renew = page.getByRole('button', { name: '1 neues Foto' });
    await renew.waitFor();
    expect(await place()).toEqual(before);
    expect(await violationsOf(page)).toEqual([]);
    await first.click();
    await expect.poll(async () => (await wallOf()).photo).toBe(ids.at(-1));

    await renew.click();
    await renew.waitFor({ state: 'detached' });
    expect(await place()).toEqual({ ...before, src: expect.stringContaining(late) });
    await first.click({ force: true });
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect.poll(async () => (await wallOf()).paused).toBe(true);
    expect((await wallOf()).photo).toBe(ids.at(-1));
    held.resolve();
    await first.click();
    await expect.poll(async () => (await wallOf()).photo).toBe(late);

    // The photo's place stays empty: the one behind it does not move.
    const second = page.getByRole('button', { name: 'Foto 2 von Anna auf die Leinwand' });
    const at = await second.boundingBox();
    await host.json('PUT', `/api/photos/${late}/slideshow`, { value: false });
    await first.waitFor({ state: 'detached' });
    expect(await second.boundingBox()).toEqual(at);
    expect(errors).toEqual([]);
    await context.close();
  });

  it('names who sent a photo, until the host switches it off on the dashboard; then names are not even sent', async () => {
    const { page, context } = await stage();
    type Show = { names: boolean; photos: { device: { name: string } }[] };
    const told = async () => {
      const { names, photos } = await host.json<Show>('GET', `/api/events/${event.code}/slideshow`);
      return [names, ...new Set(photos.map(({ device }) => device.name))];
    };
    await page.clock.install();
    await page.goto(`/slideshow/${event.code}`);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    expect(await told()).toEqual([true, 'Anna']);
    expect(await violationsOf(page)).toEqual([]);

    const dashboard = await context.newPage();
    await dashboard.goto(`/manage/${event.code}`);
    const names = dashboard.getByRole('switch', { name: 'Namen der Gäste in der Slideshow' });
    await names.click();
    await expect.poll(told).toEqual([false, '']);
    await page.clock.fastForward(121_000);
    // The name is there twice while one photo fades into the next.
    await expect.poll(() => page.getByText('Anna', { exact: true }).count()).toBe(0);
    await page.getByRole('img', { name: /^Foto \d von 6/ }).waitFor();

    const answered = dashboard.waitForResponse((answer) => answer.request().method() === 'PUT');
    await names.click();
    await expect.poll(told).toEqual([true, 'Anna']);
    await answered;
    await page.clock.fastForward(121_000);
    await page.getByText('Anna', { exact: true }).first().waitFor();
    await context.close();
  });
});
