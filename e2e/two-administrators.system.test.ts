import type { Browser, Page } from 'playwright';
import { describe, expect, it } from 'vitest';
import { adminOf, createClient, createEvent, NEXT_YEAR, type Client, type EventUnderTest } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { takeOver } from './support/login.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

interface Webhook {
  id: string;
  name: string;
  url: string;
  topics: string[];
  active: boolean;
}

/** Another administrator changes the data of each page while it is open (docs/decisions/0043). */
describe('two administrators at once', () => {
  let server: TestServer;
  let browser: Browser;
  let other: Client;

  useServer(
    async (started) => {
      ({ server, browser } = started);
      other = await adminOf(server.url);
    },
    { WEBHOOK_PRIVATE: 'on' },
  );

  async function open(path: string): Promise<{ page: Page; close(): Promise<void> }> {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, other, server.url);
    await page.goto(path);
    return { page, close: () => context.close() };
  }
  /** Returns to the window, upon which the page reads its data again. */
  async function comeBack(page: Page, reads: RegExp): Promise<void> {
    const read = page.waitForResponse(reads);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await (await read).finished();
    // The page has drawn the answer two frames later.
    await page.evaluate(() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(drawn)))));
  }
  async function openEvent({ title }: EventUnderTest) {
    const opened = await open('/admin');
    await opened.page.getByRole('button', { name: title }).click();
    return opened;
  }

  it('answer the questions of the first start once', async () => {
    const { page, close } = await open('/admin?suche=');
    const answers = ['Zeltverleih Süd', 'Frieda Süd', 'Seeweg 1', '88131', 'Lindau'];
    const labels = ['Wie heißt Ihr Betrieb?', 'Wem gehört er?', 'Wo?', 'Postleitzahl', 'Ort'];
    for (const [at, label] of labels.entries())
      await page
        .getByLabel(label)
        .first()
        .fill(answers[at] as string);
    await page.getByLabel('Unter welcher E').fill('feier@zelt.example');
    const value = {
      identity: { brand: 'Nord', owner: 'N', street: 'Weg 2', zip: '20095', city: 'Hamburg' },
      contact: { email: 'n@n.example' },
    };
    await other.json('PUT', '/admin/settings/business', { version: 0, value }, 200);
    await comeBack(page, /\/admin\/status$/);
    await page.getByRole('button', { name: 'Fertig' }).click();
    await page.getByText('Diese Fragen sind inzwischen beantwortet.').waitFor();
    expect(await other.json('GET', '/admin/settings/business')).toMatchObject({ version: 1, value });
    await close();
  });

  it('read the same table, and make each of its events once', async () => {
    const { page, close } = await open('/admin/einlesen');
    const table = ['Titel;Beginn', `Erste;19.6.${NEXT_YEAR}`, `Zweite;20.6.${NEXT_YEAR}`, `Dritte;21.6.${NEXT_YEAR}`].join('\r\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'saison.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
    await page.getByText('3 neu').waitFor();
    for (const [title, start_date] of [
      ['Erste', `${NEXT_YEAR}-06-19`],
      ['Dritte', `${NEXT_YEAR}-06-21`],
    ])
      await other.json('POST', '/admin/create_event', { title, start_date, end_date: start_date }, 201);
    await page.getByRole('button', { name: '3 Events anlegen' }).click();
    await page.getByText('1 angelegt, 2 schon da').waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: 'Dritte' }).innerText()).toContain('gibt es schon');
    const { events } = await other.json<{ events: { title: string }[] }>('GET', '/admin/events');
    const made = events.map(({ title }) => title).filter((title) => ['Erste', 'Zweite', 'Dritte'].includes(title));
    expect(made.toSorted()).toEqual(['Dritte', 'Erste', 'Zweite']);
    await close();
  });

  it('see which webhook one of them has changed, before the other one switches it', async () => {
    const form = { name: 'Buchung', url: 'http://127.0.0.1:9/', topics: ['event.created'], active: true };
    const { webhook } = await other.json<{ webhook: Webhook }>('POST', '/admin/webhooks', form, 201);
    const { page, close } = await open('/admin/verbindungen');
    const row = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem').filter({ hasText: 'Buchung' });
    await row.getByText(form.url).waitFor();
    const moved = { ...form, url: 'http://127.0.0.1:9/neu' };
    await other.json('PUT', `/admin/webhooks/${webhook.id}`, moved, 200);
    await row.getByRole('button', { name: 'Ausschalten' }).click();
    await row.getByText('Jemand anders hat diesen Webhook inzwischen geändert. So ist er jetzt.').waitFor();
    await row.getByText(moved.url).waitFor();
    await row.getByRole('button', { name: 'Ausschalten' }).click();
    await row.getByText('(aus)').waitFor();
    const { webhooks } = await other.json<{ webhooks: Webhook[] }>('GET', '/admin/webhooks');
    expect(webhooks).toMatchObject([{ ...moved, active: false }]);
    await close();
  });

  it('see that what one of them removes is gone already, and no more of it', async () => {
    const made = await other.json<{ entry: { id: string } }>(
      'POST',
      '/admin/tokens',
      { name: 'Kasse am Tor', scopes: ['events:read'] },
      201,
    );
    const ida = await other.json<{ username: string }>('POST', '/admin/admins', { username: 'ida', role: 'assistant' }, 201);
    const { page, close } = await open('/admin/verbindungen');
    const token = page.getByRole('listitem').filter({ hasText: 'Kasse am Tor' });
    await token.getByRole('button', { name: 'widerrufen' }).click();
    await other.json('DELETE', `/admin/tokens/${made.entry.id}`, undefined, 204);
    await page.getByRole('dialog').getByRole('button', { name: 'Widerrufen' }).click();
    await token.waitFor({ state: 'detached' });
    await page.goto('/admin/zugang');
    const helper = page.getByRole('listitem').filter({ hasText: ida.username });
    await helper.getByRole('button', { name: 'entfernen' }).click();
    const { admins } = await other.json<{ admins: { id: string; username: string }[] }>('GET', '/admin/admins');
    await other.json('DELETE', `/admin/admins/${admins.find(({ username }) => username === ida.username)?.id}`, undefined, 204);
    await helper.getByRole('button', { name: 'Zugang endgültig entfernen' }).click();
    await helper.waitFor({ state: 'detached' });
    await close();
  });

  it('are told that the host has got another password, before a second one takes its place', async () => {
    const event = await createEvent(other, { title: 'Zwei Passwörter' });
    const { page, close } = await openEvent(event);
    await page.getByRole('button', { name: 'Passwort zurücksetzen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(event.code);
    const { new_password } = await other.json<{ new_password: string }>('PUT', `/admin/events/${event.id}/user/password`, {}, 200);
    await dialog.getByRole('button', { name: 'Passwort zurücksetzen' }).click();
    await dialog.getByText('Das Passwort dieses Gastgebers wurde inzwischen neu gesetzt.').waitFor();
    await createClient(server.url).json('POST', '/auth/user/login', { username: event.code, password: new_password }, 200);
    await dialog.getByRole('button', { name: 'Passwort zurücksetzen' }).click();
    await page.getByRole('button', { name: 'Zettel drucken' }).waitFor();
    await close();
  });

  it('are told that the host was invited, before a second link takes the place of the first', async () => {
    const event = await createEvent(other, { title: 'Zwei Einladungen' });
    const { page, close } = await openEvent(event);
    const invite = page.getByRole('button', { name: /^(Neu e|E)inladen$/ });
    await invite.waitFor();
    await other.json('POST', `/admin/events/${event.id}/invitation`, {}, 201);
    await invite.click();
    await page.getByText('Dieser Gastgeber wurde inzwischen schon eingeladen.').waitFor();
    await page.getByText('Einladung offen').waitFor();
    await invite.click();
    await page.getByRole('dialog').waitFor();
    await close();
  });

  it('keep what one of them typed for a mail server that the other one has set', async () => {
    const { page, close } = await open('/admin/einstellungen/mail');
    await page.getByLabel('Mailserver (SMTP)').fill('mail.alt.example');
    await page.getByLabel('Adresse des Absenders').fill('alt@zelt.example');
    const set = { host: 'mail.neu.example', port: 465, user: '', sender: 'neu@zelt.example', origin: 'https://fotos.zelt.example' };
    await other.json('PUT', '/admin/mail/server', set, 204);
    await comeBack(page, /\/admin\/mail$/);
    await page.getByRole('button', { name: 'Mailserver speichern' }).click();
    await page.getByText('Jemand anders hat den Mailserver inzwischen geändert.').waitFor();
    expect(await page.getByLabel('Mailserver (SMTP)').inputValue()).toBe('mail.alt.example');
    expect(await other.json('GET', '/admin/mail')).toMatchObject({ server: { host: set.host } });
    await page.getByRole('button', { name: 'Neuen Stand laden' }).click();
    await expect.poll(() => page.getByLabel('Mailserver (SMTP)').inputValue()).toBe(set.host);
    await close();
  });
});
