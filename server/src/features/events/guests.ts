import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import { EVENT_PASSWORD_FAILURES, JOINABLE_DAYS_BEFORE } from '@feierbild/contract/constants.ts';
import { cleanEventCode, isEventCode } from '@feierbild/contract/event-code.ts';
import type { DrawnEvent } from '@feierbild/contract/entities.ts';
import { errors } from '@feierbild/contract/errors.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import type { Palette } from '@feierbild/contract/palettes.ts';
import type { EventRow } from '../../database/schema.ts';
import { errorBody } from '../../http/errors.ts';
import { networkPath } from '../../lib/address.ts';
import { Refusal } from '../../lib/errors.ts';
import { remember } from '../../lib/remember.ts';
import { isUuid } from '../../lib/ids.ts';
import type { RateLimits } from '../rate-limits/rate-limits.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Context } from '../context.ts';
import { createProof, isProof } from '../proofs/proofs.ts';
import { guestView, lookOf } from './event-views.ts';
import type { EventStore, FoundEvent, StoredPassword } from './events.store.ts';

/** The kinds of access that a password gives. */
type Access = 'guest' | 'fotobox';
const ACCESSES: readonly Access[] = ['guest', 'fotobox'];

/** The access that was given; `verifier` is the one that the password fits, null if none was needed. */
export interface Opened {
  who: Access;
  verifier: string | null;
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

  /** Pairs of event and device that gave the right Fotobox password; only these may try it while their network is limited. */
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
   * Returns the access that a password gives; null if it is wrong. Failures are counted by event and network, and the limit is checked
   * before the password. While a network is limited, only devices that have uploaded before may try; their failures are counted for each
   * device. Throws Refusal `too_many_attempts`.
   */
  async function openedBy(event: EventRow, password: string, { address, deviceId }: Guesser): Promise<Opened | null> {
    const needed = event.with_upload_password === 1;
    const fotobox = event.with_fotobox === 1;
    const stored = await store.passwords(event.id);
    const verifierOf = (kind: string): string | undefined => stored.find((one: StoredPassword) => one.kind === kind)?.verifier;
    const verifiers = { guest: needed ? verifierOf('upload') : undefined, fotobox: fotobox ? verifierOf('fotobox') : undefined };

    /** Makes one attempt, counted for `sender`; null if the password is wrong. Throws Refusal `too_many_attempts`. */
    async function guess(sender: string, kinds: readonly Access[]): Promise<Opened | null> {
      const asked = kinds.flatMap((who) => (verifiers[who] === undefined ? [] : [{ who, verifier: verifiers[who] }]));
      if (await limits.checkAhead('event-password', sender, event.id)) {
        const remembered = asked.find(({ verifier }) => vault.remembersPassword(verifier, password));
        if (remembered) return remembered;
      }
      return limits.serialized('event-password', [sender, event.id], async (attempt) => {
        // Guests with an old link all try the same former password; it counts as one attempt.
        if (!needed && asked.every(({ verifier }) => vault.refusesPassword(verifier, password))) return null;
        for (const one of asked) if (await vault.verifyPassword(one.verifier, password, networkPath(address))) return one;
        attempt.failed();
        return null;
      });
    }

    const device = deviceId === null ? null : deviceHash(vault, deviceId, event.id);
    const box = device && `${event.id} ${Buffer.from(device).toString('base64url')}`;

    /** Makes an attempt that is counted for the device instead of its limited network; throws `limited` if the device may not try. */
    async function guessAsDevice(limited: unknown): Promise<Opened | null> {
      if (!(limited instanceof Refusal) || limited.code !== 'too_many_attempts') throw limited;
      if (device && box && (await store.hasDevice(event.id, device))) {
        const isFotobox = fotoboxes.has(box);
        const opened = await guess(`device:${box}`, isFotobox ? ACCESSES : ['guest']);
        // Other devices must not learn whether a Fotobox password is right or wrong.
        if (opened || isFotobox || !fotobox) return opened;
      }
      lockOut(event.id);
      throw limited;
    }

    const opened = await guess(address, ACCESSES).catch(guessAsDevice);
    if (opened?.who === 'fotobox') await seeBooth(event.id);
    if (opened?.who === 'fotobox' && box) remember(fotoboxes, box, FOTOBOXES_MAX);
    return opened;
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
      return event.with_fotobox === 1 && (await openedBy(event, password, guesser))?.who === 'fotobox';
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
