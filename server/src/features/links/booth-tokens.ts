import { createHmac, timingSafeEqual } from 'node:crypto';
import { BOOTH_TOKEN_AWAITED, MINUTE } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { isBoothToken } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { createDerivedProof } from '../proofs/proofs.ts';

/**
 * The parts of a token, bytes: `random ‖ minute since 1970 (big endian) ‖ MAC`. The random part begins with the last bytes of the event's
 * id if the booth knows it.
 */
const RANDOM_BYTES = 16;
const HINT_BYTES = 4;
const MAC_AT = RANDOM_BYTES + 4;
const LABEL = 'feierbild/v1/booth-token';
/** Most events whose keys are kept in memory; each takes some 100 bytes. */
const KEYS = 5000;
/** Longest uninterrupted work on the main thread. */
const WORK_MS = 5;
/** A token in a file's name: after a dot or at its beginning, with or without an extension after it. */
const NAMED = /^(?:(.*)\.)?([A-Za-z0-9_-]{38})(\.[^.]*)?$/s;

/**
 * Creates the tokens of links that a Fotobox makes while it has no network, with a key that it has fetched before. The key opens nothing:
 * it only proves that a booth of the event made the token, so that its link can be awaited.
 */
export function createBoothTokens({
  db,
  vault,
  clock,
  limits,
}: Pick<Context, 'db' | 'vault' | 'clock'> & { limits: Pick<RateLimits, 'serialized'> }) {
  const proof = createDerivedProof(db, vault);
  const keys = new Map<string, Bytes>();
  const booths = createSingleFlight<string[]>();

  async function keyOf(eventId: string): Promise<Bytes> {
    const known = keys.get(eventId);
    if (known) return known;
    const key = await proof('booth-key', eventId);
    if (keys.size >= KEYS) keys.clear();
    keys.set(eventId, key);
    return key;
  }

  /** Reads the ids, with this `end`, of events that may get photos of a Fotobox. */
  async function withFotobox(end = ''): Promise<string[]> {
    const rows = await db.kysely
      .selectFrom('events')
      .select('id')
      .where('with_fotobox', '=', 1)
      .where('purging_at', 'is', null)
      .where('id', 'like', `%${end}`)
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Returns whether a booth of the event made the token; compares in constant time. */
  async function isOf(eventId: string, token: string): Promise<boolean> {
    if (!isBoothToken(token)) return false;
    const bytes = Buffer.from(token, 'base64url');
    const mac = createHmac('sha256', await keyOf(eventId))
      .update(LABEL)
      .update(eventId)
      .update(bytes.subarray(0, MAC_AT))
      .digest();
    // The last character has four unused bits; only one spelling is accepted.
    return bytes.toString('base64url') === token && timingSafeEqual(mac.subarray(0, bytes.length - MAC_AT), bytes.subarray(MAC_AT));
  }

  return {
    keyOf,

    /**
     * Returns whether a booth of an event that may still get the photo made the token. A token without the event's hint, as older booths
     * make them, is tried with all events; an address has only some failures with such tokens. Throws Refusal `too_many_attempts`.
     */
    async isAwaited(token: string, address: string): Promise<boolean> {
      if (!isBoothToken(token)) return false;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.readUInt32BE(RANDOM_BYTES) * MINUTE < clock.now() - BOOTH_TOKEN_AWAITED) return false;
      const hint = bytes.toString('hex', 0, HINT_BYTES);
      for (const id of await withFotobox(hint)) if (await isOf(id, token)) return true;
      return limits.serialized('booth-token', [address], async (attempt) => {
        const goOn = yieldEvery(WORK_MS);
        // Concurrent callers share one query.
        for (const id of await booths.run('', () => withFotobox())) {
          await goOn();
          if (await isOf(id, token)) return true;
        }
        attempt.failed();
        return false;
      });
    },

    /** Returns the token of an upload, given with it or in its file's name, if it is one of the event's booths, and the name without it. */
    async named(eventId: string, filename: string, given: string | null): Promise<{ filename: string; token: string | null }> {
      const found = NAMED.exec(filename);
      const inName = found?.[2] !== undefined && (await isOf(eventId, found[2])) ? found[2] : null;
      const plain = found && inName !== null ? `${found[1] ?? 'foto'}${found[3] ?? ''}` : filename;
      return { filename: plain, token: given !== null && (await isOf(eventId, given)) ? given : inName };
    },
  };
}
