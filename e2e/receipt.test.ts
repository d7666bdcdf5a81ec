import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Receipt } from '@feierbild/contract/receipt.ts';
import type { Browser } from 'playwright';
import { describe, expect, it } from 'vitest';
import { violationsOf } from './support/accessible.ts';
import { adminOf, createEvent, deviceOf, hostOf, LONG_OVER, upload } from './support/api.ts';
import { DESKTOP, openPage, PHONE } from './support/browser.ts';
import { cli } from './support/cli.ts';
import { takeOver } from './support/login.ts';
import { drawPhoto } from './support/photos.ts';
import type { TestServer } from './support/server.ts';
import { useServer } from './support/use-server.ts';

const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;

describe('the receipt of a deletion', () => {
  let server: TestServer;
  let browser: Browser;

  useServer((started) => void ({ server, browser } = started));

  it('is promised on the dashboard, kept by the link, and verified without us', async () => {
    const event = await createEvent(await adminOf(server.url), { ...LONG_OVER, is_active: true });
    const device = await deviceOf(server.url);
    for (let n = 0; n < 3; n++)
      expect((await upload({ url: server.url, code: event.code, device, file: await drawPhoto(n, 90, 60) })).status).toBe(201);

    const host = await openPage(browser, server.url, DESKTOP);
    await takeOver(host.context, await hostOf(server.url, event), server.url);
    await host.page.goto(`/manage/${event.code}`);
    const link = (await host.page.getByText(/\/loeschprotokoll\//).textContent()) ?? '';
    await host.context.close();

    const reader = await openPage(browser, server.url, PHONE);
    await reader.page.goto(link);
    await reader.page.getByRole('heading', { name: 'Noch kein Löschprotokoll' }).waitFor();
    expect((await cli(server, ['maintain'])).code).toBe(0);
    await reader.page.getByRole('button', { name: 'Erneut versuchen' }).click();
    await reader.page.getByRole('heading', { name: 'Löschprotokoll', exact: true }).waitFor();
    const key =
      (await reader.page
        .getByText(/^Öffentlicher Schlüssel/)
        .locator('code')
        .textContent()) ?? '';
    expect(await violationsOf(reader.page)).toEqual([]);
    const downloading = reader.page.waitForEvent('download');
    await reader.page.getByRole('button', { name: 'Als Datei speichern' }).click();
    const file = join(server.dataDir, 'receipt.json');
    await (await downloading).saveAs(file);
    const receipt = JSON.parse(readFileSync(file, 'utf8')) as Receipt;
    expect(receipt).toMatchObject({ event: event.code, deleted: { photos: 3, videos: 0 } });
    // Whoever has not the link learns nothing.
    await reader.page.goto(`/loeschprotokoll/${event.code}`);
    await reader.page.getByRole('heading', { name: 'Kein Löschprotokoll' }).waitFor();
    await reader.context.close();

    const own = await cli(server, ['receipt', 'verify', file]);
    expect([own.code, own.stdout]).toEqual([0, expect.stringContaining(`Echt: Event ${event.code}, gelöscht mit 3 Fotos, 0 Videos`)]);
    expect((await cli(server, ['receipt', 'verify', file, '--key', key], [], { DATA_DIR: '/nowhere' })).code).toBe(0);
    const changed = join(server.dataDir, 'changed.json');
    writeFileSync(changed, JSON.stringify({ ...receipt, deleted: { ...receipt.deleted, photos: 4 } }));
    expect(await cli(server, ['receipt', 'verify', changed])).toMatchObject({ code: 1, stderr: expect.stringContaining('FALSCH') });
    expect((await cli(server, ['receipt', 'verify', changed, '--key', key])).code).toBe(1);
    writeFileSync(changed, '{}');
    expect((await cli(server, ['receipt', 'verify', changed])).stderr).toContain('ist kein Löschprotokoll');

    if (python === null) return console.log('skipped: the script; no python3');
    const script = join(server.dataDir, 'verify_receipt.py');
    writeFileSync(script, await (await fetch(`${server.url}/verify_receipt.py`)).text());
    expect(spawnSync(python ?? '', ['-I', script, file, key]).status).toBe(0);
  });
});
