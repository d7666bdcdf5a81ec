import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createEvent, hostOf, type Client, type EventUnderTest } from './support/api.ts';
import { openPage, PHONE } from './support/browser.ts';
import { useAdmin } from './support/use-server.ts';
import { takeOver } from './support/login.ts';
import type { TestServer } from './support/server.ts';

interface Page {
  entries: { id: string; at: string; action: string; event_code: string | null }[];
  next: string | null;
}

describe('the audit trail in the administration', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;
  let events: EventUnderTest[];

  useAdmin(async (started) => {
    ({ server, browser, admin } = started);
    events = [await createEvent(admin, { title: 'Eins' }), await createEvent(admin, { title: 'Zwei' })];
    for (const event of events) await hostOf(server.url, event);
  });

  it('is paged without a gap or a twin, the newest first, and filtered by an event’s code', async () => {
    const whole = await admin.json<Page>('GET', '/admin/audit');
    expect(whole.entries.map(({ action }) => action)).toEqual([
      'host.login',
      'host.login',
      'host.created',
      'event.created',
      'host.created',
      'event.created',
      'admin.login',
    ]);
    expect(whole.next).toBeNull();
    const paged: string[] = [];
    for (let before: string | null = ''; before !== null;) {
      const page: Page = await admin.json('GET', `/admin/audit?per_page=3${before && `&before=${before}`}`);
      paged.push(...page.entries.map(({ id }) => id));
      before = page.next;
    }
    expect(paged).toEqual(whole.entries.map(({ id }) => id));
    const [first] = events;
    const ofFirst = await admin.json<Page>('GET', `/admin/audit?event=${first?.code.toLowerCase()}`);
    expect(ofFirst.entries.map(({ event_code }) => event_code)).toEqual(Array(3).fill(first?.code));
    expect((await admin.request('/admin/audit?before=nichts')).status).toBe(400);
  });

  it('can be read in German, and for one event', async () => {
    const { page, context, errors } = await openPage(browser, server.url, PHONE);
    await takeOver(context, admin, server.url);
    // While an event runs, `/admin` without a query leads a phone to today's page.
    await page.goto('/admin?suche=');
    await page.locator('summary', { hasText: 'Betrieb' }).click();
    await page.getByRole('link', { name: 'Protokoll' }).click();
    await page.getByText('Verwaltung angemeldet').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(7);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await page.getByLabel('Event-Code').fill(events[1]?.code ?? '');
    await expect.poll(() => page.getByRole('listitem').count()).toBe(3);
    await page.getByText('Gastgeber-Zugang angelegt').waitFor();
    await page.getByLabel('Event-Code').fill('AAAAAAAA');
    await page.getByText('Zu diesem Event gibt es keinen Eintrag.').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });
});
