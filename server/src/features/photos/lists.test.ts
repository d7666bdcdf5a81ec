import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordChange } from '../../database/changes.ts';
import { enginesForRules } from '../../database/testing.ts';
import { NOBODY, type Visitor } from '../../http/visitor.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { createParty, type Party } from '../archive/testing/party.ts';
import { newDevice, openPortless, type PortlessApp } from '../testing.ts';

describe.each(enginesForRules())('lists of photos on $name', (engine) => {
  let app: PortlessApp;
  let party: Party;
  let host: Visitor;
  /** Runs before the store tells the size of a blob. */
  let sizing: ((key: string) => Promise<void>) | undefined;
  /** Queries of events' ZIPs. */
  let zipReads = 0;
  beforeEach(async () => {
    sizing = undefined;
    const wrapStore = (store: BlobStore): BlobStore => ({
      ...store,
      async size(key) {
        await sizing?.(key);
        return store.size(key);
      },
    });
    const db = await engine.open();
    const watched = db.kysely.withPlugin({
      transformQuery({ node }) {
        if (JSON.stringify(node).includes('"archives"')) zipReads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    app = await openPortless({ db: { ...db, kysely: watched }, wrapStore });
    party = await createParty(app, 'Fest');
    const { eventId, keys } = party;
    const session = { sessionId: 's', eventId, eventCode: party.code, openEventKey: () => keys.privateKey };
    host = { ...NOBODY, host: session, deviceId: newDevice(), address: '192.0.2.1' };
  });
  afterEach(() => app.close());
  afterAll(() => engine.dispose());

  const set = (changes: object) => app.db.kysely.updateTable('events').set(changes).where('id', '=', party.eventId).execute();
  const listed = async (by = host) => {
    const { photos } = await app.photos.page(await app.row(party.eventId), by, { page: 1, per_page: 9, sort: 'newest' });
    return photos.map(({ id }) => id);
  };

  it('of the slideshow are without their guests’ names where the host switched those off, in each form of the list', async () => {
    const id = await party.add(randomBytes(9), { deviceName: 'Sofia' });
    await app.db.transaction((trx) => recordChange(trx, party.eventId, 'came', id));
    for (const with_slideshow_names of [1, 0]) {
      await set({ with_slideshow_names });
      for (const form of [{}, { after: 0 }, { seq: 0 }]) {
        const { photos } = await app.photos.slideshow(await app.row(party.eventId), host, { per_page: 3, ...form });
        expect(photos?.map((photo) => [photo.id, photo.device.name])).toEqual([[id, with_slideshow_names ? 'Sofia' : '']]);
      }
    }
    // The host still sees the names in the gallery.
    const { photos } = await app.photos.page(await app.row(party.eventId), host, { page: 1, per_page: 9, sort: 'newest' });
    expect(photos[0]?.device.name).toBe('Sofia');
  });

  it('of the slideshow tell a wall neither the names of files nor times of capture', async () => {
    await party.add(randomBytes(9), { filename: 'geheim.jpg', takenAt: '2026-05-17T21:04:00' });
    const wall: Visitor = { ...host, host: null, projector: host.host };
    const { photos } = await app.photos.slideshow(await app.row(party.eventId), wall, { per_page: 3 });
    expect(photos).toMatchObject([{ filename: '', taken_at: null, device: { name: 'Anna' } }]);
  });

  it('of known photos share the looks into the store: those of one event keep places for another one', async () => {
    const other = await createParty(app, 'Anderes Fest');
    const ask = async ({ eventId }: Party, deviceId: string) => {
      const [row] = await app.db.kysely.selectFrom('photos').select('fingerprint').where('event_id', '=', eventId).execute();
      const fingerprints = [Buffer.from(row!.fingerprint).toString('base64url')];
      return app.photos.known(eventId, { ...NOBODY, deviceId, address: '192.0.2.1' }, fingerprints);
    };
    const [guest, stranger] = [newDevice(), newDevice()];
    const [own, others] = [await party.add(randomBytes(9), { deviceId: guest }), await other.add(randomBytes(9), { deviceId: stranger })];
    const held = Promise.withResolvers<void>();
    const arrived: string[] = [];
    sizing = async (key) => {
      arrived.push(key.includes(others) ? 'other' : 'own');
      if (arrived.includes('other') || arrived.length === 16) held.resolve();
      await held.promise;
    };
    const many = Promise.all(Array.from({ length: 40 }, () => ask(party, guest)));
    await expect.poll(() => arrived.length).toBeGreaterThanOrEqual(10);
    expect((await ask(other, stranger)).map(({ photo }) => photo.id)).toEqual([others]);
    expect(arrived.indexOf('other')).toBeLessThan(16);
    expect((await many).flat().map(({ photo }) => photo.id)).toEqual(Array(40).fill(own));
  });

  it('of known photos do not read the event’s ZIP where none is known', async () => {
    const deviceId = newDevice();
    await party.add(randomBytes(9), { deviceId });
    const [row] = await app.db.kysely.selectFrom('photos').select('fingerprint').where('event_id', '=', party.eventId).execute();
    const ask = async (fingerprint: Uint8Array) => {
      zipReads = 0;
      const asked = [Buffer.from(fingerprint).toString('base64url')];
      const known = await app.photos.known(party.eventId, { ...NOBODY, deviceId, address: '192.0.2.1' }, asked);
      return [known.length, zipReads];
    };
    expect(await ask(randomBytes(32))).toEqual([0, 0]);
    expect(await ask(row!.fingerprint)).toEqual([1, 1]);
  });

  it('of the demo have its samples, and what this device sent, and nothing of other visitors', async () => {
    const [sample, own, other] = [
      await party.add(randomBytes(9)),
      await party.add(randomBytes(9), { deviceId: host.deviceId as string }),
      await party.add(randomBytes(9)),
    ];
    await app.db.kysely.updateTable('photos').set({ sample: 1 }).where('id', '=', sample).execute();
    expect((await listed()).toSorted()).toEqual([sample, own, other].toSorted());
    await set({ demo: 1 });
    expect((await listed()).toSorted()).toEqual([sample, own].toSorted());
    expect(await listed({ ...host, deviceId: null })).toEqual([sample]);
  });
});
