import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { PREVIEW_TYPE } from '@feierbild/contract/constants.ts';
import type { Db } from '../../../database/open.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { photoBlob, type BlobStore } from '../../../storage/blob-store.ts';
import { covered, newestSecret } from '../../photo-keys/photo-keys.ts';
import type { KeyPair, Vault } from '../../../vault/vault.ts';
import { deviceHash } from '../../devices/devices.ts';
import { addEvent, newDevice } from '../../testing.ts';

export interface Party {
  eventId: string;
  code: string;
  keys: KeyPair;
  /** Adds a photo's row, keys and blob, as an upload does; with `preview` only that is there. */
  add(
    content: Buffer,
    over?: { filename?: string; deviceName?: string; deviceId?: string; receivedAt?: number; takenAt?: string | null; preview?: Buffer },
  ): Promise<string>;
}

/** Creates an event with a given title and without photos, for tests. */
export async function createParty({ db, blobs, vault }: { db: Db; blobs: BlobStore; vault: Vault }, title: string): Promise<Party> {
  const now = Date.parse('2026-05-17T19:00:00Z');
  const { id: eventId, code, keys } = await addEvent({ db, vault }, { created_at: now, title, end_date: '2026-05-18' });
  const { secret } = (await newestSecret(db.kysely, eventId))!;

  let position = 0;
  return {
    eventId,
    code,
    keys,
    async add(content, { deviceName = 'Anna', filename = 'IMG_0042.jpg', deviceId = newDevice(), takenAt = null, ...over } = {}) {
      const device = deviceHash(vault, deviceId, eventId);
      const guestKey = randomBytes(32);
      const receivedAt = over.receivedAt ?? now;
      const photoId = uuidv7(receivedAt);
      const photo = { eventId, photoId };
      const photoKey = vault.createPhotoKey();
      const [variant, version] = over.preview ? (['preview', 'first'] as const) : (['original', null] as const);
      const sealed: Uint8Array[] = [];
      const source = (async function* () {
        yield over.preview ?? content;
      })();
      for await (const piece of vault.sealBlob(photoKey, { ...photo, variant }, source)) sealed.push(piece);
      await blobs.put(photoBlob(eventId, photoId, variant, version), Buffer.concat(sealed));
      const digest = { sha256: createHash('sha256').update(content).digest(), crc32: crc32(content) };
      await db.kysely
        .insertInto('photos')
        .values({
          id: photoId,
          event_id: eventId,
          device_hash: device,
          description: vault.sealDescription(guestKey, { deviceName, filename, takenAt }, photo),
          type: 'image/jpeg',
          size: content.length,
          width: 1,
          height: 1,
          thumbnail_type: 'image/webp',
          thumbnail_size: 1,
          state: over.preview ? 'announced' : 'stored',
          preview_type: over.preview ? PREVIEW_TYPE : null,
          preview_size: over.preview?.length ?? null,
          preview_attempt: version,
          created_at: receivedAt,
          slideshow: 1,
          fingerprint: randomBytes(32),
          position: ++position,
        })
        .execute();
      const guest = { eventId, deviceHash: device };
      await db.kysely
        .insertInto('guest_keys')
        .values({ event_id: eventId, device_hash: device, sealed_for_event: vault.sealGuestKey(keys.publicKey, guestKey, guest) })
        .execute();
      await db.kysely
        .insertInto('photo_keys')
        .values({
          photo_id: photoId,
          event_id: eventId,
          secret_id: 1,
          ...covered(
            vault,
            secret,
            {
              sealed_for_event: vault.sealPhotoKey(keys.publicKey, photoKey, photo),
              wrapped_for_device: vault.wrapForDevice(photoKey, deviceId, photo),
            },
            photo,
          ),
          facts: vault.sealDigest(photoKey, digest, photo),
        })
        .execute();
      return photoId;
    },
  };
}
