import { randomBytes } from 'node:crypto';
import { DAY, HOUR } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { createRenewal } from '../photo-keys/renewal.ts';
import { gallerySecret } from '../photo-keys/photo-keys.ts';
import { DUE, premisesOf } from './testing/premises.ts';
import { keysOnDisk } from './testing/keys-on-disk.ts';

const NOON = DUE - DAY + 12 * HOUR;

describe.each(engines())('destroyed keys on $name', (engine) => {
  const at = premisesOf(engine);
  const { vault, secretsOf, coveredOf, found, addPhotos } = keysOnDisk(engine, at);

  it('destroys single photos’ keys in the night, and rewrites no large table for them', async () => {
    const { id } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await addPhotos([id, id]);
    const old = await secretsOf([id]);
    const covers = await coveredOf([id]);
    await at.node().retention.run(undefined, { thorough: true });
    const [photo] = await at.db.kysely.selectFrom('photo_keys').selectAll().execute();
    await at.db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
    const fileOf = async (): Promise<unknown> =>
      engine.name === 'sqlite' ? null : (await sql`select pg_relation_filenode('photo_keys') as file`.execute(at.db.kysely)).rows;
    const before = await fileOf();
    at.clock.time = NOON;
    await at.node().retention.run();
    expect(await fileOf()).toEqual(before);
    at.clock.time = NOON + 16 * HOUR;
    await at.node().retention.run();
    expect(await fileOf()).toEqual(before);
    if (engine.name === 'sqlite') expect(await found([Buffer.from(photo!.sealed_for_event)])).toBe(0);
    // The old secret alone opened the photo's keys; the other photo's keys open with a new one now.
    else expect(await found(old)).toBe(0);
    const left = await coveredOf([id]);
    expect(left).toHaveLength(2);
    for (const key of left) expect(covers).toContainEqual(key);
    expect(await at.count('due_rewrites')).toBe(0);
  });

  it('destroys in the night what guests of a gallery had of a photo that was taken out, and leaves them the others', async () => {
    const { id: eventId } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await addPhotos([eventId, eventId]);
    const gallery = vault.createKeyPair();
    const [old] = await secretsOf([eventId]);
    const photos = await at.db.kysely.selectFrom('photo_keys').select('photo_id').execute();
    const sealed = new Map(
      photos.map(({ photo_id: photoId }) => [
        photoId,
        vault.sealForGallery(gallery.publicKey, vault.createPhotoKey(), { eventId, photoId }),
      ]),
    );
    for (const [photoId, key] of sealed) {
      const sealed_for_gallery = vault.coverKey(old!, key, { eventId, photoId, holder: 'gallery' });
      await at.db.kysely
        .insertInto('gallery_photo_keys')
        .values({ photo_id: photoId, event_id: eventId, secret_id: 1, sealed_for_gallery })
        .execute();
    }
    const taken = await at.db.kysely
      .deleteFrom('gallery_photo_keys')
      .where('photo_id', '=', photos[0]!.photo_id)
      .returning('sealed_for_gallery')
      .executeTakeFirstOrThrow();
    at.clock.time = NOON + 16 * HOUR;
    await at.node().retention.run(undefined, { thorough: true });
    if (engine.name === 'sqlite') expect(await found([Buffer.from(taken.sealed_for_gallery)])).toBe(0);
    else expect(await found([old!])).toBe(0);
    const [left] = await at.db.kysely.selectFrom('gallery_photo_keys').selectAll().select(gallerySecret).execute();
    const photo = { eventId, photoId: left!.photo_id };
    const uncoveredKey = vault.uncoverKey(left!.gallery_secret!, left!.sealed_for_gallery, { ...photo, holder: 'gallery' });
    expect(Buffer.from(uncoveredKey).equals(Buffer.from(sealed.get(photo.photoId)!))).toBe(true);
    // A replaced link is deleted from its table at once.
    await at.db.kysely
      .insertInto('invitations')
      .values({ event_id: eventId, role: 'gallery', wrapped: randomBytes(110), sealed_token: randomBytes(71) })
      .execute();
    const link = await at.db.kysely.deleteFrom('invitations').returning('wrapped').executeTakeFirstOrThrow();
    at.clock.time = NOON + 24 * HOUR;
    await at.node().retention.run();
    expect(await found([Buffer.from(link.wrapped)])).toBe(0);
  });

  it.runIf(engine.name === 'postgres')('goes on with a renewal that was broken off, under the same secret', async () => {
    const { id } = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    await addPhotos(Array.from({ length: 402 }, () => id));
    const [first] = await secretsOf([id]);
    const [photo] = await at.db.kysely.selectFrom('photo_keys').select('photo_id').execute();
    await at.db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
    const lost = new AbortController();
    const breaking: typeof at.db = {
      ...at.db,
      async transaction(work) {
        const result = await at.db.transaction(work);
        lost.abort(new Error('lost'));
        return result;
      },
    };
    await expect(createRenewal({ db: breaking, vault }).run({ night: true, signal: lost.signal })).rejects.toThrow('lost');
    const begun = (await secretsOf([id])).filter((secret) => !secret.equals(first!));
    expect(begun).toHaveLength(1);
    const left = async () => (await at.db.kysely.selectFrom('photo_keys').select('photo_id').where('secret_id', '=', 1).execute()).length;
    expect(await left()).toBe(201);
    await createRenewal({ db: at.db, vault }).run({ night: true });
    expect([await left(), await secretsOf([id])]).toEqual([0, begun]);
    expect(await coveredOf([id])).toHaveLength(802);
  });
});
