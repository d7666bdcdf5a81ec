import type { Bytes } from '../lib/bytes.ts';
import type { Owner } from '../lib/concurrency/time-sharing-queue.ts';

/**
 * The vault's contract with the rest of the server (see docs/vault-format.md for the bytes).
 * It knows no table, no route and no file system. Keys are 32 random bytes unless said otherwise.
 */

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
  kind: 'admin' | 'host' | 'session' | 'projector' | 'recovery';
  /** Id of the admin, event or session that owns the wrapping; 'code' for the recovery code. */
  owner: string;
  /** Id of the event whose private key is wrapped; 'operator' for an administrator's and the recovery code's, which lead to the operator's. */
  subject: string;
}

/** Which photo (and which of its blobs) bytes belong to. */
export interface PhotoContext {
  eventId: string;
  photoId: string;
}
/** A wrapped key of a photo: for its event's holder or for the device that uploaded it. */
export interface CoveredKey extends PhotoContext {
  holder: 'event' | 'device';
}
export interface BlobContext extends PhotoContext {
  variant: string;
}

/** A secret does not open: a wrong password or token (expected), as opposed to Tampered. */
export class WrongSecret extends Error {}
/** Stored bytes are not what was sealed: flipped, cut, extended, reordered, swapped. Never expected; alarm. */
export class Tampered extends Error {}

export interface PhotoFacts {
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

export interface Vault {
  createKeyPair(): KeyPair;
  /** Passwords that wait to be hashed. */
  waiting(): number;

  /**
   * argon2id. Hosts' and administrators' passwords are hashed one at a time, guests' ones in a queue of their own; `caller` says
   * who shares the time of that queue (see `networkPath`). All throw Refusal unavailable where too many wait.
   */
  wrapWithPassword(keys: KeyPair, password: string, owner: KeyOwner, caller?: Owner): Promise<Bytes>;
  /** The private key. Throws WrongSecret or Tampered; checks that it belongs to `publicKey`. */
  openWithPassword(wrapped: Bytes, password: string, owner: KeyOwner, publicKey: Bytes, caller?: Owner): Promise<Bytes>;
  /** As long as openWithPassword takes, for names that do not exist. */
  spendPasswordTime(password: string, caller?: Owner): Promise<void>;

  /** The private key, if it belongs to this public key. Throws Tampered. */
  provePrivateKey(privateKey: Bytes, publicKey: Bytes): Bytes;

  /** argon2id verifier (a string with its parameters) for passwords that guests type. */
  createVerifier(password: string): Promise<string>;
  /** Constant time; successes are remembered in memory (never on disk) so that each upload does not pay for argon2. */
  verifyPassword(verifier: string, password: string, caller?: Owner): Promise<boolean>;
  /** True for a success that is remembered: at once, without argon2. */
  remembersPassword(verifier: string, password: string): boolean;
  /** The same for a failure. */
  refusesPassword(verifier: string, password: string): boolean;

  /** Wraps a private key under a random 256-bit token (base64url text). */
  wrapWithToken(keys: KeyPair, token: string, owner: KeyOwner): Bytes;
  openWithToken(wrapped: Bytes, token: string, owner: KeyOwner, publicKey: Bytes): Bytes;
  /** Look-up hash of a token or device id; `purpose` keeps it apart from every other use of the same secret. */
  lookupHash(secret: string, purpose: string): Bytes;
  /** HMAC-SHA-256 of `data` under a key derived from `secret` for `purpose`. */
  keyedHash(secret: string, purpose: string, data: Bytes): Bytes;

  /** HPKE to the event's or operator's public key. `info` binds the purpose and the ids. */
  seal(publicKey: Bytes, secret: Bytes, info: string): Bytes;
  open(privateKey: Bytes, sealed: Bytes, info: string): Bytes;

  createPhotoKey(): Key;
  sealPhotoKey(eventPublicKey: Bytes, photoKey: Bytes, photo: PhotoContext): Bytes;
  openPhotoKey(eventPrivateKey: Bytes, sealed: Bytes, photo: PhotoContext): Key;
  /** The photo's key for the device that uploaded it. */
  wrapForDevice(photoKey: Bytes, deviceId: string, photo: PhotoContext): Bytes;
  openForDevice(wrapped: Bytes, deviceId: string, photo: PhotoContext): Key;
  /** The photo's key for whoever has a link's token. */
  wrapForLink(photoKey: Bytes, token: string, photo: PhotoContext): Bytes;
  openForLink(wrapped: Bytes, token: string, photo: PhotoContext): Key;

  /** A secret of an event, under which the wrapped keys of its photos are encrypted once more. */
  createEventSecret(): Bytes;
  coverKey(secret: Bytes, wrapped: Bytes, of: CoveredKey): Bytes;
  /** Throws Tampered. */
  uncoverKey(secret: Bytes, covered: Bytes, of: CoveredKey): Bytes;

  sealFacts(photoKey: Bytes, facts: PhotoFacts, photo: PhotoContext): Bytes;
  openFacts(photoKey: Bytes, sealed: Bytes, photo: PhotoContext): PhotoFacts;

  /** The key of all descriptions that a device gives to an event's photos. */
  guestKey(deviceId: string, eventId: string): Key;
  sealGuestKey(eventPublicKey: Bytes, guestKey: Bytes, guest: GuestContext): Bytes;
  openGuestKey(eventPrivateKey: Bytes, sealed: Bytes, guest: GuestContext): Key;
  sealDescription(guestKey: Bytes, description: PhotoDescription, photo: PhotoContext): Bytes;
  openDescription(guestKey: Bytes, sealed: Bytes, photo: PhotoContext): PhotoDescription;

  /** Seals a stream in pieces of any length; holds one segment at a time. */
  sealBlob(photoKey: Bytes, blob: BlobContext, source: AsyncIterable<Bytes>): AsyncIterable<Bytes>;
  /**
   * Opens bytes [start, end) of the plain content (all of it without `range`), reading only the segments that cover it.
   * `size` is the plain size; `read` yields bytes [start, end) of the sealed blob, or fewer where it ends before: one byte past
   * the end is asked for, so that an extended blob is noticed. Throws Tampered.
   */
  openBlob(
    photoKey: Bytes,
    blob: BlobContext,
    size: number,
    read: (range: { start: number; end: number }) => AsyncIterable<Bytes>,
    range?: { start: number; end: number },
  ): AsyncIterable<Bytes>;
  /** Bytes of the sealed blob for a plain size. */
  sealedSize(size: number): number;
}
