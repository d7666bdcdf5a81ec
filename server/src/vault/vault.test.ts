import { describe, expect, it } from 'vitest';
import { createQuickVault } from './testing/quick-vault.ts';
import { createVault, Tampered, WrongSecret, type KeyOwner } from './vault.ts';
import { pattern } from './testing/bytes.ts';
import { flipped } from './testing/flipped.ts';

const vault = createVault();
/** A vault whose wrapped keys differ in their passwords' price alone; a real one takes a fifth of a second for each attempt. */
const quick = createQuickVault();
const keys = vault.createKeyPair();
const OWNER: KeyOwner = { kind: 'host', owner: 'host-1', subject: 'event-1' };
const PHOTO = { eventId: 'event-1', photoId: 'photo-1' };
const OTHERS: Partial<KeyOwner>[] = [{ kind: 'admin' }, { owner: 'host-2' }, { subject: 'event-2' }];
/** argon2id of 'geheim'. */
const VERIFIER = await vault.createVerifier('geheim');
/** Offsets of the parts of a wrapped key: see docs/vault-format.md. */
const PARTS = { version: 0, derivation: 1, salt: 2, commitment: 18, nonce: 50, cipherText: 62, tag: 94 };

describe('a key under a password', () => {
  it('opens with this password, also when it is typed in another Unicode form', async () => {
    const wrapped = await quick.wrapWithPassword(keys, 'Größe über alles', OWNER);
    expect(Buffer.from(await quick.openWithPassword(wrapped, 'Größe über alles'.normalize('NFD'), OWNER, keys.publicKey))).toEqual(
      keys.privateKey,
    );
    await expect(quick.openWithPassword(wrapped, 'größe über alles', OWNER, keys.publicKey)).rejects.toThrow(WrongSecret);
  });

  it('is refused for another owner, kind, subject or public key', async () => {
    const wrapped = await quick.wrapWithPassword(keys, 'geheim', OWNER);
    for (const other of OTHERS) {
      await expect(quick.openWithPassword(wrapped, 'geheim', { ...OWNER, ...other }, keys.publicKey)).rejects.toThrow(Tampered);
    }
    await expect(quick.openWithPassword(wrapped, 'geheim', OWNER, vault.createKeyPair().publicKey)).rejects.toThrow(Tampered);
  });

  it('is refused where any part of it was changed', async () => {
    const wrapped = await quick.wrapWithPassword(keys, 'geheim', OWNER);
    for (const [part, at] of Object.entries(PARTS)) {
      // A changed salt or commitment looks like a wrong password; neither opens.
      const expected = part === 'salt' || part === 'commitment' ? WrongSecret : Tampered;
      await expect(quick.openWithPassword(flipped(wrapped, at), 'geheim', OWNER, keys.publicKey), part).rejects.toThrow(expected);
    }
    await expect(quick.openWithPassword(wrapped.subarray(1), 'geheim', OWNER, keys.publicKey)).rejects.toThrow(Tampered);
  });

  it('is refused where its private key does not belong to the public one', async () => {
    const mixed = { publicKey: keys.publicKey, privateKey: vault.createKeyPair().privateKey };
    const wrapped = await quick.wrapWithPassword(mixed, 'geheim', OWNER);
    await expect(quick.openWithPassword(wrapped, 'geheim', OWNER, keys.publicKey)).rejects.toThrow(Tampered);
  });

  /** A hash takes some milliseconds, so that their order shows. */
  const cost = { memory: 4096, passes: 1, parallelism: 1 };

  it('is hashed at once for a host while 300 networks guess the passwords of guests', async () => {
    const crowded = createVault({ cost });
    const verifier = await crowded.createVerifier('geheim');
    let guessed = 0;
    const guess = (n: number) => crowded.verifyPassword(verifier, `falsch ${n}`, [`network ${n}`]).then(() => guessed++);
    const guesses = Promise.allSettled(Array.from({ length: 300 }, (_, n) => guess(n)));
    await crowded.spendPasswordTime('x', ['host']);
    expect(guessed).toBeLessThan(10);
    const refused = (await guesses).filter((result) => result.status === 'rejected');
    expect(refused.length).toBe(300 - 256 - 1);
    expect(refused[0]?.reason).toMatchObject({ code: 'unavailable', retryAfter: 10 });
  });

  it('is hashed at once for a network that has not guessed while 40 others do', async () => {
    const crowded = createVault({ cost });
    let guessed = 0;
    const guesses = Array.from({ length: 40 }, (_, n) => crowded.spendPasswordTime('x', [`network ${n}`]).then(() => guessed++));
    await crowded.spendPasswordTime('x', ['host']);
    expect(guessed).toBeLessThan(3);
    await Promise.all(guesses);
  });
});

describe('a key under a token', () => {
  it('opens with this token alone', () => {
    const wrapped = vault.wrapWithToken(keys, 'token-a', OWNER);
    expect(Buffer.from(vault.openWithToken(wrapped, 'token-a', OWNER, keys.publicKey))).toEqual(keys.privateKey);
    expect(() => vault.openWithToken(wrapped, 'token-b', OWNER, keys.publicKey)).toThrow(WrongSecret);
  });

  it('is refused for other owners and where any part of it was changed', () => {
    const wrapped = vault.wrapWithToken(keys, 'token-a', OWNER);
    for (const other of OTHERS)
      expect(() => vault.openWithToken(wrapped, 'token-a', { ...OWNER, ...other }, keys.publicKey)).toThrow(Tampered);
    for (let at = 0; at < wrapped.length; at += 1) {
      const expected = at >= PARTS.salt && at < PARTS.nonce ? WrongSecret : Tampered;
      expect(() => vault.openWithToken(flipped(wrapped, at), 'token-a', OWNER, keys.publicKey), `byte ${at}`).toThrow(expected);
    }
  });

  it('is refused where its private key does not belong to the public one', () => {
    const mixed = { publicKey: keys.publicKey, privateKey: vault.createKeyPair().privateKey };
    const wrapped = vault.wrapWithToken(mixed, 'token-a', OWNER);
    expect(() => vault.openWithToken(wrapped, 'token-a', OWNER, keys.publicKey)).toThrow(Tampered);
  });

  it('is none under a password, nor the other way round', async () => {
    const wrapped = vault.wrapWithToken(keys, 'geheim', OWNER);
    await expect(quick.openWithPassword(wrapped, 'geheim', OWNER, keys.publicKey)).rejects.toThrow(Tampered);
  });
});

describe("a photo's key", () => {
  it('opens with the private key of its event, for its photo', () => {
    const photoKey = vault.createPhotoKey();
    const sealed = vault.sealPhotoKey(keys.publicKey, photoKey, PHOTO);
    expect(Buffer.from(vault.openPhotoKey(keys.privateKey, sealed, PHOTO))).toEqual(photoKey);
    for (const other of [{ eventId: 'event-2' }, { photoId: 'photo-2' }]) {
      expect(() => vault.openPhotoKey(keys.privateKey, sealed, { ...PHOTO, ...other })).toThrow(Tampered);
    }
    for (let at = 0; at < sealed.length; at += 1)
      expect(() => vault.openPhotoKey(keys.privateKey, flipped(sealed, at), PHOTO)).toThrow(Tampered);
  });

  it('opens with the id of the device, for its photo', () => {
    const photoKey = vault.createPhotoKey();
    const wrapped = vault.wrapForDevice(photoKey, 'device-a', PHOTO);
    expect(Buffer.from(vault.openForDevice(wrapped, 'device-a', PHOTO))).toEqual(photoKey);
    expect(() => vault.openForDevice(wrapped, 'device-b', PHOTO)).toThrow(WrongSecret);
    for (const other of [{ eventId: 'event-2' }, { photoId: 'photo-2' }]) {
      expect(() => vault.openForDevice(wrapped, 'device-a', { ...PHOTO, ...other })).toThrow(Tampered);
    }
  });

  it('is wiped at the end of the block that uses it, however it was opened, and so is a guest’s', () => {
    const photoKey = vault.createPhotoKey();
    const guest = { eventId: PHOTO.eventId, deviceHash: pattern(32) };
    const opens = [
      () => vault.createPhotoKey(),
      () => vault.openPhotoKey(keys.privateKey, vault.sealPhotoKey(keys.publicKey, photoKey, PHOTO), PHOTO),
      () => vault.openForDevice(vault.wrapForDevice(photoKey, 'device-a', PHOTO), 'device-a', PHOTO),
      () => vault.openForLink(vault.wrapForLink(photoKey, 'token', PHOTO), 'token', PHOTO),
      () => vault.guestKey('device-a', PHOTO.eventId),
      () => vault.openGuestKey(keys.privateKey, vault.sealGuestKey(keys.publicKey, vault.guestKey('device-a', 'event'), guest), guest),
    ];
    for (const open of opens) {
      let kept: Uint8Array;
      {
        using key = open();
        kept = key;
        expect(kept.some((byte) => byte !== 0)).toBe(true);
      }
      expect(kept.every((byte) => byte === 0)).toBe(true);
    }
  });

  it('cannot be taken for a secret of another purpose', () => {
    const sealed = vault.seal(keys.publicKey, pattern(32), 'photo-key');
    expect(() => vault.openPhotoKey(keys.privateKey, sealed, PHOTO)).toThrow(Tampered);
    expect(() => vault.open(keys.privateKey, sealed, 'upload-password')).toThrow(Tampered);
    expect(vault.open(keys.privateKey, sealed, 'photo-key')).toEqual(pattern(32));
  });
});

describe('the digest of a photo', () => {
  it('open under its key, for its photo, unchanged', () => {
    const photoKey = vault.createPhotoKey();
    const digest = { sha256: pattern(32), crc32: 0xfedc_ba98 };
    const sealed = vault.sealDigest(photoKey, digest, PHOTO);
    expect(vault.openDigest(photoKey, sealed, PHOTO)).toEqual(digest);
    for (const other of [{ eventId: 'event-2' }, { photoId: 'photo-2' }]) {
      expect(() => vault.openDigest(photoKey, sealed, { ...PHOTO, ...other })).toThrow(Tampered);
    }
    for (let at = 0; at < sealed.length; at += 1) expect(() => vault.openDigest(photoKey, flipped(sealed, at), PHOTO)).toThrow(Tampered);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => vault.openDigest(photoKey, sealed.subarray(0, length), PHOTO)).toThrow(Tampered);
    }
  });
});

describe('the description of a photo', () => {
  const guest = { eventId: PHOTO.eventId, deviceHash: pattern(32) };
  const description = { deviceName: 'Jörg 😀', filename: 'IMG_1.jpg', takenAt: '2026-05-17T21:04:00' };

  it('opens for its guest and for the host of its event, for its photo, unchanged', () => {
    const key = vault.guestKey('device-a', PHOTO.eventId);
    const sealedKey = vault.sealGuestKey(keys.publicKey, key, guest);
    expect(Buffer.from(vault.openGuestKey(keys.privateKey, sealedKey, guest))).toEqual(key);
    for (const other of [{ eventId: 'event-2' }, { deviceHash: pattern(31) }]) {
      expect(() => vault.openGuestKey(keys.privateKey, sealedKey, { ...guest, ...other })).toThrow(Tampered);
    }
    const sealed = vault.sealDescription(key, description, PHOTO);
    expect(vault.openDescription(key, sealed, PHOTO)).toEqual(description);
    for (const other of [{ eventId: 'event-2' }, { photoId: 'photo-2' }]) {
      expect(() => vault.openDescription(key, sealed, { ...PHOTO, ...other })).toThrow(Tampered);
    }
    for (const [device, event] of [
      ['device-b', PHOTO.eventId],
      ['device-a', 'event-2'],
    ] as const) {
      expect(() => vault.openDescription(vault.guestKey(device, event), sealed, PHOTO)).toThrow(Tampered);
    }
    for (let at = 0; at < sealed.length; at += 1) expect(() => vault.openDescription(key, flipped(sealed, at), PHOTO)).toThrow(Tampered);
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => vault.openDescription(key, sealed.subarray(0, length), PHOTO)).toThrow(Tampered);
    }
  });

  it('is as long for one short name as for another', () => {
    const key = vault.guestKey('device-a', PHOTO.eventId);
    const length = (deviceName: string) => vault.sealDescription(key, { ...description, deviceName }, PHOTO).length;
    expect(length('Al')).toBe(length('Annemarie'));
  });
});

describe('verifiers', () => {
  it('know the right password, also in another Unicode form, and no other', async () => {
    const verifier = await vault.createVerifier('Größe');
    expect(verifier).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await vault.verifyPassword(verifier, 'Größe'.normalize('NFD'))).toBe(true);
    const cheap = await quick.createVerifier('Größe');
    expect(await quick.verifyPassword(cheap, 'Größe')).toBe(true);
    expect(await quick.verifyPassword(cheap, 'größe')).toBe(false);
    expect(await quick.verifyPassword(await quick.createVerifier('anders'), 'Größe')).toBe(false);
  });

  it('with other parameters are refused rather than paid for', async () => {
    const verifier = VERIFIER.replace('m=65536', 'm=4194304');
    await expect(vault.verifyPassword(verifier, 'geheim')).rejects.toThrow('verifier');
  });
});

describe('what only a password gives', () => {
  it('is the same on every node, another for each purpose, and costs 400 who ask at once no more than one', async () => {
    const [first] = new Set(await Promise.all(Array.from({ length: 400 }, () => vault.secretOf('Größe', 'webdav:1', ['network']))));
    expect(await createVault().secretOf('Größe'.normalize('NFD'), 'webdav:1', ['other'])).toBe(first);
    expect(await vault.secretOf('Größe', 'webdav:2', ['network'])).not.toBe(first);
  });
});

describe('hashes of secrets', () => {
  it('differ by purpose and by secret, and never equal each other', () => {
    const hashes = [
      vault.lookupHash('secret', 'session'),
      vault.lookupHash('secret', 'device/event-1'),
      vault.lookupHash('secret2', 'session'),
      vault.keyedHash('secret', 'session', Buffer.alloc(0)),
      vault.keyedHash('secret', 'session', Buffer.alloc(1)),
    ].map((hash) => Buffer.from(hash).toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(Buffer.from(vault.lookupHash('secret', 'session')).toString('hex')).toBe(hashes[0]);
  });
});
