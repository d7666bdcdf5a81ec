import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Bytes } from '../lib/bytes.ts';
import type { Owner } from '../lib/concurrency/fair-queue.ts';
import { createFairSemaphore } from '../lib/concurrency/fair-semaphore.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { remember } from '../lib/remember.ts';
import type { KeyOwner, KeyPair } from './contexts.ts';
import { provedPrivateKey } from './keys.ts';
import { derive } from './aead.ts';
import { label, ownerLabel } from './labels.ts';
import { DERIVED_LENGTH, newSalt, PASSWORD, saltOf, unwrap, WRAP_SALT_LENGTH, wrap } from './wrapping.ts';

/** The cost of one hash; memory in KiB. */
export interface ArgonCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** argon2id (RFC 9106, its second recommended option): 64 MiB, 3 passes, 1 lane. */
export const ARGON: ArgonCost = { memory: 65_536, passes: 3, parallelism: 1 };
/** Length of the hash in a verifier, bytes. */
const HASH_LENGTH = 32;
/** Concurrent hashes of each queue; a hash needs 64 MiB and one core for a tenth of a second. */
const PERMITS = 1;
const SHARING = { share: 'time', newestFirst: true, maxWaiting: 256, maxWaitMs: 20_000 } as const;
/** Owner of hashes for users who are logged in or use the command line. */
const INTERNAL: Owner = ['internal'];
/** Most remembered successes, and most remembered failures; a party has a handful of passwords. */
const REMEMBERED_MAX = 1000;

const argon = promisify(argon2);

/**
 * Does all work with argon2id: private keys under passwords, where a password is right exactly if it opens the key, and verifiers of
 * guests' passwords (PHC string format, with its parameters). The time for hashes is shared fairly between owners, `caller` (see
 * `networkPath`). Functions that hash throw Refusal unavailable if too many wait.
 */
export function createPasswords(cost: ArgonCost) {
  /** Queue for passwords of events, which anybody with a code may try. */
  const guests = createFairSemaphore(PERMITS, SHARING);
  /** Queue for passwords of hosts and administrators: never delayed by the guests' queue. */
  const logins = createFairSemaphore(PERMITS, SHARING);
  const head = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$`;
  const remembered = new Set<string>();
  const refused = new Set<string>();
  const memoryKey = randomBytes(32);
  const secrets = new Map<string, string>();
  const secretsUnderWay = createSingleFlight<string>();

  /** Hashes an NFC-normalised password with argon2id, to a length in bytes. */
  const hash = (password: string, nonce: Bytes, tagLength: number): Promise<Bytes> =>
    argon('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost });
  const loginHash = (caller: Owner, password: string, salt: Bytes, length = DERIVED_LENGTH): Promise<Bytes> =>
    logins.run(caller, () => hash(password, salt, length));
  /**
   * Returns the key under which a password and its verifier are remembered: useless outside this process, also in a memory dump without
   * `memoryKey`.
   */
  const digestOf = (verifier: string, password: string): string =>
    createHmac('sha256', memoryKey)
      .update(JSON.stringify([verifier, password.normalize('NFC')]))
      .digest('base64');

  return {
    /** Counts the passwords that wait to be hashed. */
    waiting: (): number => guests.waiting() + logins.waiting(),
    async wrapWithPassword(keys: KeyPair, password: string, owner: KeyOwner): Promise<Bytes> {
      const salt = newSalt();
      const derived = await loginHash(INTERNAL, password, salt);
      return wrap(PASSWORD, derived, salt, keys.privateKey, ownerLabel(owner, keys.publicKey));
    },
    /** Returns the private key. Throws WrongSecret, and Tampered, also if it does not belong to `publicKey`. */
    async openWithPassword(wrapped: Bytes, password: string, owner: KeyOwner, publicKey: Bytes, caller: Owner = INTERNAL): Promise<Bytes> {
      const derived = await loginHash(caller, password, saltOf(wrapped, PASSWORD));
      return provedPrivateKey(unwrap(wrapped, derived, ownerLabel(owner, publicKey)), publicKey);
    },
    /** Takes as long as openWithPassword, for names that do not exist. */
    async spendPasswordTime(password: string, caller: Owner): Promise<void> {
      await loginHash(caller, password, newSalt());
    },

    /**
     * Derives a secret (base64url) from a password that was just verified; it is the same on every node and after a restart. `name` keeps
     * it apart from other secrets. Remembered in memory.
     */
    async secretOf(password: string, name: string, caller: Owner): Promise<string> {
      const known = digestOf(name, password);
      const found = secrets.get(known);
      if (found !== undefined) return found;
      // After a restart all booths of a party send their kept photos at once.
      return secretsUnderWay.run(known, async () => {
        const salt = derive(name, Buffer.alloc(0), label('password-secret'), WRAP_SALT_LENGTH);
        const secret = base64url(await guests.run(caller, () => hash(password, salt, HASH_LENGTH)));
        if (secrets.size >= REMEMBERED_MAX) secrets.clear();
        secrets.set(known, secret);
        return secret;
      });
    },

    async createVerifier(password: string): Promise<string> {
      const salt = newSalt();
      return `${head}${base64(salt)}$${base64(await loginHash(INTERNAL, password, salt, HASH_LENGTH))}`;
    },
    /** Tells whether this password is a remembered success, without argon2. */
    remembersPassword: (verifier: string, password: string): boolean => remembered.has(digestOf(verifier, password)),
    /** Tells whether this password is a remembered failure. */
    refusesPassword: (verifier: string, password: string): boolean => refused.has(digestOf(verifier, password)),
    /** Verifies a password in constant time; remembers successes in memory (never on disk), so that not each upload pays for argon2. */
    async verifyPassword(verifier: string, password: string, caller: Owner = ['guest']): Promise<boolean> {
      const checked = digestOf(verifier, password);
      if (remembered.has(checked)) return true;
      const { salt, hash: wanted } = parse(verifier, head);
      return guests.run(caller, async () => {
        // Two hundred guests start at once: the first success answers the waiting ones, too.
        if (remembered.has(checked)) return true;
        const right = timingSafeEqual(await hash(password, salt, HASH_LENGTH), wanted);
        remember(right ? remembered : refused, checked, REMEMBERED_MAX);
        return right;
      });
    },
  };
}

const base64url = (bytes: Bytes): string => Buffer.from(bytes).toString('base64url');

function base64(bytes: Bytes): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Parses a verifier. Only this server's own parameters are accepted, so that no row can make it spend more. */
function parse(verifier: string, head: string): { salt: Buffer; hash: Buffer } {
  const texts = verifier.startsWith(head) ? verifier.slice(head.length).split('$') : [];
  const [salt, hash, ...rest] = texts.map((text) => Buffer.from(text, 'base64'));
  if (salt?.length !== WRAP_SALT_LENGTH || hash?.length !== HASH_LENGTH || rest.length > 0)
    throw new Error('not a verifier of this server');
  return { salt, hash };
}
