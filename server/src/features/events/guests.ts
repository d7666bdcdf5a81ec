import { addDays } from '@feierbild/contract/berlin.ts';
import { JOINABLE_DAYS_BEFORE } from '@feierbild/contract/constants.ts';
import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import type { Palette } from '@feierbild/contract/palettes.ts';
import type { EventRow } from '../../database/schema.ts';
import { errorBody } from '../../http/errors.ts';
import { networkPath } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { remember } from '../../lib/remember.ts';
import { isUuid } from '../../lib/ids.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Limits } from '../limits/limits.ts';
import { deviceHash } from '../devices/devices.ts';
import { guestView, lookOf } from './event-views.ts';
import type { EventStore, FoundEvent, StoredPassword } from './events.store.ts';

/** The access that a password gives. */
type Access = 'guest' | 'fotobox';
const ACCESSES: readonly Access[] = ['guest', 'fotobox'];
/** Seconds until an upload to an event with changed keys may be tried again. */
const TAMPERED_RETRY_S = 300;
/** Most devices remembered as a Fotobox; real installations have only a few. */
const FOTOBOXES_MAX = 1000;

/** Who tries a password; the device's id where it has shown one. */
interface Guesser {
  address: string;
  deviceId: string | null;
}

/** Access of guests to an event: by its code, and by its password if it has one. */
export function createGuestEvents({ store, vault, limits, clock }: { store: EventStore; vault: Vault; limits: Limits; clock: Clock }) {
  /** The event of an id or of a typed code (which is cleaned up first); undefined if there is none. */
  async function resolve(ref: string): Promise<FoundEvent | undefined> {
    if (isUuid(ref)) return store.find('id', ref);
    const code = cleanEventCode(ref);
    return isEventCode(code) ? store.find('code', code) : undefined;
  }

  /** The open event of a code. Wrong codes are counted for the address; right codes are never limited. */
  async function find(ref: string, address: string): Promise<FoundEvent> {
    const event = await resolve(ref);
    if (!event) {
      return limits.serialized('event-code', [address], async (attempt) => {
        attempt.failed();
        throw new Refusal('event_not_found');
      });
    }
    if (!isJoinable({ ...event, is_active: event.is_active === 1, purged_at: event.purging_at ? 'now' : null }, clock.now())) {
      throw new Refusal('event_inactive', { fields: inactiveSince(event, clock.now()) });
    }
    return event;
  }

  /** Event and device of those that gave the right Fotobox password: only they may try it while their network is limited. */
  const fotoboxes = new Set<string>();
  /** When a Fotobox last gave the right password of an event, on this node. */
  const boothsSeen = new Map<string, number>();

  function seeBooth(eventId: string): void {
    boothsSeen.delete(eventId);
    boothsSeen.set(eventId, clock.now());
    const [oldest] = boothsSeen.keys();
    if (boothsSeen.size > FOTOBOXES_MAX && oldest !== undefined) boothsSeen.delete(oldest);
  }

  /**
   * What a password opens; null: it is wrong. Failures are counted by event and network, and the limit is checked before the password.
   * While a network is limited, only devices that have uploaded before may try; their failures are counted for each device. Throws
   * Refusal too_many_attempts.
   */
  async function openedBy(event: EventRow, password: string, { address, deviceId }: Guesser): Promise<Access | null> {
    const needed = event.with_upload_password === 1;
    const fotobox = event.with_fotobox === 1;
    const stored = await store.passwords(event.id);
    const verifierOf = (kind: string): string | undefined => stored.find((one: StoredPassword) => one.kind === kind)?.verifier;
    const verifiers = { guest: needed ? verifierOf('upload') : undefined, fotobox: fotobox ? verifierOf('fotobox') : undefined };

    /** One attempt, counted for `sender`. Throws too_many_attempts; null: wrong. */
    async function guess(sender: string, kinds: readonly Access[]): Promise<Access | null> {
      const asked = kinds.flatMap((who) => (verifiers[who] === undefined ? [] : [{ who, verifier: verifiers[who] }]));
      if (await limits.checkAhead('event-password', sender, event.id)) {
        const remembered = asked.find(({ verifier }) => vault.remembersPassword(verifier, password));
        if (remembered) return remembered.who;
      }
      return limits.serialized('event-password', [sender, event.id], async (attempt) => {
        // Guests with an old link all try the same former password: it counts as one attempt.
        if (!needed && asked.every(({ verifier }) => vault.refusesPassword(verifier, password))) return null;
        for (const { who, verifier } of asked) if (await vault.verifyPassword(verifier, password, networkPath(address))) return who;
        attempt.failed();
        return null;
      });
    }

    const device = deviceId === null ? null : deviceHash(vault, deviceId, event.id);
    const box = device && `${event.id} ${Buffer.from(device).toString('base64url')}`;

    /** An attempt counted for the device instead of its limited network; throws `limited` if the device may not try. */
    async function guessAsDevice(limited: unknown): Promise<Access | null> {
      if (!(limited instanceof Refusal) || limited.code !== 'too_many_attempts') throw limited;
      if (device && box && (await store.hasDevice(event.id, device))) {
        const isFotobox = fotoboxes.has(box);
        const opened = await guess(`device:${box}`, isFotobox ? ACCESSES : ['guest']);
        // Other devices must not learn whether a Fotobox password is right or wrong.
        if (opened || isFotobox || !fotobox) return opened;
      }
      throw limited;
    }

    const opened = await guess(address, ACCESSES).catch(guessAsDevice);
    if (opened === 'fotobox') seeBooth(event.id);
    if (opened === 'fotobox' && box) remember(fotoboxes, box, FOTOBOXES_MAX);
    return opened;
  }

  return {
    resolve,

    /** Refuses photos for an event whose public key may have been replaced; the senders keep their photos and retry. */
    mustTakePhotos(event: EventRow): void {
      if (event.tampered_at !== null) throw new Refusal('unavailable', { retryAfter: TAMPERED_RETRY_S });
    },

    find,

    /** When a Fotobox last gave the event's password to this node; null: not since its start. */
    boothSeen: (eventId: string): number | null => boothsSeen.get(eventId) ?? null,

    /** The palette that an event's pages wear, also where it is not open; null where it has none. Wrong codes are counted as by `find`. */
    async paletteOf(code: string, address: string): Promise<Palette | null> {
      const event = await resolve(code);
      if (event) return lookOf(event).palette;
      await find(code, address).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      });
      return null;
    },

    /**
     * The event of a code, with the same limits as GET /event/:code. Whether a password is right is checked by that call. Null after an error of the server: then the page itself makes the call.
     */
    async drawn(code: string, { address, hasPassword }: { address: string; hasPassword: boolean }): Promise<DrawnEvent | null> {
      try {
        const event = guestView(await find(code, address), clock.now());
        return { event, locked: event.with_upload_password && !hasPassword };
      } catch (error) {
        if (!(error instanceof Refusal) || errors[error.code].status >= 500) return null;
        return { refused: { status: errors[error.code].status, ...errorBody(error) } };
      }
    },

    /**
     * The access that a password gives: 'fotobox' for the Fotobox's password, else 'guest' (also if no password is required). Throws
     * Refusal wrong_event_password, too_many_attempts.
     */
    async checkPassword(event: EventRow, password: string | undefined, guesser: Guesser): Promise<Access> {
      const needed = event.with_upload_password === 1;
      if (password && (needed || event.with_fotobox === 1)) {
        try {
          const opened = await openedBy(event, password, guesser);
          if (opened) return opened;
        } catch (error) {
          // If guests need no password, the photo is accepted as a guest's instead of being refused.
          const mayGoOn = error instanceof Refusal && error.code === 'too_many_attempts' && !needed && event.with_user_upload === 1;
          if (!mayGoOn) throw error;
        }
      }
      if (needed) throw new Refusal('wrong_event_password');
      return 'guest';
    },

    /** Whether a password is the Fotobox's: for what is not a guest's. Throws Refusal too_many_attempts. */
    async isFotobox(event: EventRow, password: string, guesser: Guesser): Promise<boolean> {
      return event.with_fotobox === 1 && (await openedBy(event, password, guesser)) === 'fotobox';
    },
  };
}

/** `opens_on` if the event is not open yet, else `ended_on`, its last day; days in Berlin. */
function inactiveSince(event: EventRow, now: number): Record<string, string> {
  return now < joinableWindow(event).opens ? { opens_on: addDays(event.start_date, -JOINABLE_DAYS_BEFORE) } : { ended_on: event.end_date };
}
