import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, upload, type Client } from './support/api.ts';
import { DESKTOP, openPage } from './support/browser.ts';
import { cli } from './support/cli.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const BUSINESS = {
  identity: { brand: 'Zelt Süd', owner: 'Max Muster', street: 'Am Platz 1', zip: '80331', city: 'München' },
  contact: { email: 'feier@zelt.example' },
};

/** An empty folder as PATH, for a system without bubblewrap, as on an operator's first server. */
const EMPTY = mkdtempSync(join(tmpdir(), 'feierbild-no-programs-'));

describe('an installation as it ships, on a system without a sandbox', () => {
  let server: TestServer;
  let browser: Browser;
  let admin: Client;

  useServer((started) => void ({ server, browser } = started), { PATH: EMPTY, DEMO: '' });
  beforeAll(async () => {
    admin = await adminOf(server.url);
    return () => rmSync(EMPTY, { recursive: true });
  });

  async function opened(path: string) {
    const { page, context } = await openPage(browser, server.url, DESKTOP);
    await takeOver(context, admin, server.url);
    await page.goto(path);
    return { page, context };
  }

  it('tells its operator why decoders run without a sandbox, and what helps', async () => {
    type Status = { isolation_fault: { cause: string; remedy: string } | null };
    const { isolation_fault: fault } = await admin.json<Status>('GET', '/admin/status');
    expect(fault?.remedy).toContain('apt-get install bubblewrap');
    const { page, context } = await opened('/admin?suche=');
    await page.getByText(`Der Bild-Decoder ist nicht isoliert. Der Grund: ${fault?.cause}. ${fault?.remedy}.`, { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it('names the demo that runs because nobody has chosen, among what is open', async () => {
    const { page, context } = await opened('/admin?suche=');
    await page.getByRole('button', { name: 'Später' }).click();
    await page.getByText('Noch offen:').click();
    expect(await page.locator('summary', { hasText: 'Noch offen:' }).innerText()).toContain('Demo');
    await page.getByText(/DEMO=off/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await context.close();
  });

  it('says of the last backup how many files it lacks, and what helps, until one has them all', async () => {
    const event = await createEvent(admin);
    const sent = { url: server.url, code: event.code, device: await deviceOf(server.url), file: await drawPhoto(1, 300, 200) };
    const { photo } = (await (await upload(sent)).json()) as { photo: { id: string } };
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-backup-'));
    const backUp = async () => (await cli(server, ['backup', folder])).code;
    await rm(join(server.dataDir, 'photos/events', event.id, `${photo.id}.original`));
    expect(await backUp()).toBe(1);
    const { page, context } = await opened('/admin?suche=');
    const notice = page.getByText(/^Der letzten Sicherung fehlt eine Datei, die der Fotospeicher nicht hergibt\. .* um sein Foto\.$/);
    await notice.waitFor();
    await page.getByText(/Letzte Sicherung: .*, ohne 1 Datei\./).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect((await upload(sent)).status).toBe(200);
    expect(await backUp()).toBe(0);
    await page.reload();
    await page.getByText(/Letzte Sicherung: [^,]*\./).waitFor();
    expect(await notice.count()).toBe(0);
    await context.close();
    await rm(folder, { recursive: true });
  });

  it('warns before slips with a business that does not exist are printed, and cards name none; then both are the operator’s', async () => {
    const event = await createEvent(admin);
    const site = async () => (await admin.json<{ business: { identity: { brand: string } } }>('GET', '/api/site')).business.identity.brand;
    const shipped = await site();
    const slips = await opened(`/admin/zettel?events=${event.id}`);
    const slip = slips.page.locator('[data-slip]');
    await slip.getByText(shipped).first().waitFor();
    const warning = slips.page.getByText(`Auf den Zetteln steht der Beispielbetrieb „${shipped}“, den es nicht gibt.`);
    await warning.waitFor();
    expect(await violationsOf(slips.page)).toEqual([]);
    // The warning is not printed.
    await slips.page.emulateMedia({ media: 'print' });
    expect(await warning.isVisible()).toBe(false);
    const cards = await opened(`/admin/karten?events=${event.id}`);
    const card = cards.page.locator('[data-card]').first();
    await card.getByRole('heading', { name: event.title }).waitFor();
    expect(await card.innerText()).not.toContain(shipped);

    await admin.json('PUT', '/admin/settings/business', { version: 0, value: BUSINESS }, 200);
    await expect.poll(site).toBe(BUSINESS.identity.brand);
    await slips.page.emulateMedia({ media: 'screen' });
    await slips.page.reload();
    await slip.getByText(BUSINESS.identity.brand).first().waitFor();
    expect(await slips.page.getByText('Beispielbetrieb').count()).toBe(0);
    for (const { context } of [slips, cards]) await context.close();
  });
});
