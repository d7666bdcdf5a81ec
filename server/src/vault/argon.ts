import { argon2 } from 'node:crypto';
import { promisify } from 'node:util';
import type { Bytes } from '../lib/bytes.ts';
import type { Owner } from '../lib/concurrency/fair-queue.ts';
import { createFairSemaphore } from '../lib/concurrency/fair-semaphore.ts';

/** The cost of one hash; memory in KiB. */
export interface ArgonCost {
  memory: number;
  passes: number;
  parallelism: number;
}

/** argon2id (RFC 9106, its second recommended option): 64 MiB, 3 passes, 1 lane. */
export const ARGON: ArgonCost = { memory: 65_536, passes: 3, parallelism: 1 };
export const ARGON_SALT_LENGTH = 16;

/** Concurrent hashes of each queue; a hash needs 64 MiB and one core for a tenth of a second. */
const PERMITS = 1;
const SHARING = { share: 'time', newestFirst: true, maxWaiting: 256, maxWaitMs: 20_000 } as const;

const run = promisify(argon2);

/** argon2id of an NFC-normalised password, with a length in bytes. */
type Hash = (password: string, salt: Bytes, length: number) => Promise<Bytes>;

/** Hashes one password at a time; the time is shared fairly between owners. */
export interface HashQueue {
  /** Hashes when it is the owner's turn. Throws Refusal unavailable. */
  hash(owner: Owner, ...input: Parameters<Hash>): Promise<Bytes>;
  /** Runs work with the hash function when it is the owner's turn; for work that may not need a hash any more by then. */
  serialized<T>(owner: Owner, work: (hash: Hash) => Promise<T>): Promise<T>;
  waiting(): number;
}

export interface Argon {
  cost: ArgonCost;
  /** For passwords of events, which anybody with a code may try. */
  guests: HashQueue;
  /** For passwords of hosts and administrators: never delayed by the guests' queue. */
  logins: HashQueue;
}

export function createArgon(cost: ArgonCost): Argon {
  const hash: Hash = (password, nonce, tagLength) => run('argon2id', { message: password.normalize('NFC'), nonce, tagLength, ...cost });

  function createQueue(): HashQueue {
    const semaphore = createFairSemaphore(PERMITS, SHARING);
    return {
      hash: (owner, ...input) => semaphore.run(owner, () => hash(...input)),
      serialized: (owner, work) => semaphore.run(owner, () => work(hash)),
      waiting: semaphore.waiting,
    };
  }

  return { cost, guests: createQueue(), logins: createQueue() };
}
