import { writeFileSync } from 'node:fs';
import { createVault, type KeyOwner } from '../vault.ts';
import { FIRST_PLAIN, PLAIN, sealSegmentsWith } from '../segments.ts';
import { collect, inPieces, pattern, sha256 } from './bytes.ts';

/**
 * Writes vectors.json. The vectors are frozen: run this only for a new version of the format, into a new file, and keep
 * the old one tested for as long as such bytes are stored anywhere.
 */
const vault = createVault();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const keys = vault.createKeyPair();
const photoKey = vault.createPhotoKey();
const owner: KeyOwner = { kind: 'session', owner: 'session-1', subject: 'event-1' };
const photo = { eventId: 'event-1', photoId: 'photo-1' };
const blob = { ...photo, variant: 'original' };
const header = { salt: pattern(72).subarray(40), prefix: pattern(80).subarray(73) };
const guest = { eventId: photo.eventId, deviceHash: vault.lookupHash('a-device', `device:${photo.eventId}`) };
const guestKey = vault.guestKey('a-device', photo.eventId);
const description = { deviceName: 'Jörg', filename: 'IMG_0042.jpg', takenAt: '2026-05-17T21:04:00' };
const digest = { sha256: pattern(32), crc32: 0xfedc_ba98 };

async function blobVector(size: number): Promise<{ size: number; sealedSha256: string; sealed?: string }> {
  const sealed = await collect(sealSegmentsWith(header, photoKey, blob, inPieces(pattern(size), 65_536)));
  return { size, sealedSha256: sha256(sealed), ...(sealed.length < 200 && { sealed: hex(sealed) }) };
}

/** Makes the vector of an incomplete upload: its key under the device's id, and two of its parts. */
async function uploadVector() {
  const upload = { eventId: 'event-1', photoId: 'upload-1' };
  const key = pattern(132).subarray(100);
  const part = async (n: number, size: number) => {
    const salt = pattern(172).subarray(140 - n, 172 - n);
    const prefix = pattern(180).subarray(173 - n, 180 - n);
    const sealed = await collect(
      sealSegmentsWith({ salt, prefix }, key, { ...upload, variant: `part-${n}` }, inPieces(pattern(size), 65_536)),
    );
    const frozen = { n, size, salt: hex(salt), prefix: hex(prefix), sealedSha256: sha256(sealed) };
    return sealed.length < 200 ? { ...frozen, sealed: hex(sealed) } : frozen;
  };
  return {
    eventId: upload.eventId,
    uploadId: upload.photoId,
    deviceId: 'a-device',
    key: hex(key),
    wrappedForDevice: hex(vault.wrapForDevice(key, 'a-device', upload)),
    uploadKey: 'an-upload-key',
    keyHash: hex(vault.keyedHash('a-device', 'upload', Buffer.from('an-upload-key'))),
    fingerprint: {
      eventId: '01970000-0000-7000-8000-000000000000',
      sha256: hex(pattern(32)),
      hash: hex(vault.keyedHash('a-device', 'fingerprint:01970000-0000-7000-8000-000000000000', pattern(32))),
    },
    parts: [await part(1, 100), await part(4, FIRST_PLAIN + 1)],
  };
}

const vectors = {
  keys: { publicKey: hex(keys.publicKey), privateKey: hex(keys.privateKey) },
  owner,
  password: { password: 'Größe über alles', wrapped: hex(await vault.wrapWithPassword(keys, 'Größe über alles', owner)) },
  verifier: { password: 'Größe', verifier: await vault.createVerifier('Größe') },
  token: { token: 'a-token', wrapped: hex(vault.wrapWithToken(keys, 'a-token', owner)) },
  lookupHash: { secret: 'a-token', purpose: 'session', hash: hex(vault.lookupHash('a-token', 'session')) },
  keyedHash: {
    secret: 'a-device',
    purpose: 'fingerprint',
    data: hex(pattern(32)),
    hash: hex(vault.keyedHash('a-device', 'fingerprint', pattern(32))),
  },
  sealed: { info: 'upload-password', secret: hex(pattern(5)), sealed: hex(vault.seal(keys.publicKey, pattern(5), 'upload-password')) },
  photo: {
    ...photo,
    key: hex(photoKey),
    sealedForEvent: hex(vault.sealPhotoKey(keys.publicKey, photoKey, photo)),
    deviceId: 'a-device',
    wrappedForDevice: hex(vault.wrapForDevice(photoKey, 'a-device', photo)),
    facts: { sha256: hex(digest.sha256), crc32: digest.crc32, sealed: hex(vault.sealDigest(photoKey, digest, photo)) },
  },
  guest: {
    deviceId: 'a-device',
    deviceHash: hex(guest.deviceHash),
    key: hex(guestKey),
    sealedForEvent: hex(vault.sealGuestKey(keys.publicKey, guestKey, guest)),
    description: { ...description, sealed: hex(vault.sealDescription(guestKey, description, photo)) },
  },
  upload: await uploadVector(),
  blobs: {
    variant: blob.variant,
    salt: hex(header.salt),
    prefix: hex(header.prefix),
    content: 'byte i is (i * 31 + (i >> 8)) mod 256',
    of: await Promise.all([0, 1, 100, FIRST_PLAIN, FIRST_PLAIN + 1, FIRST_PLAIN + PLAIN, FIRST_PLAIN + PLAIN + 1].map(blobVector)),
  },
};

writeFileSync(new URL('vectors.json', import.meta.url), `${JSON.stringify(vectors, null, 2)}\n`, { flag: 'wx' });
