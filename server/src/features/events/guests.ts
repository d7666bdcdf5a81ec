import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { isJoinable } from '@feierbild/contract/event-status.ts';
import type { EventRow } from '../../database/schema.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Limits } from '../accounts/limits.ts';
import type { EventStore, StoredPassword } from './events.store.ts';

/** How guests get to an event: by its code, and by its password where it has one. */
export function createGuestEvents({ store, vault, limits, clock }: { store: EventStore; vault: Vault; limits: Limits; clock: Clock }) {
  /** The event of an id, or of a code after the field's clean-up; undefined where there is none. */
  async function resolve(ref: string): Promise<EventRow | undefined> {
    if (isUuid(ref)) return store.byId(ref);
    const code = cleanEventCode(ref);
    return isEventCode(code) ? store.byCode(code) : undefined;
  }

  return {
    resolve,

    /** The joinable event of a code. Wrong codes are counted for the address; right ones always pass. */
    async find(ref: string, address: string): Promise<EventRow> {
      const event = await resolve(ref);
      if (!event) {
        const network = addressNetwork(address);
        return limits.inTurn('event-code', [network], async () => {
          await limits.check('event-code', network);
          await limits.fail('event-code', network);
          throw new Refusal('event_not_found');
        });
      }
      if (!isJoinable({ ...event, is_active: event.is_active === 1, purged_at: event.purging_at ? 'now' : null }, clock.now())) {
        throw new Refusal('event_inactive');
      }
      return event;
    },

    /**
     * Who a password lets in: 'fotobox' for the Fotobox's, else 'guest' (also where none is asked for). Failures are counted
     * by event and address before argon2 runs; devices that have uploaded are never limited.
     */
    async checkPassword(
      event: EventRow,
      password: string | undefined,
      from: { address: string; deviceKnown: boolean },
    ): Promise<'guest' | 'fotobox'> {
      const needed = event.with_upload_password === 1;
      const fotobox = event.with_fotobox === 1;
      if (!password) {
        if (needed) throw new Refusal('wrong_event_password');
        return 'guest';
      }
      if (!needed && !fotobox) return 'guest';
      const stored = await store.passwords(event.id);
      const verifierOf = (kind: string): string | undefined => stored.find((one: StoredPassword) => one.kind === kind)?.verifier;
      const asked = { guest: needed ? verifierOf('upload') : undefined, fotobox: fotobox ? verifierOf('fotobox') : undefined };
      // Whoever has the right password never waits for those who guess.
      for (const who of ['guest', 'fotobox'] as const) if (asked[who] && vault.remembersPassword(asked[who], password)) return who;
      const key = [event.id, addressNetwork(from.address)];
      return limits.inTurn('event-password', key, async () => {
        if (!from.deviceKnown) {
          const limited = await limits.check('event-password', ...key).catch((error: unknown) => error);
          // Where guests need no password, a stale one in their link does not stop them.
          if (limited) {
            if (needed) throw limited;
            return 'guest';
          }
        }
        for (const who of ['guest', 'fotobox'] as const) if (asked[who] && (await vault.verifyPassword(asked[who], password))) return who;
        await limits.fail('event-password', ...key);
        if (needed) throw new Refusal('wrong_event_password');
        return 'guest';
      });
    },
  };
}
