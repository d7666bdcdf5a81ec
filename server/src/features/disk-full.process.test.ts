import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errors } from '@feierbild/contract/errors.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../database/open.ts';
import { createDecoder } from '../images/create-decoder.ts';
import { createLog } from '../lib/log.ts';
import { canMount, mountSmallDisk } from '../testing/system.ts';
import { drawPhoto, openApp, type TestApp } from './testing.ts';

const FULL = { code: 'disk_full', error: errors.disk_full.text };

describe.skipIf(!canMount('a full disk under the database'))('with the disk of its database full, the service', () => {
  let app: TestApp;
  let disk: string;
  const filler = (): string => join(disk, 'filler');

  beforeEach(async () => {
    const mounted = await mountSmallDisk(4);
    disk = mounted.folder;
    const decoder = createDecoder({ processes: 1, log: createLog('silent') });
    const db = await openDatabase({ url: null, file: join(disk, 'feierbild.sqlite') }, { schema: 'migrate' });
    app = await openApp({ db, decoder });
    return async () => {
      await app.close();
      await decoder.close();
      await db.close();
      await mounted.unmount();
    };
  });

  /** Fills the disk to the last byte. */
  async function fill(): Promise<void> {
    await expect(writeFile(filler(), Buffer.alloc(8_000_000))).rejects.toMatchObject({ code: 'ENOSPC' });
  }
  const makeLink = (id: string, cookie: string): Promise<Response> => app.call('POST', `/api/photos/${id}/link`, { cookie });
  const photos = async (): Promise<number> => (await app.db.kysely.selectFrom('photos').select('id').execute()).length;

  it('refuses what it cannot keep with one German sentence, keeps what it has, and works again when there is room', async () => {
    const { id, code, cookie } = await app.event();
    const { photo } = await app.upload(code, await drawPhoto());
    // The preview is made when nothing else is to be done.
    await expect
      .poll(async () => (await app.db.kysely.selectFrom('photos').select('preview_size').execute())[0]?.preview_size)
      .toBeGreaterThan(0);
    const before = [await app.leftovers(), await app.row(id)];
    await fill();

    const refused = await app.upload(code, await drawPhoto());
    expect([refused.status, JSON.parse(refused.body)]).toEqual([507, FULL]);
    const link = await makeLink(photo.id, cookie);
    expect([link.status, await link.json()]).toEqual([507, FULL]);
    expect([await app.leftovers(), await app.row(id)]).toEqual(before);
    expect(await photos()).toBe(1);

    await rm(filler());
    expect((await app.upload(code, await drawPhoto())).status).toBe(201);
    expect((await makeLink(photo.id, cookie)).status).toBe(201);
    expect(await photos()).toBe(2);
  });
});
