import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../../../database/testing.ts';
import { createQuickVault } from '../../../vault/testing/quick-vault.ts';
import { openPortless, type PortlessApp } from '../../testing.ts';
import { createOpenUploadStore, type OpenUploadStore } from './open-uploads.store.ts';
import { uploadHash } from './resumable.ts';
import { openUpload } from './testing.ts';

it('an upload is found by its key and its device together', () => {
  const vault = createQuickVault();
  const hashes = [
    uploadHash(vault, 'a key', 'a device'),
    uploadHash(vault, 'a key', 'another device'),
    uploadHash(vault, 'another key', 'a device'),
  ].map((hash) => Buffer.from(hash).toString('hex'));
  expect(new Set(hashes).size).toBe(3);
});

describe.each(engines())('an open upload on $name', (engine) => {
  let app: PortlessApp;
  let store: OpenUploadStore;
  let eventId: string;
  beforeEach(async () => {
    app = await openPortless({ db: await engine.open() });
    store = createOpenUploadStore(app.db);
    eventId = (await app.event()).id;
  });
  afterEach(() => app.close());
  afterAll(() => engine.dispose());

  it('takes a part of the sender who took it over last, and of none before', async () => {
    const { id, version: older, expires_at } = await openUpload(app, eventId);
    const newer = (await store.claim(id, 0, expires_at)) as number;
    expect(await store.addPart(id, { n: older, size: 10, instead: null }, expires_at)).toBeUndefined();
    expect(await store.parts(id)).toEqual([]);
    expect(await store.addPart(id, { n: newer, size: 10, instead: null }, expires_at)).toBe(newer + 1);
    expect(await store.parts(id)).toEqual([{ n: newer, size: 10 }]);
  });

  it('is taken over where it stands, and nowhere else', async () => {
    const { id, version, expires_at } = await openUpload(app, eventId);
    await store.addPart(id, { n: version, size: 10, instead: null }, expires_at);
    expect([await store.claim(id, 0, expires_at), await store.claim(id, 11, expires_at)]).toEqual([undefined, undefined]);
    expect(await store.claim(id, 10, expires_at)).toBe(version + 2);
  });

  it('goes when nobody has fed it for its time, with its key', async () => {
    const { id, expires_at } = await openUpload(app, eventId);
    expect(await store.remove([id], expires_at - 1)).toEqual([]);
    expect(await store.wrappedKey(id)).toBeDefined();
    await store.remove([id], expires_at);
    expect(await store.wrappedKey(id)).toBeUndefined();
  });

  it('is not begun for an event that is being purged', async () => {
    await app.db.kysely.updateTable('events').set({ purging_at: 1 }).where('id', '=', eventId).execute();
    await expect(openUpload(app, eventId)).rejects.toThrow('not added');
  });
});
