import { argon2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Bytes } from '../lib/bytes.ts';
import { createSemaphore } from '../lib/concurrency/semaphore.ts';
import { Refusal } from '../lib/errors.ts';

/** What guessing one password costs; memory in KiB. */
export interface ArgonCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** argon2id (RFC 9106, its second recommended option): 64 MiB, 3 passes, 1 lane. */
export const ARGON: ArgonCost = { memory: 65_536, passes: 3, parallelism: 1 };
export const ARGON_SALT_LENGTH = 16;

/** Each takes 64 MiB and a core for a tenth of a second. */
const AT_ONCE = 2;
/** Who comes after these is told to come back: half a minute of work on a slow machine. */
const WAITING_MAX = 256;
const RETRY_AFTER_S = 10;

const run = promisify(argon2);

export interface Argon {
  cost: ArgonCost;
  /** argon2id of an NFC-normalised password; at most two at once, first come first served. Throws Refusal unavailable. */
  hash(password: string, salt: Bytes, length: number): Promise<Bytes>;
  /** Runs work when it is its turn, with the plain function; for work that may find it need not hash any more. */
  inTurn<T>(work: (hash: Argon['hash']) => Promise<T>): Promise<T>;
}

export function createArgon(cost: ArgonCost): Argon {
  const hash = (password: string, nonce: Bytes, tagLength: number): Promise<Bytes> =>
    run('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost });
  const semaphore = createSemaphore(AT_ONCE);

  async function inTurn<T>(work: (hash: Argon['hash']) => Promise<T>): Promise<T> {
    if (semaphore.waiting() >= WAITING_MAX) throw new Refusal('unavailable', { retryAfter: RETRY_AFTER_S });
    return semaphore.run(() => work(hash));
  }

  return { cost, inTurn, hash: (password, salt, length) => inTurn((plain) => plain(password, salt, length)) };
}
