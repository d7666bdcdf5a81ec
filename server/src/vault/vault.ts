import { randomBytes } from 'node:crypto';
import type { Bytes } from '../lib/bytes.ts';
import { KEY_LENGTH } from './aead.ts';
import { asKey, Tampered, type GuestContext, type Key, type KeyPair, type PhotoContext } from './contexts.ts';
import { hpkeOpen, hpkeSeal } from './hpke.ts';
import { openForInstallation, sealForInstallation } from './installation.ts';
import { createKeyPair, keyPairOf, provedPrivateKey } from './keys.ts';
import { label, photoLabel } from './labels.ts';
import { ARGON, createPasswords, type ArgonCost } from './passwords.ts';
import { coverKey, deviceSeed, guestKey, openDescription, openDigest, sealDescription, sealDigest, uncoverKey } from './photo-secrets.ts';
import { openSegments, sealedSize, sealSegments } from './segments.ts';
import { keyedHash, lookupHash, openForDevice, openForLink, openWithToken, wrapForDevice, wrapForLink, wrapWithToken } from './tokens.ts';

export { asKey, Tampered, WrongSecret, type CoveredKey, type Key, type KeyOwner, type KeyPair, type PhotoDescription } from './contexts.ts';

const SEALED_VERSION = 1;

/**
 * The vault's interface for the server (see docs/vault-format.md for the bytes); it has no table, no route and no file system. Functions
 * that open throw Tampered if the bytes are not the sealed ones.
 */
export type Vault = ReturnType<typeof createVault>;

/** Creates the vault. It keeps no key; each instance has its own argon2 queues and remembered successes. Another `cost` is for tests. */
export function createVault({ cost = ARGON }: { cost?: ArgonCost } = {}) {
  return {
    createKeyPair,
    provePrivateKey: provedPrivateKey,
    ...createPasswords(cost),
    wrapWithToken,
    openWithToken,
    lookupHash,
    keyedHash,
    sealForInstallation,
    openForInstallation,

    /** Seals by HPKE to the event's or operator's public key. `info` binds the purpose and the ids. */
    seal: (publicKey: Bytes, secret: Bytes, info: string): Bytes => seal(publicKey, secret, label('sealed', info)),
    open: (privateKey: Bytes, sealed: Bytes, info: string): Bytes => open(privateKey, sealed, label('sealed', info)),

    createPhotoKey: (): Key => asKey(randomBytes(KEY_LENGTH)),
    sealPhotoKey: (eventPublicKey: Bytes, photoKey: Bytes, photo: PhotoContext): Bytes =>
      seal(eventPublicKey, photoKey, photoLabel('photo-key', photo)),
    openPhotoKey: (eventPrivateKey: Bytes, sealed: Bytes, photo: PhotoContext): Key =>
      openKey(eventPrivateKey, sealed, photoLabel('photo-key', photo)),
    /** Seals a photo's key for the guests of the event's gallery. */
    sealForGallery: (galleryPublicKey: Bytes, photoKey: Bytes, photo: PhotoContext): Bytes =>
      seal(galleryPublicKey, photoKey, photoLabel('gallery-photo-key', photo)),
    openForGallery: (galleryPrivateKey: Bytes, sealed: Bytes, photo: PhotoContext): Key =>
      openKey(galleryPrivateKey, sealed, photoLabel('gallery-photo-key', photo)),
    /** Derives the key pair of a device within an event: the device's id opens what is sealed to it. */
    deviceKeys: (deviceId: string, eventId: string): KeyPair => keyPairOf(deviceSeed(deviceId, eventId)),
    wrapForDevice,
    openForDevice,
    wrapForLink,
    openForLink,
    /** Creates a secret of an event, for `coverKey`. */
    createEventSecret: (): Bytes => randomBytes(KEY_LENGTH),
    coverKey,
    uncoverKey,
    sealDigest,
    openDigest,

    guestKey,
    sealGuestKey: (eventPublicKey: Bytes, key: Bytes, guest: GuestContext): Bytes => seal(eventPublicKey, key, guestLabel(guest)),
    openGuestKey: (eventPrivateKey: Bytes, sealed: Bytes, guest: GuestContext): Key => openKey(eventPrivateKey, sealed, guestLabel(guest)),
    sealDescription,
    openDescription,

    sealBlob: sealSegments,
    openBlob: openSegments,
    sealedSize,
  };
}

function seal(publicKey: Bytes, secret: Bytes, info: Bytes): Bytes {
  return Buffer.concat([Buffer.from([SEALED_VERSION]), hpkeSeal(publicKey, secret, info)]);
}

function open(privateKey: Bytes, sealed: Bytes, info: Bytes): Bytes {
  if (sealed[0] !== SEALED_VERSION) throw new Tampered('unknown version of a sealed secret');
  return hpkeOpen(privateKey, sealed.subarray(1), info);
}

function openKey(privateKey: Bytes, sealed: Bytes, info: Bytes): Key {
  const key = open(privateKey, sealed, info);
  if (key.length !== KEY_LENGTH) throw new Tampered('a key has 32 bytes');
  return asKey(key);
}

function guestLabel({ eventId, deviceHash }: GuestContext): Bytes {
  return label('guest-key', eventId, deviceHash);
}
