import { createHmac, timingSafeEqual } from 'node:crypto';
import { BOOTH_TOKEN_AWAITED, MINUTE } from '@feierbild/contract/constants.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { createSingleFlight } from '../../lib/concurrency/single-flight.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { isBoothToken } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { createDerivedProof } from '../proofs/proofs.ts';

/** `random ‖ minute since 1970 (big endian) ‖ MAC`, bytes. The random begins with the last bytes of the event's id where its booth knows that. */
const RANDOM_BYTES = 16;
const HINT_BYTES = 4;
const MAC_AT = RANDOM_BYTES + 4;
const LABEL = 'feierbild/v1/booth-token';
/** Events whose keys are kept: some 100 bytes each. */
const KEYS = 5000;
/** Longest time on the main thread at once. */
const WORK_MS = 5;
/** A token in a file's name: behind a dot or at its beginning, with or without an extension after it. */
const NAMED = /^(?:(.*)\.)?([A-Za-z0-9_-]{38})(\.[^.]*)?$/s;

/**
 * Tokens of links that a Fotobox makes while it has no network, under a key that it has fetched before. The key opens nothing: it only
 * proves that a token was made by a booth of the event, so that its link can be awaited.
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

  /** The ids, with this `end`, of events that may get photos of a Fotobox. */
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

  /** Constant time. */
  async function isOf(eventId: string, token: string): Promise<boolean> {
    if (!isBoothToken(token)) return false;
    const bytes = Buffer.from(token, 'base64url');
    const mac = createHmac('sha256', await keyOf(eventId))
      .update(LABEL)
      .update(eventId)
      .update(bytes.subarray(0, MAC_AT))
      .digest();
    // Of the last character four bits are left over.
    return bytes.toString('base64url') === token && timingSafeEqual(mac.subarray(0, bytes.length - MAC_AT), bytes.subarray(MAC_AT));
  }

  return {
    keyOf,

    /**
     * Whether a token was made by a booth of an event that may still get its photo. One whose event is not known by its hint, as older booths
     * make them, is looked for among all events; an address may be wrong with such ones some times. Throws Refusal too_many_attempts.
     */
    async isAwaited(token: string, address: string): Promise<boolean> {
      if (!isBoothToken(token)) return false;
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.readUInt32BE(RANDOM_BYTES) * MINUTE < clock.now() - BOOTH_TOKEN_AWAITED) return false;
      const hint = bytes.toString('hex', 0, HINT_BYTES);
      for (const id of await withFotobox(hint)) if (await isOf(id, token)) return true;
      return limits.serialized('booth-token', [address], async (attempt) => {
        const goOn = yieldEvery(WORK_MS);
        // One look for all who ask at a time.
        for (const id of await booths.run('', () => withFotobox())) {
          await goOn();
          if (await isOf(id, token)) return true;
        }
        attempt.failed();
        return false;
      });
    },

    /** The token of an upload, given with it or in its file's name, if it is one of the event's booths; and the name without it. */
    async named(eventId: string, filename: string, given: string | null): Promise<{ filename: string; token: string | null }> {
      const found = NAMED.exec(filename);
      const inName = found?.[2] !== undefined && (await isOf(eventId, found[2])) ? found[2] : null;
      const plain = found && inName !== null ? `${found[1] ?? 'foto'}${found[3] ?? ''}` : filename;
      return { filename: plain, token: given !== null && (await isOf(eventId, given)) ? given : inName };
    },
  };
}
