import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '@feierbild/contract/receipt.ts';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openMailbox, type Mailbox } from '../server/src/features/mail/testing/mailbox.ts';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, hostOf, LONG_OVER, upload } from './support/api.ts';
import { DESKTOP, launchBrowser, openPage, PHONE } from './support/browser.ts';
import { cli } from './support/cli.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;

describe('the receipt of a deletion', () => {
  let server: TestServer;
  let browser: Browser;
  let mailbox: Mailbox;
  let mail: Record<string, string>;

  beforeAll(async () => {
    [browser, mailbox] = await Promise.all([launchBrowser(), openMailbox()]);
    mail = { SMTP_URL: `smtp://127.0.0.1:${mailbox.port}`, MAIL_FROM: 'Zeltverleih Süd <feier@zelt.example>' };
    server = await startServer((url) => ({ PUBLIC_URL: url, ...mail }));
  });
  afterAll(async () => {
    await server.dispose();
    await mailbox.close();
    await browser.close();
  });

  it('is promised on the dashboard, comes by mail once the last photo is gone, and is verified without us', async () => {
    const admin = await adminOf(server.url);
    const event = await createEvent(admin, { is_active: true });
    const device = await deviceOf(server.url);
    for (let n = 0; n < 3; n++)
      expect((await upload({ url: server.url, code: event.code, device, file: await drawPhoto(n, 90, 60) })).status).toBe(201);

    const host = await openPage(browser, server.url, DESKTOP);
    await takeOver(host.context, await hostOf(server.url, event), server.url);
    await host.page.goto(`/manage/${event.code}`);
    const promised = (await host.page.getByText(/\/loeschprotokoll\//).textContent()) ?? '';
    await host.context.close();
    const reader = await openPage(browser, server.url, PHONE);
    await reader.page.goto(promised);
    await reader.page.getByRole('heading', { name: 'Noch kein Löschprotokoll' }).waitFor();

    // The event's days move back until its photos are due. The run ends before the server looks for mails; a mail between its steps
    // would wait for minutes.
    const contact = { email: 'lena@example.org', name: 'Lena' };
    await admin.json('PUT', `/admin/events/${event.id}`, { title: event.title, ...LONG_OVER, host: contact, confirm_purge: true });
    await server.stop();
    expect((await cli(server, ['maintain'], [], { PUBLIC_URL: server.url, ...mail })).code).toBe(0);
    await server.restart();
    const letter = () => mailbox.arrived.find(({ text = '' }) => text.includes('/loeschprotokoll/'));
    await expect.poll(letter).toBeDefined();
    expect(letter()).toMatchObject({ envelope: ['lena@example.org'], text: expect.stringContaining('3 Fotos') });
    const link = /\S+\/loeschprotokoll\/\S+/.exec(letter()?.text ?? '')?.[0] ?? '';
    expect(link).toBe(promised);

    await reader.page.goto('about:blank');
    await reader.page.goto(link.replace('#', '%23'));
    await reader.page.getByRole('heading', { name: 'Löschprotokoll', exact: true }).waitFor();
    // The page restores the `#` in the address.
    expect(reader.page.url()).toBe(link);
    const key =
      (await reader.page
        .getByText(/^Öffentlicher Schlüssel/)
        .locator('code')
        .textContent()) ?? '';
    expect(await violationsOf(reader.page)).toEqual([]);
    const downloading = reader.page.waitForEvent('download');
    await reader.page.getByRole('button', { name: 'Als Datei speichern' }).click();
    // The folder holds only what a host has: the file and, below, the script.
    const folder = join(server.dataDir, 'of-the-host');
    mkdirSync(folder);
    const file = join(folder, 'receipt.json');
    await (await downloading).saveAs(file);
    const receipt = JSON.parse(readFileSync(file, 'utf8')) as Receipt;
    expect(receipt).toMatchObject({ event: event.code, deleted: { photos: 3, videos: 0 } });
    // Without the link, nobody learns anything.
    await reader.page.goto(`/loeschprotokoll/${event.code}`);
    await reader.page.getByRole('heading', { name: 'Im Link fehlt ein Teil' }).waitFor();
    await reader.page.getByLabel('Link oder Code').fill('x'.repeat(22));
    await reader.page.getByRole('button', { name: 'Weiter' }).click();
    await reader.page.getByRole('heading', { name: 'Kein Löschprotokoll' }).waitFor();
    await reader.context.close();

    // The operator's page saves the whole receipt that it has already loaded.
    const office = await openPage(browser, server.url, DESKTOP);
    await takeOver(office.context, await adminOf(server.url), server.url);
    await office.page.goto('/admin/datenschutz/loeschprotokolle');
    const kept = office.page.waitForEvent('download');
    await office.page.getByLabel(`Löschprotokoll von ${event.code} speichern`).click();
    expect((await kept).suggestedFilename()).toBe(`loeschprotokoll-${event.code}.json`);
    expect(JSON.parse(readFileSync(await (await kept).path(), 'utf8'))).toEqual(receipt);
    await office.context.close();

    const signature = Buffer.from(receipt.signature, 'base64');
    signature[40]! ^= 1;
    const flipped = join(folder, 'flipped.json');
    writeFileSync(flipped, JSON.stringify({ ...receipt, signature: signature.toString('base64') }));
    const own = await cli(server, ['receipt', 'verify', file]);
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(`Echt: Event ${event.code}, gelöscht mit 3 Fotos, 0 Videos`)]);
    expect((await cli(server, ['receipt', 'verify', file, '--key', key], [], { DATA_DIR: '/nowhere' })).code).toBe(0);
    expect(await cli(server, ['receipt', 'verify', flipped])).toMatchObject({ code: 1, stderr: expect.stringContaining('FALSCH') });
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{}');
    expect((await cli(server, ['receipt', 'verify', broken])).stderr).toContain('ist kein Löschprotokoll');

    if (python === null) return console.log('skipped: the script; no python3');
    writeFileSync(join(folder, 'verify_receipt.py'), await (await fetch(`${server.url}/verify_receipt.py`)).text());
    const verified = (name: string) => {
      const { status, stdout } = spawnSync(python, ['-I', 'verify_receipt.py', name, key], { cwd: folder, env: {}, encoding: 'utf8' });
      return { status, stdout };
    };
    expect(verified('receipt.json')).toEqual({ status: 0, stdout: expect.stringContaining(`event ${event.code}\nphotos 3\n`) });
    expect(verified('flipped.json')).toEqual({ status: 1, stdout: expect.stringContaining('FALSCH') });
  });
});
