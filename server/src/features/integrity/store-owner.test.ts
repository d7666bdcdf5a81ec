import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { OWNER_BLOB, photoBlob } from '../../storage/blob-store.ts';
import { createParty } from '../archive/testing/party.ts';
import { openPortless, type PortlessApp } from '../testing.ts';
import { createIntegrity } from './integrity.ts';
import { createJanitor } from './janitor.ts';
import { createStoreOwner, OthersStore } from './store-owner.ts';

describe.each(engines())('a photo store with a database on $name', (engine) => {
  let db: Db;
  let app: PortlessApp;
  afterAll(() => engine.dispose());
  beforeEach(async () => {
    db = await engine.open();
    app = await openPortless({ db });
  });
  afterEach(() => app.close());

  const stored = async () => (await app.leftovers()).blobs;
  /** The same store beside another, empty database. */
  const otherDb = () => engine.open();
  const addPhoto = async () => (await createParty(app, 'Fest')).add(Buffer.from('sealed'));

  it('belongs to the first one, and loses nothing to a sweep by another', async () => {
    await app.storeOwner.claim();
    await addPhoto();
    const before = await stored();
    expect(before).toHaveLength(2);
    const other = await otherDb();
    await expect(createStoreOwner({ db: other, blobs: app.blobs }).claim()).rejects.toThrow(OthersStore);
    const janitor = createJanitor({ db: other, blobs: app.blobs, clock: { now: () => Date.now() } });
    await expect(janitor.sweep({ graceMs: 0 })).rejects.toThrow('Im Fotospeicher liegen die Fotos eines anderen Feierbild');
    expect(await stored()).toEqual(before);
    // Its own database goes on, and counts the mark neither as a photo nor as a finding.
    await app.storeOwner.claim();
    expect(await app.janitor.sweep({ graceMs: 0 })).toBe(0);
    const { blobs, findings } = await createIntegrity({ ...app, graceMs: 0 }).check();
    expect([blobs, findings.map(({ subject }) => subject)]).toEqual([1, expect.not.arrayContaining([OWNER_BLOB])]);
  });

  it('without photos belongs to whichever comes, also with the mark of another and with a folder that a deletion left', async () => {
    await app.storeOwner.claim();
    const eventId = uuidv7(Date.now());
    const left = photoBlob(eventId, uuidv7(Date.now()), 'original');
    await app.blobs.put(left, Buffer.from('sealed'));
    const other = createStoreOwner({ db: await otherDb(), blobs: app.blobs });
    await expect(other.claim()).rejects.toThrow(OthersStore);
    await app.blobs.remove(left);
    await other.claim();
    expect(await other.check()).toBe(true);
    await expect(app.storeOwner.refuseOthers()).rejects.toThrow(OthersStore);
  });

  it('of a version without marks belongs to the database that knows one of its events, and to no empty one', async () => {
    await addPhoto();
    const other = createStoreOwner({ db: await otherDb(), blobs: app.blobs });
    for (const call of [other.check, other.claim]) await expect(call()).rejects.toThrow(OthersStore);
    expect(await stored()).toHaveLength(1);
    await app.storeOwner.claim();
    expect(await stored()).toContain(OWNER_BLOB);
  });
});
