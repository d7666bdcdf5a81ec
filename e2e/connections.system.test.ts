import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WEBHOOKS_MAX } from '@feierbild/contract/constants.ts';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, dayFromToday } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { logInAsAdmin, takeOver } from './support/login.ts';
import { insertFailures } from './support/rows.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const TITLE = 'Lena & Jonas';

describe('what an operator does at /admin/verbindungen', () => {
  let server: TestServer;
  let browser: Browser;
  let receiver: Server;
  let received: { body: string; headers: Record<string, string> }[];

  beforeAll(async () => {
    received = [];
    receiver = createServer((request, answer) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        received.push({ body, headers: request.headers as Record<string, string> });
        answer.end('danke');
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => receiver?.close());
  useServer(
    async (started) => {
      ({ server, browser } = started);
      const admin = await adminOf(server.url);
      await createEvent(admin, { title: TITLE, start_date: dayFromToday(0), end_date: dayFromToday(2), storage_limit: 15 });
    },
    { WEBHOOK_PRIVATE: 'on' },
  );

  /** Adds the page's violations and sideways scrolling to `found`; with LOOK_AT, saves a screenshot in that folder. */
  async function look(page: Page, name: string, found: string[]): Promise<void> {
    found.push(...(await violationsOf(page)).map((violation) => `${name}: ${violation}`));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) found.push(`${name}: scrolls sideways by ${wide}`);
    if (process.env.LOOK_AT) await page.screenshot({ path: `${process.env.LOOK_AT}/${name}.png`, fullPage: true });
  }

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ] as const)('works on a %s: a token, a calendar, a webhook, the month, another event with its access', async (where, viewport) => {
    const { page, context } = await openPage(browser, server.url, viewport);
    const found: string[] = [];
    await logInAsAdmin(page);
    /** Copies a secret; if the browser has no clipboard, the button selects it. */
    const keep = async (region: Locator, what: string): Promise<void> => {
      await region.getByRole('button', { name: `${what} kopieren` }).click();
      await region.getByText(/kopiert$|Strg\+C/).waitFor();
      await page.keyboard.press('ControlOrMeta+c');
    };
    // On a phone, pages that are not of the day are behind „Betrieb“.
    if (viewport === PHONE) {
      await page.waitForURL(/\/admin\/heute$/);
      await page.goto('/admin?suche=');
      await page.getByText('Betrieb', { exact: true }).click();
    }
    await page.getByRole('link', { name: 'Verbindungen' }).click();
    const programs = page.getByRole('region', { name: 'Programme' });
    await programs.getByLabel('Name des Programms').fill('Buchung');
    const allowed = await programs.getByRole('switch').all();
    for (const one of allowed) await one.click();
    await programs.getByRole('button', { name: 'Token anlegen' }).click();
    await programs.getByText('Bitte wählen Sie aus, was erlaubt ist.').waitFor();
    for (const one of allowed) await one.click();
    // The first answer is lost; the second press shows the token that exists already.
    await page.route(
      '**/admin/tokens',
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await programs.getByRole('button', { name: 'Token anlegen' }).click();
    await programs.getByText('Keine Verbindung.').waitFor();
    await programs.getByRole('button', { name: 'Token anlegen' }).click();
    await programs.getByLabel('Token', { exact: true }).waitFor();
    expect(await programs.getByText('Angelegt am').count()).toBe(1);
    const token = await programs.getByLabel('Token', { exact: true }).innerText();
    await keep(programs, 'Token');
    await look(page, `token-${where}`, found);
    const bearer = { authorization: `Bearer ${token}` };
    expect((await fetch(`${server.url}/admin/events`, { headers: bearer })).status).toBe(200);
    // A token that takes the place of an old one stays in sight while the old one is revoked.
    await programs.getByLabel('Name des Programms').fill('Kasse');
    await programs.getByRole('button', { name: 'Token anlegen' }).click();
    await programs.getByLabel('Token', { exact: true }).nth(1).waitFor();
    const fresh = await programs.getByLabel('Token', { exact: true }).last().innerText();
    await programs.getByRole('button', { name: '„Buchung“ widerrufen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Widerrufen' }).click();
    await programs.getByRole('listitem').filter({ hasText: 'Buchung' }).waitFor({ state: 'detached' });
    expect((await fetch(`${server.url}/admin/events`, { headers: bearer })).status).toBe(401);
    expect(await programs.getByLabel('Token', { exact: true }).allInnerTexts()).toEqual([fresh]);
    await keep(programs, 'Token');
    await programs.getByRole('button', { name: '„Kasse“ widerrufen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Widerrufen' }).click();
    await programs.getByText('Angelegt am').waitFor({ state: 'detached' });
    expect(await programs.getByLabel('Token', { exact: true }).count()).toBe(0);

    const calendars = page.getByRole('region', { name: 'Kalender' });
    await calendars.getByLabel('Name des Kalenders').fill(`Handy, ${where}`);
    await calendars.getByRole('button', { name: 'Adresse anlegen' }).click();
    const address = await calendars.getByLabel('Adresse', { exact: true }).innerText();
    await keep(calendars, 'Adresse');
    expect(await (await fetch(address)).text()).toContain(`SUMMARY:${TITLE}`);
    expect(server.output()).not.toContain(new URL(address).searchParams.get('token'));

    const hooks = page.getByRole('region', { name: 'Webhooks' });
    await hooks.getByLabel('Name').fill(`Slack, ${where}`);
    await hooks.getByLabel('Adresse').fill('http://kein-name.invalid/');
    await hooks.getByRole('button', { name: 'Webhook anlegen' }).click();
    await hooks.getByText('Diese Adresse ist gerade nicht zu finden.').waitFor();
    await hooks.getByText(/^Was gemeldet wird/).click();
    const topics = await hooks.getByRole('switch').all();
    for (const topic of topics) await topic.click();
    await hooks.getByLabel('Adresse').fill('http://127.0.0.1:9/');
    await hooks.getByRole('button', { name: 'Webhook anlegen' }).click();
    await hooks.getByText('Bitte wählen Sie aus, was gemeldet wird.').waitFor();
    await look(page, `webhook-wrong-${where}`, found);
    for (const topic of topics) await topic.click();
    await hooks.getByLabel('Adresse').fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`);
    await hooks.getByRole('button', { name: 'Webhook anlegen' }).click();
    expect(await hooks.getByLabel('Geheimnis', { exact: true }).innerText()).toMatch(/^whsec_/);
    const row = hooks.getByRole('listitem').filter({ hasText: `Slack, ${where}` });
    await row.getByRole('button', { name: 'Testen' }).click();
    await row.getByText('Angekommen.').waitFor();
    await row.getByRole('button', { name: 'Letzte Antworten' }).click();
    await row.getByText('Noch nichts.').waitFor();
    await look(page, `webhook-${where}`, found);
    const { body, headers } = received.at(-1) as (typeof received)[number];
    expect(headers['webhook-signature']).toMatch(/^v1,/);
    expect(JSON.parse(body)).toMatchObject({ type: 'webhook.test', data: { name: `Slack, ${where}` } });

    const asked = new Promise<string>((resolve) =>
      page.once('dialog', (question) => void question.dismiss().then(() => resolve(question.message()))),
    );
    await page.getByRole('link', { name: 'Liste' }).click();
    expect(await asked).toBe('Was hier steht, wird nur jetzt angezeigt. Trotzdem verlassen?');
    await keep(hooks, 'Geheimnis');
    await page.getByRole('link', { name: 'Liste' }).click();
    await page.getByRole('link', { name: 'Monat' }).click();
    await page.getByRole('link', { name: TITLE }).first().waitFor();
    await look(page, `month-${where}`, found);
    await page.getByRole('link', { name: 'Ein Monat früher' }).click();
    await page.getByRole('link', { name: 'Ein Monat später' }).click();
    await page.getByRole('link', { name: TITLE }).first().click();
    await page.getByRole('button', { name: TITLE }).click();
    await page.getByRole('button', { name: 'Wie dieses' }).click();
    const form = page.getByRole('dialog');
    await expect.poll(() => form.getByLabel('Speicherplatz in GB').inputValue()).toBe('15');
    expect(await form.getByLabel('Titel', { exact: true }).inputValue()).toBe('');
    await form.getByLabel('Titel', { exact: true }).fill(`Noch ein Fest, ${where}`);
    for (const day of ['Startdatum', 'Enddatum']) await form.getByLabel(day).fill(dayFromToday(30));
    await form.getByRole('switch', { name: 'Zugang gleich anlegen' }).click();
    await look(page, `like-${where}`, found);
    await form.getByRole('button', { name: 'Event erstellen' }).click();
    await page.getByRole('dialog', { name: 'Zugang für den Gastgeber' }).getByText(`Noch ein Fest, ${where}`).waitFor();
    expect(found).toEqual([]);
    await context.close();
  });

  it('asks before what was typed for a webhook, or for another password, is left', async () => {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await logInAsAdmin(page);
    await page.waitForURL((url) => url.pathname !== '/admin/login');
    const questions: string[] = [];
    page.on('dialog', (question) => {
      questions.push(question.message());
      void question.dismiss();
    });
    for (const [path, label] of [
      ['/admin/verbindungen', 'Adresse'],
      ['/admin/zugang', 'Neues Passwort'],
    ] as const) {
      await page.goto(path);
      const typed = page.getByLabel(label, { exact: true });
      await typed.fill('https://chat.example/hooks/1');
      await page.getByRole('link', { name: 'Liste' }).click();
      expect([questions.splice(0), new URL(page.url()).pathname]).toEqual([
        ['Die Eingaben sind noch nicht gespeichert. Trotzdem verlassen?'],
        path,
      ]);
      await typed.fill('');
    }
    await page.getByRole('link', { name: 'Liste' }).click();
    await page.waitForURL((url) => url.pathname === '/admin');
    expect(questions).toEqual([]);
    await context.close();
  });

  it('asks once about what did not reach one of twenty webhooks, and says how much that is beyond its list', async () => {
    const admin = await adminOf(server.url);
    const listed = async () => (await admin.json<{ webhooks: { id: string; name: string }[] }>('GET', '/admin/webhooks')).webhooks;
    for (let n = (await listed()).length; n < WEBHOOKS_MAX; n++)
      await admin.json('POST', '/admin/webhooks', { name: `Nummer ${n}`, url: 'http://127.0.0.1:9/', topics: ['event.created'] }, 201);
    const { id, name } = (await listed()).at(-1)!;
    insertFailures(join(server.dataDir, 'feierbild.sqlite'), `webhook ${id}`, 22);
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    let asked = 0;
    page.on('request', (request) => void (asked += new URL(request.url()).pathname === '/admin/outbox' ? 1 : 0));
    await page.goto('/admin/verbindungen');
    const failed = page.getByRole('listitem').filter({ hasText: name }).getByRole('region', { name: 'Nicht zugestellt' });
    await failed.getByText('Dazu kommen 2 ältere; sie erscheinen hier, sobald etwas davon erledigt ist.').waitFor();
    expect([await failed.getByRole('listitem').count(), asked]).toEqual([20, 1]);
    await failed.getByRole('button', { name: 'Erledigt' }).first().click();
    await failed.getByText('Dazu kommt eine ältere; sie erscheint hier, sobald etwas davon erledigt ist.').waitFor();
    await context.close();
  });
});
