import { addDays } from '@feierbild/contract/berlin.ts';
import { JOINABLE_DAYS_BEFORE } from '@feierbild/contract/constants.ts';
import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import type { EventRow } from '../../database/schema.ts';
import { addressNetwork } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Limits } from '../limits/limits.ts';
import { deviceHash } from '../devices/devices.ts';
import type { EventStore, StoredPassword } from './events.store.ts';

/** How guests get to an event: by its code, and by its password where it has one. */
export function createGuestEvents({ store, vault, limits, clock }: { store: EventStore; vault: Vault; limits: Limits; clock: Clock }) {
  /** The event of an id, or of a code after the field's clean-up; undefined where there is none. */
  async function resolve(ref: string): Promise<EventRow | undefined> {
    if (isUuid(ref)) return store.byId(ref);
    const code = cleanEventCode(ref);
    return isEventCode(code) ? store.byCode(code) : undefined;
  }

  /** What to answer where the wrong passwords of an event and address are used up, else null. */
  const limitOf = (key: string[]): Promise<Refusal | null> =>
    limits.check('event-password', ...key).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      },
    );

  const isKnown = async (eventId: string, deviceId: string | null): Promise<boolean> =>
    deviceId !== null && (await store.hasDevice(eventId, deviceHash(vault, deviceId, eventId)));

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
        throw new Refusal('event_inactive', { fields: inactiveSince(event, clock.now()) });
      }
      return event;
    },

    /**
     * Who a password lets in: 'fotobox' for the Fotobox's, else 'guest' (also where none is asked for). Failures are counted
     * by event and address before argon2 runs. Devices that have uploaded are never limited in the guests' password; the
     * Fotobox's they could try out as anybody.
     */
    async checkPassword(
      event: EventRow,
      password: string | undefined,
      from: { address: string; deviceId: string | null },
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
        // Guests whose links still carry a password of former times all try the same one: that is one guess.
        if (!needed && asked.fotobox && vault.refusesPassword(asked.fotobox, password)) return 'guest';
        const limited = await limitOf(key);
        const exempt = limited !== null && needed && (await isKnown(event.id, from.deviceId));
        if (asked.guest && (!limited || exempt) && (await vault.verifyPassword(asked.guest, password))) return 'guest';
        if (limited && (fotobox || !exempt)) {
          // Where guests may upload without a password the photo is taken, if need be as a guest's: it must not wait.
          if (!needed && event.with_user_upload === 1) return 'guest';
          throw limited;
        }
        if (asked.fotobox && (await vault.verifyPassword(asked.fotobox, password))) return 'fotobox';
        await limits.fail('event-password', ...key);
        if (needed) throw new Refusal('wrong_event_password');
        return 'guest';
      });
    },
  };
}

/** `opens_on` where an event is not open yet, else `ended_on`, its last day; days in Berlin. */
function inactiveSince(event: EventRow, now: number): Record<string, string> {
  return now < joinableWindow(event).opens ? { opens_on: addDays(event.start_date, -JOINABLE_DAYS_BEFORE) } : { ended_on: event.end_date };
}
