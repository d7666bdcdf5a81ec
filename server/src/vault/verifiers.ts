import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Owner } from '../lib/concurrency/fair-queue.ts';
import { remember } from '../lib/remember.ts';
import { ARGON_SALT_LENGTH, type Argon } from './argon.ts';

/** Verifiers of the passwords that guests type: argon2id in the PHC string format, with its parameters. */
const HASH_LENGTH = 32;
/** Successes remembered, and failures; a party has a handful of passwords. */
const REMEMBERED_MAX = 1000;

export function createVerifiers({ cost, guests, logins }: Argon) {
  const { memory, passes, parallelism } = cost;
  const head = `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$`;
  const remembered = new Set<string>();
  const refused = new Set<string>();
  const memoryKey = randomBytes(32);
  /** What a password and its verifier are remembered by: useless outside this process, also in a memory dump without the key. */
  const digestOf = (verifier: string, password: string): string =>
    createHmac('sha256', memoryKey)
      .update(JSON.stringify([verifier, password.normalize('NFC')]))
      .digest('base64');

  return {
    async createVerifier(password: string): Promise<string> {
      const salt = randomBytes(ARGON_SALT_LENGTH);
      const hash = await logins.hash(['internal'], password, salt, HASH_LENGTH);
      return `${head}${base64(salt)}$${base64(hash)}`;
    },
    /** True for a success that is remembered: at once, without argon2. */
    remembersPassword: (verifier: string, password: string): boolean => remembered.has(digestOf(verifier, password)),
    /** The same for a failure. */
    refusesPassword: (verifier: string, password: string): boolean => refused.has(digestOf(verifier, password)),
    /** Constant time; successes are remembered in memory (never on disk) so that each upload does not pay for argon2. */
    async verifyPassword(verifier: string, password: string, caller: Owner = ['guest']): Promise<boolean> {
      const checked = digestOf(verifier, password);
      if (remembered.has(checked)) return true;
      const { salt, hash } = parse(verifier, head);
      return guests.serialized(caller, async (run) => {
        // Two hundred guests start at once: the first ones' success serves those who waited.
        if (remembered.has(checked)) return true;
        const right = timingSafeEqual(await run(password, salt, HASH_LENGTH), hash);
        remember(right ? remembered : refused, checked, REMEMBERED_MAX);
        return right;
      });
    },
  };
}

function base64(bytes: Buffer | Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

/** Only this server's own parameters are taken, so that no row can make it spend more. */
function parse(verifier: string, head: string): { salt: Buffer; hash: Buffer } {
  const [salt, hash, ...rest] = verifier.startsWith(head)
    ? verifier
        .slice(head.length)
        .split('$')
        .map((text) => Buffer.from(text, 'base64'))
    : [];
  if (salt?.length !== ARGON_SALT_LENGTH || hash?.length !== HASH_LENGTH || rest.length > 0)
    throw new Error('not a verifier of this server');
  return { salt, hash };
}
