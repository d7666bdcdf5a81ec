import type { Gallery } from '@feierbild/contract/calls/gallery.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { CompiledQuery, type Compilable } from 'kysely';
import { enginesForRules } from '../../database/testing.ts';
import { photoBlob } from '../../storage/blob-store.ts';
import { Tampered, WrongSecret } from '../../vault/vault.ts';
import { deviceHash } from '../devices/devices.ts';
import { createGuestPhotoStore } from '../photos/guest-photos.store.ts';
import { openAccess } from '../photo-keys/photo-keys.ts';
import { createIntegrity } from '../integrity/integrity.ts';
import { createSealedMetadata } from '../sealed-metadata/sealed-metadata.ts';
import { newDevice, openApp, type Headers, type TestApp } from '../testing.ts';
import { createSealing } from './sealing.ts';
import { beforeEachGallery, galleryClient, ids, OPEN, tokenOf } from './testing.ts';
import { useDecoder } from '../testing/use-decoder.ts';
import { heldAnswer } from '../uploads/testing.ts';

const all = enginesForRules();
const decoder = useDecoder(all);

describe.each(all)('the guests’ gallery on $name', (engine) => {
  let app: TestApp;
  let event: Awaited<ReturnType<TestApp['event']>>;
  let host: Headers;
  let clock: { time: number; now(): number };
  beforeEachGallery(engine, decoder, (opened) => ({ app, event, host, clock } = opened));

  const { json, set, send, enter, list, flag, keysOf, drawn } = galleryClient(() => ({ app, event }));

  it('opens an event of many pieces, but for a photo whose key was changed', async () => {
    const { vault } = app;
    const { kysely } = app.db;
    const first = await send();
    const like = await kysely.selectFrom('photos').selectAll().where('id', '=', first.id).executeTakeFirstOrThrow();
    const keysLike = await kysely.selectFrom('photo_keys').selectAll().where('photo_id', '=', first.id).executeTakeFirstOrThrow();
    const { public_key } = await kysely.selectFrom('event_keys').select('public_key').executeTakeFirstOrThrow();
    const { secret } = await kysely.selectFrom('event_secrets').select('secret').executeTakeFirstOrThrow();
    const rows = Array.from({ length: 450 }, (_, n) => {
      const id = randomUUID();
      using key = vault.createPhotoKey();
      const sealed = vault.sealPhotoKey(public_key, key, { eventId: event.id, photoId: n === 210 ? first.id : id });
      const sealed_for_event = vault.coverKey(secret, sealed, { eventId: event.id, photoId: id, holder: 'event' });
      return {
        photo: { ...like, id, position: 1000 + n, fingerprint: randomBytes(32) },
        keys: { ...keysLike, photo_id: id, sealed_for_event },
      };
    });
    await kysely
      .insertInto('photos')
      .values(rows.map(({ photo }) => photo))
      .execute();
    await kysely
      .insertInto('photo_keys')
      .values(rows.map(({ keys }) => keys))
      .execute();
    const settings = await set(OPEN);
    const left = async () => (await json<Gallery>('GET', `/api/events/${event.code}/gallery`, host)).pending;
    // A photo whose key was changed does not count as pending.
    await expect.poll(left).toBe(0);
    const seen = new Set(await keysOf());
    expect(seen.size).toBe(450);
    const guest = await enter(settings);
    expect((await list(guest)).total).toBe(450);
    if (engine.name === 'postgres') expect(await mostLoops(30)).toBeLessThanOrEqual(30);
    await flag(first, false);
    expect((await list(guest)).total).toBe(449);
  });

  it('complains of no name while its event is deleted, the keys of whose guests go first', async () => {
    const { db, vault } = app;
    await send();
    const errors: object[] = [];
    const sealedMetadata = createSealedMetadata({ vault, log: { error: (fields: object) => void errors.push(fields) } });
    await db.kysely.updateTable('events').set({ purging_at: clock.time }).where('id', '=', event.id).execute();
    await db.kysely.deleteFrom('guest_keys').execute();
    await createSealing({ db, vault, sealedMetadata }).catchUp(event.id, () => event.privateKey, vault.createKeyPair());
    expect(errors).toEqual([]);
  });

  /** Returns the most loops of a step in the query plan of a page, on a table without statistics. */
  async function mostLoops(limit: number): Promise<number> {
    const { kysely } = app.db;
    const loops: number[] = [];
    const explained =
      <V extends unknown[], T>(build: (...values: V) => Compilable<T>) =>
      async (...values: V): Promise<T[]> => {
        const { sql, parameters } = build(...values).compile();
        const { rows } = await kysely.executeQuery(CompiledQuery.raw(`explain (analyze, format json) ${sql}`, [...parameters]));
        for (const [, times] of JSON.stringify(rows).matchAll(/"Actual Loops":([\d.]+)/g)) loops.push(Number(times));
        return [];
      };
    await createGuestPhotoStore({ kysely, prepare: explained }, app.vault).inGallery(event.id, null, { after: 0, limit });
    expect(loops).not.toEqual([]);
    return Math.max(...loops);
  }

  it('says how many photos are left while opening takes long, and goes on with it', async () => {
    const photo = await send();
    const held = heldAnswer((row) => row['sealed_for_event'] !== undefined && row['position'] !== undefined);
    const slow = { ...app.db, kysely: app.db.kysely.withPlugin(held.plugin) };
    const patient = await openApp({ db: slow, decoder, clock });
    const there = galleryClient(() => ({ app: patient, event }));
    try {
      const settings = await there.set(OPEN);
      expect([settings.open, settings.pending]).toEqual([true, 1]);
      held.answer();
      await expect.poll(async () => (await there.json<Gallery>('GET', `/api/events/${event.code}/gallery`, host)).pending).toBe(0);
      expect(ids(await there.list(await there.enter(settings)))).toEqual([photo.id]);
    } finally {
      held.answer();
      await patient.close();
    }
  });

  it('in a stolen database and photo store opens nothing without the link, and with it what is shown', async () => {
    const device = newDevice();
    const [photo, hidden] = [await send(device), await send(device)];
    await flag(hidden, false);
    const settings = await set(OPEN);
    const { vault, db } = app;
    const invitation = await db.kysely.selectFrom('invitations').selectAll().executeTakeFirstOrThrow();
    const keys = await db.kysely.selectFrom('gallery_keys').selectAll().executeTakeFirstOrThrow();
    const owner = { kind: 'gallery', owner: event.id, subject: event.id } as const;
    const open = (token: string) => vault.openWithToken(invitation.wrapped, token, owner, keys.public_key);
    expect(() => open('x'.repeat(22))).toThrow(WrongSecret);
    const privateKey = open(tokenOf(settings));

    const rows = await db.kysely.selectFrom('gallery_photo_keys').selectAll().execute();
    expect(rows.map(({ photo_id }) => photo_id)).toEqual([photo.id]);
    const { secret } = await db.kysely.selectFrom('event_secrets').select('secret').executeTakeFirstOrThrow();
    const context = { eventId: event.id, photoId: photo.id };
    const sealed = vault.uncoverKey(secret, rows[0]?.sealed_for_gallery ?? Buffer.alloc(0), { ...context, holder: 'gallery' });
    expect(vault.openForGallery(privateKey, sealed, context).length).toBe(32);
    // The gallery's key opens nothing else, neither the event's key nor data sealed to it.
    expect(() => vault.open(privateKey, keys.sealed_for_event, `feierbild gallery key ${event.id}`)).toThrow(Tampered);
    const hiddenKeys = await db.kysely.selectFrom('photo_keys').selectAll().where('photo_id', '=', hidden.id).executeTakeFirstOrThrow();
    const hiddenPhoto = { eventId: event.id, photoId: hidden.id };
    const forEvent = vault.uncoverKey(secret, hiddenKeys.sealed_for_event, { ...hiddenPhoto, holder: 'event' });
    expect(() => vault.openPhotoKey(privateKey, forEvent, hiddenPhoto)).toThrow(Tampered);
    expect(() => vault.openForGallery(privateKey, forEvent, hiddenPhoto)).toThrow(Tampered);
    // The key of a shown photo reads no bytes of another one.
    const thumbnailOf = (photoId: string) => db.kysely.selectFrom('photos').selectAll().where('id', '=', photoId).executeTakeFirstOrThrow();
    const read = async (photoId: string): Promise<Buffer> => {
      const { thumbnail_size: size, thumbnail_attempt: attempt } = await thumbnailOf(photoId);
      using key = vault.openForGallery(privateKey, sealed, context);
      const blob = photoBlob(event.id, photoId, 'thumbnail', attempt);
      const of = { eventId: event.id, photoId, variant: 'thumbnail' };
      return Buffer.concat(await Array.fromAsync(vault.openBlob(key, of, size as number, (range) => app.blobs.read(blob, range))));
    };
    expect((await sharp(await read(photo.id)).metadata()).width).toBeGreaterThan(0);
    await expect(read(hidden.id)).rejects.toThrow(Tampered);
    // The device's own key opens the same gallery key.
    const guest = { event_id: event.id, device_hash: Buffer.from(deviceHash(vault, device, event.id)) };
    const { access } = await db.kysely.selectFrom('gallery_guests').selectAll().executeTakeFirstOrThrow();
    const own = vault.deviceKeys(device, event.id).privateKey;
    expect(Buffer.from(openAccess(vault, own, guest, access as Uint8Array)).equals(Buffer.from(privateKey))).toBe(true);
    expect(() => openAccess(vault, vault.deviceKeys(newDevice(), event.id).privateKey, guest, access as Uint8Array)).toThrow(Tampered);
  });

  it('is looked at by the integrity check: whose key guests have, and whether it opens', async () => {
    const [one, two] = [await send(), await send()];
    await set(OPEN);
    await drawn();
    const integrity = createIntegrity({ ...app, graceMs: 0 });
    const problems = async () =>
      [...(await integrity.check()).findings, ...(await integrity.openAll(event.id, event.privateKey)).findings].map(
        ({ subject, problem }) => `${subject}: ${problem}`,
      );
    expect(await problems()).toEqual([]);
    await app.db.kysely.updateTable('photos').set({ slideshow: 0 }).where('id', '=', one.id).execute();
    expect(await problems()).toEqual([`${one.id}: Gäste haben seinen Schlüssel, obwohl es nicht gezeigt wird`]);
    await flag(one, false);
    const [row] = await app.db.kysely.selectFrom('gallery_photo_keys').select('sealed_for_gallery').execute();
    const changed = Buffer.from(row!.sealed_for_gallery);
    changed[60]! ^= 1;
    await app.db.kysely.updateTable('gallery_photo_keys').set({ sealed_for_gallery: changed }).execute();
    expect(await problems()).toEqual([`${two.id}: Schlüssel für Gäste lässt sich nicht öffnen`]);
    await app.db.kysely.updateTable('gallery_photo_keys').set(row!).execute();
    await app.db.kysely.updateTable('gallery_keys').set({ public_key: app.vault.createKeyPair().publicKey }).execute();
    expect(await problems()).toEqual([
      `${event.id}: Schlüssel der Galerie für Gäste lässt sich nicht öffnen`,
      `${two.id}: Schlüssel für Gäste lässt sich nicht öffnen`,
    ]);
  });
});
