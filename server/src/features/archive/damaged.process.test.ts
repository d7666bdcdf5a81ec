import { mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { PhotoState } from '@feierbild/contract/photo-states.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { canDamageDisk, damage, damageDisk } from '../../testing/bad-disk.ts';
import { drawPhoto, newDevice, openApp, type TestApp } from '../testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { isUnsaved, noteDamaged, SAVED_BY } from './archive.ts';
import { createArchiveStore } from './archive.store.ts';
import { centralEntries } from './testing/read-zip.ts';

const all = enginesForRules();
const onDamagedDisk = canDamageDisk('a damaged file system');
const decoder = useDecoder(all);
const TEXT = 'Fest/Beschädigte Fotos.txt';

describe.each(all)('a damaged original on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let ids: string[];
  const files = new Map<string, Buffer>();

  const asHost = <T>(method: string, path: string, body?: unknown): Promise<T> => app.json<T>(method, path, { cookie: event.cookie }, body);
  const add = async (): Promise<string> => {
    const file = await drawPhoto({ width: 400, height: 300 });
    const { id } = (await app.upload(event.code, new File([Buffer.from(file)], `IMG_${ids.length}.jpg`))).photo;
    files.set(id, file);
    ids.push(id);
    return id;
  };
  /** Has the photo's preview made. */
  const preview = async (id: string): Promise<void> => {
    const answer = await app.call('GET', `/api/photos/${id}/preview`, { cookie: event.cookie });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
  };
  const forgetPreview = async (id: string): Promise<void> => {
    await preview(id);
    await app.db.kysely.updateTable('photos').set({ preview_size: null, preview_type: null }).where('id', '=', id).execute();
  };
  const pathOf = (id: string): string => join(app.config.dataDir, 'photos', photoBlob(event.id, id, 'original'));
  const flip = (id: string): void => {
    const bytes = readFileSync(pathOf(id));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(pathOf(id), bytes);
  };
  const progress = () => asHost<Record<string, unknown>>('GET', `/api/events/${event.code}/zip-progress`);
  const make = async (wish: { previews?: boolean } = {}) => {
    await asHost('POST', `/api/events/${event.code}/create-zip`, wish);
    await expect.poll(async () => (await progress()).status).not.toBe('processing');
    return progress();
  };
  /** Downloads a ZIP whole; returns its entries' contents by name, each of which has its CRC. */
  const download = async (path = `/api/events/${event.code}/download`): Promise<Map<string, Buffer>> => {
    const answer = await app.call('GET', path, { cookie: event.cookie });
    expect(answer.status).toBe(200);
    const zip = Buffer.from(await answer.arrayBuffer());
    const contents = new Map<string, Buffer>();
    for (const { name, offset, size, crc } of centralEntries(zip, 0)) {
      const at = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
      contents.set(name, zip.subarray(at, at + size));
      expect(crc32(zip.subarray(at, at + size))).toBe(crc);
    }
    return contents;
  };
  const namesIn = (contents: Map<string, Buffer>): string[] => [...contents.keys()].map((name) => name.replace(/\d{4}-\d\d-\d\d/, 'TAG'));
  const saved = async () => {
    const row = await app.db.kysely.selectFrom('events').select(SAVED_BY).where('id', '=', event.id).executeTakeFirstOrThrow();
    return { downloaded: row.zip_downloaded_at !== null, unsaved: isUnsaved(row) };
  };

  beforeEach(async () => {
    app = await openApp({ db: await engine.open(), decoder });
    event = await app.event({ title: 'Fest' });
    ids = [];
    for (let n = 0; n < 3; n++) await add();
  });
  afterEach(() => app.close());

  it('that is cut, or that the disk does not give, leaves the ZIP all others, its preview and its name, and is not called saved', async () => {
    const [cut, bad] = ids as [string, string];
    await preview(cut);
    await forgetPreview(bad);
    const whole = readFileSync(pathOf(cut));
    const lost = readFileSync(pathOf(bad));
    truncateSync(pathOf(cut), whole.length - 1);
    damage(pathOf(bad));
    expect(await make()).toMatchObject({ status: 'complete', photos: 1, new_photos: 0, damaged: 2, unreadable: 0 });
    const zip = await download();
    expect(namesIn(zip)).toEqual(['Fest/nur-vorschau/Anonym – IMG_0 (Vorschau).jpg', 'Fest/TAG/Anonym – IMG_2.jpg', TEXT]);
    expect([...zip.values()][1]?.equals(files.get(ids[2]!)!)).toBe(true);
    const text = zip.get(TEXT)!.toString();
    expect(text).toMatch(
      /\r\n\r\nFest\/.*\/Anonym – IMG_0\.jpg\r\n {4}Vorschau: Fest\/nur-vorschau\/.*\r\nFest\/.*\/Anonym – IMG_1\.jpg\r\n$/,
    );
    await expect.poll(saved).toEqual({ downloaded: true, unsaved: true });
    writeFileSync(pathOf(cut), whole);
    rmSync(pathOf(bad), { recursive: true });
    writeFileSync(pathOf(bad), lost);
    expect(await make()).toMatchObject({ status: 'complete', photos: 3, damaged: 0 });
    expect(namesIn(await download())).toHaveLength(3);
    await expect.poll(saved).toEqual({ downloaded: true, unsaved: false });
  });

  it('that a download meets ends that once; the next ZIP is made without it, and without all that are like it', async () => {
    const [first, second] = ids as [string, string];
    for (const id of [first, second]) await preview(id);
    expect(await make()).toMatchObject({ status: 'complete', photos: 3, damaged: 0 });
    for (const id of [first, second]) flip(id);
    await expect(download()).rejects.toThrow();
    await expect.poll(progress).toMatchObject({ status: 'failed', damaged: 1 });
    const again = await app.call('GET', `/api/events/${event.code}/download`, { cookie: event.cookie });
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([409, 'archive_not_ready']);
    expect(await make()).toMatchObject({ status: 'complete', photos: 1, damaged: 2, new_photos: 0 });
    expect(namesIn(await download())).toEqual([
      ...[0, 1].map((n) => `Fest/nur-vorschau/Anonym – IMG_${n} (Vorschau).jpg`),
      'Fest/TAG/Anonym – IMG_2.jpg',
      TEXT,
    ]);
    await add();
    expect(await progress()).toMatchObject({ status: 'complete', new_photos: 1 });
    // A photo that is deleted is in no text either.
    expect((await app.call('DELETE', `/api/photos/${first}`, { cookie: event.cookie })).status).toBe(204);
    expect(await progress()).toMatchObject({ status: 'idle', damaged: 0 });
  });

  it.each(['unreadable', 'announced'] as const)(
    'hides no photo that came since the ZIP, nor does the lost preview of one that is %s',
    async (state) => {
      const [lost, cut] = ids as [string, string];
      const become = (now: PhotoState) => app.db.kysely.updateTable('photos').set({ state: now }).where('id', '=', lost).execute();
      for (const id of [lost, cut]) await forgetPreview(id);
      await become(state);
      truncateSync(pathOf(cut), 1);
      expect(await make({ previews: true })).toMatchObject({ status: 'complete', photos: 1, new_photos: 0, damaged: 1 });
      await add();
      expect(await progress()).toMatchObject({ new_photos: 1, damaged: 1 });
      // The ZIP lacks an original that came at last.
      await become('stored');
      expect(await progress()).toMatchObject({ new_photos: 2, damaged: 1 });
    },
  );

  it('keeps no selection from the others: one that meets it breaks off once', async () => {
    const [bad] = ids as [string];
    await preview(bad);
    const choose = async (): Promise<string> =>
      (await asHost<{ download_url: string }>('POST', `/api/events/${event.code}/selections`, { photos: ids })).download_url;
    flip(bad);
    const path = await choose();
    await expect(download(path)).rejects.toThrow();
    await expect.poll(progress).toMatchObject({ damaged: 1 });
    const names = ['Fest/nur-vorschau/Anonym – IMG_0 (Vorschau).jpg', ...[1, 2].map((n) => `Fest/TAG/Anonym – IMG_${n}.jpg`), TEXT];
    expect(namesIn(await download(await choose()))).toEqual(names);
    expect(await make()).toMatchObject({ status: 'complete', damaged: 1, photos: 2 });
    expect(namesIn(await download())).toEqual(names);
    expect(namesIn(await download(await choose()))).toEqual(names);
  });

  it('is put back where its guest sends the same file again', async () => {
    const device = newDevice();
    const file = await drawPhoto({ width: 400, height: 300 });
    const send = () => app.upload(event.code, new File([Buffer.from(file)], 'IMG_9.jpg'), { device });
    flip((await send()).photo.id);
    expect(await make()).toMatchObject({ status: 'complete', photos: 4 });
    await expect(download()).rejects.toThrow();
    await expect.poll(progress).toMatchObject({ status: 'failed', damaged: 1 });
    expect((await send()).status).toBe(200);
    expect(await make()).toMatchObject({ status: 'complete', photos: 4, damaged: 0 });
    expect((await download()).size).toBe(4);
  });

  it.skipIf(!onDamagedDisk)('that the disk does not list with its folder’s uploads leaves the ZIP all others', async () => {
    const [bad] = ids as [string];
    await forgetPreview(bad);
    const uploads = join(dirname(pathOf(bad)), 'uploads');
    mkdirSync(uploads, { recursive: true });
    const mend = damageDisk(dirname(uploads), [basename(pathOf(bad)), 'uploads']);
    try {
      expect(await make()).toMatchObject({ status: 'complete', photos: 2, damaged: 1 });
    } finally {
      mend();
    }
  });

  it('that was deleted while it was on its way is not called damaged', async () => {
    const [gone] = ids as [string];
    expect((await app.call('DELETE', `/api/photos/${gone}`, { cookie: event.cookie })).status).toBe(204);
    await noteDamaged(createArchiveStore({ db: app.db, vault: app.vault }), event.id, gone);
    expect(await progress()).toMatchObject({ status: 'idle', damaged: 0 });
  });

  it('makes no ZIP where nothing else is left', async () => {
    for (const id of ids) {
      await forgetPreview(id);
      damage(pathOf(id));
    }
    expect(await make()).toMatchObject({ status: 'failed', photos: null });
  });
});
