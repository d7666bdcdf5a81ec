import type { Bytes } from '../lib/bytes.ts';

/** What the vault's functions take and give. Keys are 32 random bytes unless said otherwise. */

/** A secret key in memory: disposed of (`using key = …`), its bytes are wiped. */
export type Key = Bytes & Disposable;

/** These very bytes, as a key. */
export function asKey(bytes: Bytes): Key {
  return Object.defineProperty(bytes, Symbol.dispose, { value: () => void bytes.fill(0) }) as Key;
}

export interface KeyPair {
  publicKey: Bytes;
  privateKey: Bytes;
}

/** What a wrapped private key belongs to; bound as additional data, so that no row can be used in place of another. */
export interface KeyOwner {
  kind: 'admin' | 'assistant' | 'host' | 'session' | 'projector' | 'gallery' | 'helper' | 'program' | 'invitation' | 'recovery';
  /** Id of the admin, assistant, event (of its host, or of a link to its gallery, for its helper or its host's invitation) or session that owns the wrapping; 'code' for the recovery code. */
  owner: string;
  /** Id of the event whose private key is wrapped; 'operator' for an administrator's and the recovery code's, which lead to the operator's; an assistant's own id. */
  subject: string;
}

/** Which photo (and which of its blobs) bytes belong to. */
export interface PhotoContext {
  eventId: string;
  photoId: string;
}
/** A wrapped key of a photo: for its event's holder, for the device that uploaded it, or for its event's guests. */
export interface CoveredKey extends PhotoContext {
  holder: 'event' | 'device' | 'gallery';
}
export interface BlobContext extends PhotoContext {
  variant: string;
}

/** A secret does not open: a wrong password or token (expected), as opposed to Tampered. */
export class WrongSecret extends Error {}
/** Stored bytes are not what was sealed: flipped, cut, extended, reordered, swapped. Never expected; alarm. */
export class Tampered extends Error {}

export interface PhotoDigest {
  sha256: Bytes;
  /** Unsigned 32 bit. */
  crc32: number;
}

/** What people wrote about a photo. */
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
