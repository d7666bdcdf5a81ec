import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import { EVENT_PASSWORD_FAILURES, JOINABLE_DAYS_BEFORE } from '@feierbild/contract/constants.ts';
import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import type { Palette } from '@feierbild/contract/palettes.ts';
import type { EventRow } from '../../database/rows.ts';
import { errorBody } from '../../http/errors.ts';
import { networkPath } from '../../lib/address.ts';
import { Refusal } from '../../lib/errors.ts';
import { remember } from '../../lib/remember.ts';
import { isUuid } from '../../lib/ids.ts';
import type { LimitKey, RateLimits } from '../rate-limits/rate-limits.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Context } from '../context.ts';
import { createProof, isProof } from '../proofs/proofs.ts';
import { guestView, lookOf } from './event-views.ts';
import type { EventStore, FoundEvent } from './events.store.ts';

/** The kinds of access that a password gives. */
type Access = 'guest' | 'fotobox';
const ACCESSES: readonly Access[] = ['guest', 'fotobox'];
const STORED_AS = { guest: 'upload', fotobox: 'fotobox' } as const;

/** The access that was given; `verifier` is the one that the password fits, null if none was needed. */
export interface Opened {
  who: Access;
  verifier: string | null;
}
/** A password that a given one is compared with. */
interface Asked extends Opened {
  verifier: string;
}
/** Seconds until an upload to an event with changed keys may be tried again. */
const TAMPERED_RETRY_S = 300;
/** Length of the proof in a card's code, base64url characters: 96 bits. */
const PROOF_LENGTH = 16;
/** Most devices remembered as a Fotobox; real installations have only a few. */
const FOTOBOXES_MAX = 1000;
/** Shortest interval between two notes that a booth was seen, ms: a booth shows its password with every photo. */
const BOOTH_NOTED_MS = 60_000;

/** The sender of a password, with the device's id if there is one. */
interface Guesser {
  address: string;
  deviceId: string | null;
}

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  store: EventStore;
  limits: RateLimits;
}

/** Creates the access of guests to an event: by its code, and by its password if it has one. */
export function createGuestEvents({ db, store, vault, limits, clock }: Deps) {
  const proof = createProof(db);
  const proofOf = async (eventId: string, password: string): Promise<string> =>
    (await proof('event-link', eventId, password)).slice(0, PROOF_LENGTH);

  /** Returns the password in a card's code that we made; null for a typed password. */
  async function carriedBy(given: string, eventId: string): Promise<string | null> {
    const at = given.length - PROOF_LENGTH - 1;
    const password = given.slice(0, Math.max(0, at));
    return given[at] === '.' && isProof(await proofOf(eventId, password), given.slice(at + 1)) ? password : null;
  }

  /** Returns the event of an id or of a typed code (which is cleaned up first); undefined if there is none. */
  async function resolve(ref: string): Promise<FoundEvent | undefined> {
    if (isUuid(ref)) return store.find('id', ref);
    const code = cleanEventCode(ref);
    return isEventCode(code) ? store.find('code', code) : undefined;
  }

  /** Returns the event of a code, open or not. Wrong codes are counted for the address; right codes are never limited. */
  async function findAny(ref: string, address: string): Promise<FoundEvent> {
    const event = await resolve(ref);
    if (event) return event;
    return limits.serialized('event-code', [address], async (attempt) => {
      attempt.failed();
      throw new Refusal('event_not_found');
    });
  }

  function mustBeOpen(event: FoundEvent): FoundEvent {
    if (!isJoinable({ ...event, is_active: event.is_active === 1, purged_at: event.purging_at ? 'now' : null }, clock.now())) {
      throw new Refusal('event_inactive', { fields: inactiveSince(event, clock.now()) });
    }
    return event;
  }

  /** Returns the open event of a code, with the limits of `findAny`. */
  const find = async (ref: string, address: string): Promise<FoundEvent> => mustBeOpen(await findAny(ref, address));

  /** Events and devices, with the verifier that their Fotobox password fitted; their wrong ones are counted for the device. */
  const fotoboxes = new Set<string>();
  /** When this node last noted an event's Fotobox, by event. */
  const boothsSeen = new Map<string, number>();

  /** When this node last refused newcomers' attempts at an event's password, by event. */
  const lockedOut = new Map<string, number>();

  function lockOut(eventId: string): void {
    lockedOut.delete(eventId);
    lockedOut.set(eventId, clock.now());
    const [oldest] = lockedOut.keys();
    if (lockedOut.size > FOTOBOXES_MAX && oldest !== undefined) lockedOut.delete(oldest);
  }

  async function seeBooth(eventId: string): Promise<void> {
    const now = clock.now();
    if (now - (boothsSeen.get(eventId) ?? -Infinity) < BOOTH_NOTED_MS) return;
    boothsSeen.delete(eventId);
    boothsSeen.set(eventId, now);
    const [oldest] = boothsSeen.keys();
    if (boothsSeen.size > FOTOBOXES_MAX && oldest !== undefined) boothsSeen.delete(oldest);
    await store.seeBooth(eventId, now);
  }

  /**
   * Returns the access that a password gives; null if it is wrong. It is compared with the event's passwords of these `kinds`, and counts as
   * a failure at each of them if it fits none. Failures at a password are counted for the network, or for a device that is known by it. A
   * password whose failures are used up is not compared. Throws Refusal `too_many_attempts` if that leaves open whether there is access.
   */
  async function openedBy(
    event: EventRow,
    password: string,
    { address, deviceId }: Guesser,
    kinds: readonly Access[] = ACCESSES,
  ): Promise<Opened | null> {
    const isOn = { guest: event.with_upload_password === 1, fotobox: event.with_fotobox === 1 };
    const device = deviceId === null ? null : deviceHash(vault, deviceId, event.id);
    const box = device && `${event.id} ${Buffer.from(device).toString('base64url')}`;
    const [stored, hasUploaded] = await Promise.all([
      store.passwords(event.id),
      device !== null && isOn.guest && kinds.includes('guest') && store.hasDevice(event.id, device),
    ]);
    const asked = kinds.flatMap((who) => {
      const verifier = isOn[who] ? stored.find(({ kind }) => kind === STORED_AS[who])?.verifier : undefined;
      return verifier === undefined ? [] : [{ who, verifier }];
    });
    // A guest's device that has uploaded must not have guesses of its own at the Fotobox's password.
    // Neither must one that gave a former one, as ids of devices are made up.
    const isBooth = asked.some(({ who, verifier }) => who === 'fotobox' && fotoboxes.has(`${box} ${verifier}`));
    const isKnown = { guest: hasUploaded, fotobox: isBooth };
    const keyOf = (who: Access): LimitKey => [isKnown[who] ? `device:${box}` : address, event.id, who];
    const limited: { who: Access; refusal: Refusal }[] = [];

    async function remembered(): Promise<Asked | undefined> {
      for (const one of asked)
        if ((await limits.checkAhead('event-password', ...keyOf(one.who))) && vault.remembersPassword(one.verifier, password)) return one;
      return undefined;
    }

    /** Compares the password with each of these, in attempts that end together. */
    async function guess([one, ...others]: readonly Asked[]): Promise<Asked | undefined> {
      if (!one) return undefined;
      try {
        return await limits.serialized('event-password', keyOf(one.who), async (attempt) => {
          // Booths, and guests with an old link, all send the same former password; at the Fotobox's it counts as one attempt.
          const isRepeated = one.who === 'fotobox' && vault.refusesPassword(one.verifier, password);
          if (!isRepeated && (await vault.verifyPassword(one.verifier, password, networkPath(address)))) return one;
          let found: Asked | undefined;
          try {
            found = await guess(others);
          } finally {
            // An answer that breaks off here says that the password does not fit this one.
            if (!found && !isRepeated) attempt.failed();
          }
          return found;
        });
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'too_many_attempts') throw error;
        limited.push({ who: one.who, refusal: error });
        return guess(others);
      }
    }

    const opened = (await remembered()) ?? (await guess(asked));
    if (!opened && limited.some(({ who }) => who === 'guest') && !isKnown.guest) lockOut(event.id);
    if (!opened && limited[0]) throw limited[0].refusal;
    if (opened?.who === 'fotobox') await seeBooth(event.id);
    if (opened?.who === 'fotobox' && box) remember(fotoboxes, `${box} ${opened.verifier}`, FOTOBOXES_MAX);
    return opened ?? null;
  }

  return {
    resolve,

    /** Refuses photos for an event whose public key may have been replaced; the senders keep their photos and retry. */
    mustTakePhotos(event: EventRow): void {
      if (event.tampered_at !== null) throw new Refusal('unavailable', { retryAfter: TAMPERED_RETRY_S });
    },

    find,

    /**
     * Returns a card's code in place of the password. Its proof shows that we made it: the guesses of others then lock out nobody who has
     * the card.
     */
    async linkPassword(eventId: string, password: string | null): Promise<{ link_password?: string }> {
      return password === null ? {} : { link_password: `${password}.${await proofOf(eventId, password)}` };
    },

    /**
     * Returns when newcomers were last refused because of too many wrong passwords from their network; null if not since this node's start,
     * or if that limit has ended.
     */
    lockedOutAt(eventId: string): number | null {
      const at = lockedOut.get(eventId) ?? null;
      return at !== null && at > clock.now() - EVENT_PASSWORD_FAILURES.window ? at : null;
    },

    /** Returns how an event's pages look, even if it is not open; null if there is none. Counts wrong codes as `find` does. */
    async shownAs(code: string, address: string): Promise<{ palette: Palette | null; phone_language: boolean } | null> {
      const event = await findAny(code, address).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return null;
      });
      return event && { palette: lookOf(event).palette, phone_language: event.phone_language === 1 };
    },

    /**
     * Returns the event of a code for the page, with the same limits as GET /event/:code; only that call checks the password. Null after an
     * error of the server; then the page itself makes the call.
     */
    async drawn(code: string, { address, hasPassword }: { address: string; hasPassword: boolean }): Promise<DrawnEvent | null> {
      let spoken: Pick<DrawnEvent, 'phone_language'> = {};
      try {
        const found = await findAny(code, address);
        if (found.phone_language === 1) spoken = { phone_language: true };
        const event = guestView(mustBeOpen(found), clock.now());
        return { event, locked: event.with_upload_password && !hasPassword, ...spoken };
      } catch (error) {
        if (!(error instanceof Refusal) || errors[error.code].status >= 500) return null;
        return { refused: { status: errors[error.code].status, ...errorBody(error) }, ...spoken };
      }
    },

    /**
     * Returns the access that a password gives: 'fotobox' for the Fotobox's password, else 'guest' (also if no password is required).
     * Throws Refusal `wrong_event_password`, `too_many_attempts`.
     */
    async checkPassword(event: EventRow, password: string | undefined, guesser: Guesser): Promise<Opened> {
      const needed = event.with_upload_password === 1;
      const carried = password ? await carriedBy(password, event.id) : null;
      if (carried !== null && needed) {
        const verifier = (await store.passwords(event.id)).find(({ kind }) => kind === 'upload')?.verifier;
        // A card with a former password is no guess, either.
        const wrong = verifier === undefined || vault.refusesPassword(verifier, carried);
        if (wrong || !(await vault.verifyPassword(verifier, carried, networkPath(guesser.address))))
          throw new Refusal('wrong_event_password');
        return { who: 'guest', verifier };
      }
      if (carried !== null) return { who: 'guest', verifier: null };
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
      return { who: 'guest', verifier: null };
    },

    /** Returns whether a password is the Fotobox's. Throws Refusal `too_many_attempts`. */
    async isFotobox(event: EventRow, password: string, guesser: Guesser): Promise<boolean> {
      return event.with_fotobox === 1 && (await openedBy(event, password, guesser, ['fotobox'])) !== null;
    },
  };
}

/**
 * Returns `opens_on` if the event is not open yet, else `ended_on`, its last day, and `purged_on` once its photos are deleted, so that
 * phones remove their copies. A leap of the clock deletes no photos, so it gives no `purged_on`. Days are in Berlin.
 */
function inactiveSince(event: EventRow, now: number): Record<string, string> {
  if (now < joinableWindow(event).opens) return { opens_on: addDays(event.start_date, -JOINABLE_DAYS_BEFORE) };
  return { ended_on: event.end_date, ...(event.purging_at !== null && { purged_on: berlinDay(event.purging_at) }) };
}
