import { describe, expect, it } from 'vitest';
import { createVault, Tampered, type KeyOwner } from './vault.ts';
import { sealSegmentsWith } from './segments.ts';
import { collect, inPieces, pattern, reader, sha256 } from './testing/bytes.ts';
import vectors from './testing/vectors.json' with { type: 'json' };

const vault = createVault();
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex');
const { photo, guest, gallery, upload, blobs, token, password, verifier, lookupHash, keyedHash, sealed } = vectors;
const owner = vectors.owner as KeyOwner;
const privateKey = bytes(vectors.keys.privateKey);
const publicKey = bytes(vectors.keys.publicKey);
const photoKey = bytes(photo.key);
const blob = { eventId: photo.eventId, photoId: photo.photoId, variant: blobs.variant };

describe('the frozen vectors', () => {
  it('open: keys under password and token', async () => {
    expect(hex(await vault.openWithPassword(bytes(password.wrapped), password.password, owner, publicKey))).toBe(vectors.keys.privateKey);
    expect(hex(vault.openWithToken(bytes(token.wrapped), token.token, owner, publicKey))).toBe(vectors.keys.privateKey);
    expect(await vault.verifyPassword(verifier.verifier, verifier.password)).toBe(true);
  });

  it('open: sealed secrets, a photo’s keys and digest', () => {
    expect(hex(vault.open(privateKey, bytes(sealed.sealed), sealed.info))).toBe(sealed.secret);
    expect(hex(vault.openPhotoKey(privateKey, bytes(photo.sealedForEvent), blob))).toBe(photo.key);
    expect(hex(vault.openForDevice(bytes(photo.wrappedForDevice), photo.deviceId, blob))).toBe(photo.key);
    const digest = vault.openDigest(photoKey, bytes(photo.facts.sealed), blob);
    expect({ sha256: hex(digest.sha256), crc32: digest.crc32 }).toEqual({ sha256: photo.facts.sha256, crc32: photo.facts.crc32 });
  });

  it('open: a photo’s keys under the event’s secret, which fit no other photo, holder or secret', () => {
    const secret = bytes(photo.cover.secret);
    expect(hex(vault.uncoverKey(secret, bytes(photo.cover.forEvent), { ...blob, holder: 'event' }))).toBe(photo.sealedForEvent);
    expect(hex(vault.uncoverKey(secret, bytes(photo.cover.forDevice), { ...blob, holder: 'device' }))).toBe(photo.wrappedForDevice);
    for (const [by, of] of [
      [secret, { ...blob, holder: 'device' }],
      [secret, { ...blob, photoId: 'another', holder: 'event' }],
      [secret, { ...blob, eventId: 'another', holder: 'event' }],
      [vault.createEventSecret(), { ...blob, holder: 'event' }],
    ] as const)
      expect(() => vault.uncoverKey(by, bytes(photo.cover.forEvent), of)).toThrow(Tampered);
  });

  it('open: the gallery’s private key by link and by device, and with it a shown photo’s key, which nothing else opens', () => {
    const galleryOwner = gallery.owner as KeyOwner;
    const galleryPublic = bytes(gallery.publicKey);
    const opened = vault.openWithToken(bytes(gallery.wrapped), gallery.token, galleryOwner, galleryPublic);
    expect(hex(opened)).toBe(gallery.privateKey);
    const pair = vault.deviceKeys(gallery.device.deviceId, photo.eventId);
    expect([hex(pair.publicKey), hex(pair.privateKey)]).toEqual([gallery.device.publicKey, gallery.device.privateKey]);
    expect(hex(vault.open(pair.privateKey, bytes(gallery.device.access), gallery.device.info))).toBe(gallery.privateKey);
    const secret = bytes(photo.cover.secret);
    const uncovered = vault.uncoverKey(secret, bytes(gallery.covered), { ...blob, holder: 'gallery' });
    expect(hex(uncovered)).toBe(gallery.sealedForGallery);
    expect(hex(vault.openForGallery(opened, uncovered, blob))).toBe(photo.key);
    for (const other of [{ ...galleryOwner, owner: 'event-2' }, { ...galleryOwner, subject: 'event-2' }, owner])
      expect(() => vault.openWithToken(bytes(gallery.wrapped), gallery.token, other, galleryPublic)).toThrow(Tampered);
    const elsewhere = vault.deviceKeys(gallery.device.deviceId, 'event-2').privateKey;
    expect(() => vault.open(elsewhere, bytes(gallery.device.access), gallery.device.info)).toThrow(Tampered);
    expect(() => vault.openForGallery(opened, uncovered, { ...blob, photoId: 'another' })).toThrow(Tampered);
    expect(() => vault.openPhotoKey(opened, uncovered, blob)).toThrow(Tampered);
    expect(() => vault.openPhotoKey(opened, bytes(photo.sealedForEvent), blob)).toThrow(Tampered);
    expect(() => vault.uncoverKey(secret, bytes(gallery.covered), { ...blob, holder: 'event' })).toThrow(Tampered);
  });

  it('open: a guest’s key and description', () => {
    expect(hex(vault.guestKey(guest.deviceId, photo.eventId))).toBe(guest.key);
    const context = { eventId: photo.eventId, deviceHash: bytes(guest.deviceHash) };
    expect(hex(vault.openGuestKey(privateKey, bytes(guest.sealedForEvent), context))).toBe(guest.key);
    const { sealed: sealedDescription, ...description } = guest.description;
    expect(vault.openDescription(bytes(guest.key), bytes(sealedDescription), blob)).toEqual(description);
  });

  it('are what hashes of secrets come to', () => {
    expect(hex(vault.lookupHash(lookupHash.secret, lookupHash.purpose))).toBe(lookupHash.hash);
    expect(hex(vault.keyedHash(keyedHash.secret, keyedHash.purpose, bytes(keyedHash.data)))).toBe(keyedHash.hash);
  });

  it('open: the key of an upload that is not complete; and are what its hashes and a fingerprint come to', () => {
    const context = { eventId: upload.eventId, photoId: upload.uploadId };
    expect(hex(vault.openForDevice(bytes(upload.wrappedForDevice), upload.deviceId, context))).toBe(upload.key);
    expect(hex(vault.keyedHash(upload.deviceId, 'upload', Buffer.from(upload.uploadKey)))).toBe(upload.keyHash);
    const { eventId, sha256: of, hash } = upload.fingerprint;
    expect(hex(vault.keyedHash(upload.deviceId, `fingerprint:${eventId}`, bytes(of)))).toBe(hash);
  });

  it('are what WebCrypto makes of a fingerprint, as the page does', async () => {
    const { eventId, sha256: of, hash } = upload.fingerprint;
    const text = (from: string): Buffer => Buffer.from(from);
    const info = Buffer.concat([
      Buffer.from([0, 23]),
      text('feierbild/v1/keyed-hash'),
      Buffer.from([0, 48]),
      text('fingerprint:'),
      text(eventId),
    ]);
    const secret = await crypto.subtle.importKey('raw', new Uint8Array(text(upload.deviceId)), 'HKDF', false, ['deriveKey']);
    const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info };
    const key = await crypto.subtle.deriveKey(hkdf, secret, { name: 'HMAC', hash: 'SHA-256', length: 256 }, false, ['sign']);
    expect(hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, new Uint8Array(bytes(of)))))).toBe(hash);
  });

  it.each(upload.parts)(
    'are what part $n of an upload seals to, and open',
    async ({ n, size, salt, prefix, sealedSha256, sealed: frozen }) => {
      const part = { eventId: upload.eventId, photoId: upload.uploadId, variant: `part-${n}` };
      const header = { salt: bytes(salt), prefix: bytes(prefix) };
      const made = await collect(sealSegmentsWith(header, bytes(upload.key), part, inPieces(pattern(size), 100_000)));
      expect(sha256(made)).toBe(sealedSha256);
      if (frozen !== undefined) expect(hex(made)).toBe(frozen);
      expect((await collect(vault.openBlob(bytes(upload.key), part, size, reader(made)))).equals(pattern(size))).toBe(true);
    },
  );

  it.each(blobs.of)('are what a blob of $size bytes seals to, and open', async ({ size, sealedSha256, sealed: frozen }) => {
    const header = { salt: bytes(blobs.salt), prefix: bytes(blobs.prefix) };
    const made = await collect(sealSegmentsWith(header, photoKey, blob, inPieces(pattern(size), 100_000)));
    expect(sha256(made)).toBe(sealedSha256);
    if (frozen !== undefined) expect(hex(made)).toBe(frozen);
    expect((await collect(vault.openBlob(photoKey, blob, size, reader(made)))).equals(pattern(size))).toBe(true);
  });
});
