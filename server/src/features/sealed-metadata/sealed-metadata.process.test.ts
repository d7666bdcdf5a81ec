import { existsSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Photo } from '@feierbild/contract/entities.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { enginesForRules } from '../../database/testing.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { addEvent, drawPhoto, newDevice, openApp } from '../testing.ts';
import { createSealedMetadata, type DescribedForEvent } from './sealed-metadata.ts';
import { useDecoder } from '../testing/use-decoder.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

const NAME = 'Ägidius Quittenmus';
const FILE = 'Überraschungsgänseblümchen.jpg';
const TAKEN = '2011-03-14T15:09:26';

/** Each text in plain, percent-encoded, in JSON's escapes, and as hex and Base64, as dumps write it. */
const SOUGHT = [NAME, FILE, FILE.slice(0, -4), TAKEN, '2011:03:14 15:09:26'].flatMap((text) => {
  const escaped = text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const hex = Buffer.from(text).toString('hex');
  return [text, encodeURIComponent(text), escaped, hex, Buffer.from(text).toString('base64').slice(0, -4)];
});

describe.each(all)('what people write about photos on $name', (engine) => {
  it('is shown to host and guest, and is nowhere in the stored bytes', async () => {
    const db = await engine.open();
    const app = await openApp({ db, decoder });
    const event = await app.event();
    const [host, guest] = [{ cookie: event.cookie }, { 'device-id': newDevice() }];
    const withTime = sharp(await drawPhoto()).withExif({ IFD2: { DateTimeOriginal: '2011:03:14 15:09:26' } });
    const file = new File([new Uint8Array(await withTime.jpeg().toBuffer())], FILE);
    const send = () => app.upload(event.code, file, { device: guest['device-id'], headers: { 'device-name': encodeURIComponent(NAME) } });
    const shown = { filename: FILE, taken_at: TAKEN, device: { name: NAME } };

    const { status, photo } = await send();
    expect([status, photo]).toEqual([201, expect.objectContaining(shown)]);
    expect(await send()).toMatchObject({ status: 200, photo: { id: photo.id, ...shown } });
    const list = async (path: string, headers: Record<string, string>) => {
      return (await app.json<{ photos: Photo[] }>('GET', `/api/events/${event.code}/${path}`, headers)).photos;
    };
    // The second list knows the guest's key already.
    for (const path of ['photos', 'photos', 'photos?after=0', 'slideshow']) expect(await list(path, host)).toMatchObject([shown]);
    expect(await list('my-photos', guest)).toMatchObject([shown]);
    for (const headers of [host, guest]) {
      const answer = await app.call('GET', photo.original_url, headers);
      expect(answer.headers.get('content-disposition')).toContain(encodeURIComponent(FILE));
      await answer.arrayBuffer();
    }
    await app.archive.create(event.id, () => event.privateKey);
    await expect.poll(() => app.archive.status(event.id)).toMatchObject({ status: 'complete' });
    const zip = await app.archive.open(event.id, () => event.privateKey);
    const bytes = Buffer.concat(await Array.fromAsync(zip.read({ start: 0, end: zip.size })));
    for (const text of [NAME, FILE.slice(0, -4)]) expect(bytes.includes(text)).toBe(true);

    await expect.poll(async () => (await app.leftovers()).blobs).toHaveLength(3);
    const { blobs } = await app.leftovers();
    const stored = Buffer.concat([await databaseBytes(), ...(await Promise.all(blobs.map(blobBytes))).flat()]);
    expect(stored.includes(photo.id)).toBe(true);
    expect(SOUGHT.filter((text) => stored.includes(text))).toEqual([]);
    await app.close();

    async function blobBytes(key: string): Promise<Uint8Array[]> {
      return Array.fromAsync(app.blobs.read(key));
    }

    /** Reads SQLite's files, or every row of every table of PostgreSQL as text (bytes are in hex there). */
    async function databaseBytes(): Promise<Buffer> {
      if (engine.name === 'sqlite') {
        const { rows } = await sql<{ file: string }>`pragma database_list`.execute(db.kysely);
        const path = rows[0]?.file as string;
        return Buffer.concat([path, `${path}-wal`].filter((name) => existsSync(name)).map((name) => readFileSync(name)));
      }
      const tables = await db.kysely.introspection.getTables();
      const dumps = await Promise.all(tables.map(({ name }) => sql`select t::text as row from ${sql.table(name)} t`.execute(db.kysely)));
      return Buffer.from(JSON.stringify(dumps.map(({ rows }) => rows)));
    }
  });
});

describe('sealedMetadata', () => {
  const vault = createQuickVault();
  const keys = vault.createKeyPair();
  const row = (photo: number, device: string, eventId = 'event-1'): DescribedForEvent => {
    const [id, deviceHash] = [`photo-${photo}`, vault.lookupHash(device, 'device')];
    const key = vault.guestKey(device, eventId);
    const description = { deviceName: device, filename: `${photo}.jpg`, takenAt: null };
    return {
      id,
      event_id: eventId,
      device_hash: deviceHash,
      description: vault.sealDescription(key, description, { eventId, photoId: id }),
      sealed_guest_key: vault.sealGuestKey(keys.publicKey, key, { eventId, deviceHash }),
    };
  };
  const watched = (limit?: number) => {
    const [opened, lines]: [string[], unknown[]] = [[], []];
    const openGuestKey: typeof vault.openGuestKey = (...args) => {
      const key = vault.openGuestKey(...args);
      opened.push(Buffer.from(args[2].deviceHash).toString('hex'));
      return key;
    };
    const log = { error: (line: unknown) => void lines.push(line) };
    const sealedMetadata = createSealedMetadata({ vault: { ...vault, openGuestKey }, log, ...(limit && { keys: limit }) });
    return { sealedMetadata, opened, lines };
  };

  it('need one key agreement for each guest, until an event is forgotten, and keep so many keys at most', () => {
    const { sealedMetadata, opened } = watched(2);
    const read = (...devices: string[]) =>
      devices.map((device, n) => sealedMetadata.byEventKey(() => keys.privateKey)(row(n, device)).deviceName);
    expect(read('Anna', 'Jörg', 'Anna', 'Jörg', 'Anna')).toEqual(['Anna', 'Jörg', 'Anna', 'Jörg', 'Anna']);
    expect(opened).toHaveLength(2);
    // Jörg's key was the least recently used.
    read('Lena', 'Anna');
    expect(opened).toHaveLength(3);
    read('Jörg');
    expect(opened).toHaveLength(4);
    sealedMetadata.forget('event-1');
    read('Jörg');
    expect(opened).toHaveLength(5);
  });

  it('are forgotten where another node has purged their event', async () => {
    const db = await (all[0] as (typeof all)[0]).open();
    const { id } = await addEvent({ db, vault }, { created_at: 0 });
    const { sealedMetadata, opened } = watched();
    const read = () => sealedMetadata.byEventKey(() => keys.privateKey)(row(1, 'Anna', id)).deviceName;
    read();
    await sealedMetadata.forgetPurged(db.kysely);
    read();
    expect(opened).toHaveLength(1);
    await db.kysely.updateTable('events').set({ purging_at: 1 }).execute();
    await sealedMetadata.forgetPurged(db.kysely);
    read();
    expect(opened).toHaveLength(2);
  });

  it('that don’t open leave the photo without a name, and are logged once', () => {
    const { sealedMetadata, lines } = watched();
    const describe = sealedMetadata.byEventKey(() => keys.privateKey);
    const nameless = { deviceName: 'Anonym', filename: 'foto.jpg', takenAt: null };
    expect(describe({ ...row(1, 'Anna'), description: row(2, 'Anna').description })).toEqual(nameless);
    expect(describe({ ...row(1, 'Jörg'), sealed_guest_key: null })).toEqual(nameless);
    expect(describe({ ...row(1, 'Lena'), sealed_guest_key: row(1, 'Anna').sealed_guest_key })).toEqual(nameless);
    expect(lines).toHaveLength(1);
    expect(describe(row(1, 'Anna')).deviceName).toBe('Anna');
  });
});
