import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { createClient } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { useServer } from './support/use-server.ts';
import { logInAsAdmin, sendAdminLogin } from './support/login.ts';
import type { TestServer } from './support/server.ts';

describe('reports in the administration', () => {
  let server: TestServer;
  let browser: Browser;

  useServer((started) => ({ server, browser } = started), { TRUST_PROXY: '127.0.0.1' });

  async function expectNoViolations(page: Page): Promise<void> {
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  }

  it('are counted at their link, listed with open ones first, settled and opened again', async () => {
    const { page, context, errors } = await openPage(browser, server.url, PHONE);
    await logInAsAdmin(page);
    await page.locator('summary', { hasText: 'Betrieb' }).click();
    await page.getByRole('link', { name: 'Meldungen (0 offen)' }).click();
    await page.getByText('Noch keine Meldung. Was über „Foto melden“ eingeht, steht hier.').waitFor();
    await expectNoViolations(page);

    for (const event of ['Sommerfest', 'Hochzeit Anna & Jörg']) {
      const report = { event, photo: 'Ich vor der Torte', reason: 'Ich möchte nicht gezeigt werden.', email: 'gast@example.de' };
      await createClient(server.url).json('POST', '/api/reports', report, 201);
    }
    await page.reload();
    await page.getByText('2 offene Meldungen').waitFor();
    const card = (event: string) => page.getByRole('article', { name: `Meldung zu ${event}` });
    await card('Hochzeit Anna & Jörg').getByRole('button', { name: 'Als erledigt markieren' }).click();
    await card('Hochzeit Anna & Jörg')
      .getByText(/^Erledigt am .* von admin$/)
      .waitFor();
    expect(await page.getByRole('article').getByRole('heading').allTextContents()).toEqual(['Sommerfest', 'Hochzeit Anna & Jörg']);
    await expectNoViolations(page);
    await page.setViewportSize(DESKTOP);
    await page.getByRole('link', { name: 'Liste' }).click();
    const link = page.getByRole('link', { name: 'Meldungen (1 offen)' });
    await link.waitFor();
    await link.focus();
    await page.keyboard.press('Enter');
    await card('Hochzeit Anna & Jörg').getByRole('button', { name: 'Wieder öffnen' }).click();
    await page.getByText('2 offene Meldungen').waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('show the command that finds the photo in its event, or deletes it where its id is known', async () => {
    const id = '0198c0de-0000-7000-8000-000000000000';
    for (const [event, photo] of [
      ['k7mq2xwa', 'Das am Buffet'],
      ['Gartenfest', `${server.url}/api/photos/${id}/preview`],
    ]) {
      await createClient(server.url).json('POST', '/api/reports', { event, photo, reason: 'Ich bin darauf.' }, 201);
    }
    const { page, context } = await openPage(browser, server.url, PHONE);
    await logInAsAdmin(page);
    await page.locator('summary', { hasText: 'Betrieb' }).click();
    await page.getByRole('link', { name: /^Meldungen/ }).click();
    const command = (event: string) =>
      page
        .getByRole('article', { name: `Meldung zu ${event}` })
        .locator('code')
        .textContent();
    expect(await command('k7mq2xwa')).toBe('npm run cli -- photo list --event K7MQ2XWA');
    expect(await command('Gartenfest')).toBe(`npm run cli -- photo delete ${id}`);
    await expectNoViolations(page);
    await context.close();
  });

  it('are all there, also when many more came since', async () => {
    const sent = createClient(server.url);
    for (const n of Array(101).keys()) {
      const answer = await sent.request('/api/reports', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `192.0.2.${n}` },
        body: JSON.stringify({ event: n === 0 ? 'Das älteste Fest' : 'Gewühl', photo: 'Torte', reason: 'Ich bin darauf.' }),
      });
      expect(answer.status).toBe(201);
    }
    const { page, context, errors } = await openPage(browser, server.url, PHONE);
    await logInAsAdmin(page);
    await page.locator('summary', { hasText: 'Betrieb' }).click();
    await page.getByRole('link', { name: /^Meldungen/ }).click();
    const oldest = page.getByRole('article', { name: 'Meldung zu Das älteste Fest' });
    await page.getByRole('article').first().waitFor();
    expect(await oldest.count()).toBe(0);
    await page.getByRole('button', { name: 'Ältere Meldungen zeigen' }).click();
    await oldest.getByRole('button', { name: 'Als erledigt markieren' }).click();
    await oldest.getByText(/^Erledigt am .* von admin$/).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('without a login lead to the login and back', async () => {
    const { page, context } = await openPage(browser, server.url, PHONE);
    await page.goto('/admin/meldungen');
    await page.waitForURL(/\/admin\/login/);
    await sendAdminLogin(page);
    await page.getByRole('heading', { name: 'Meldungen' }).waitFor();
    await context.close();
  });
});
