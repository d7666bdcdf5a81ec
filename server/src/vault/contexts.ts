import type { Bytes } from '../lib/bytes.ts';

/** Inputs and outputs of the vault's functions. Keys are 32 random bytes unless said otherwise. */

/** A secret key in memory. Its disposal (`using key = …`) wipes its bytes. */
export type Key = Bytes & Disposable;

/** Makes these bytes, not a copy, a key. */
export function asKey(bytes: Bytes): Key {
  return Object.defineProperty(bytes, Symbol.dispose, { value: () => void bytes.fill(0) }) as Key;
}

export interface KeyPair {
  publicKey: Bytes;
  privateKey: Bytes;
}

/** The owner of a wrapped private key, bound as additional data, so that no row can be used in place of another. */
export interface KeyOwner {
  kind: 'admin' | 'assistant' | 'host' | 'session' | 'projector' | 'gallery' | 'helper' | 'program' | 'invitation' | 'recovery';
  /**
   * Id of the admin, assistant, session or event (for its host, a gallery link, its helper or its host's invitation) that owns the
   * wrapping; 'code' for the recovery code.
   */
  owner: string;
  /** Id of the event whose private key is wrapped; an assistant's own id; 'operator' for an administrator's key and the recovery code's. */
  subject: string;
}

/** The photo that bytes belong to. */
export interface PhotoContext {
  eventId: string;
  photoId: string;
}
/** A wrapped key of a photo: for its event's private key, for the device that uploaded it, or for the gallery's guests. */
export interface CoveredKey extends PhotoContext {
  holder: 'event' | 'device' | 'gallery';
}
export interface BlobContext extends PhotoContext {
  variant: string;
}

/** The error for a secret that does not open: a wrong password or token (expected), as opposed to Tampered. */
export class WrongSecret extends Error {}
/** The error for stored bytes that are not the sealed ones: flipped, cut, extended, reordered, swapped. Never expected; alarm. */
export class Tampered extends Error {}

export interface PhotoDigest {
  sha256: Bytes;
  /** Unsigned 32 bit. */
  crc32: number;
}

/** The texts that people and cameras give a photo. */
export interface PhotoDescription {
  deviceName: string;
  filename: string;
  /** Local time by the camera (Exif), without a zone. */
  takenAt: string | null;
}
/** A device of an event, by its look-up hash. */
export interface GuestContext {
  eventId: string;
  deviceHash: Bytes;
}
