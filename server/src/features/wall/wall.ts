import type { LinkForm } from '@feierbild/contract/calls/gallery.ts';
import { MINUTE } from '@feierbild/contract/constants.ts';
import type { Wall, WallChange, WallState } from '@feierbild/contract/calls/wall.ts';
import { WALL_CODE } from '@feierbild/contract/wall.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import type { Kysely } from 'kysely';
import { recordChange } from '../../database/changes.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import type { EventRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { HostVisitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { randomCode } from '../../lib/ids.ts';
import type { KeyOwner } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Asked, Grants } from '../grants/grants.ts';
import type { Context } from '../context.ts';
import type { LoginThrottle } from '../rate-limits/login-throttle.ts';
import type { Sessions, StartedSession } from '../sessions/sessions.ts';
import { CLOCK_SKEW_MS, iso } from '../../lib/clock.ts';

const AS_IT_IS: WallState = {
  paused: false,
  curtain: false,
  layout: 'pairs',
  qr: true,
  brightness: 100,
  favourites: false,
  large: false,
  photo: null,
  steps: 0,
};
/** Attempts to draw a code that is free. */
const DRAWS = 5;
/** Most photos of a round of favourites. */
const LOVED = 300;

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  grants: Grants;
  sessions: Sessions;
  loginThrottle: LoginThrottle;
  audit: Pick<Audit, 'record'>;
}

export type WallFeature = ReturnType<typeof createWall>;

/** The slideshow on a wall: the host's phone controls it, and a screen can show it without a login. */
export function createWall({ db, vault, clock, grants, sessions, loginThrottle, audit }: Deps) {
  const ownerOf = (eventId: string): KeyOwner => ({ kind: 'projector', owner: eventId, subject: 'typed' });

  async function view(eventId: string, kysely: Kysely<Database> = db.kysely): Promise<Wall> {
    const row = await kysely.selectFrom('walls').selectAll().where('event_id', '=', eventId).executeTakeFirst();
    return { ...AS_IT_IS, ...(row && (JSON.parse(row.state) as WallState)), version: row?.version ?? 0 };
  }

  function mayShow({ demo, with_slideshow: on }: EventRow): void {
    if (demo === 1) throw new Refusal('demo_fixed');
    if (on !== 1) throw new Refusal('slideshow_disabled');
  }

  /** Locks the event's row, as every change does first: the second of two changes sees the first. Throws Refusal event_purged. */
  async function hold(trx: Trx, eventId: string): Promise<void> {
    const living = trx.selectFrom('events').select('id').where('id', '=', eventId).where('purging_at', 'is', null);
    if (!(await living.forUpdate().executeTakeFirst())) throw new Refusal('event_purged');
  }

  /** Finds the event of a typed code, and opens its key. Throws Refusal invalid_credentials, too_many_attempts. */
  async function openTyped(typed: string, address: string) {
    const clean = cleanEventCode(typed);
    const [selector, password] = [clean.slice(0, WALL_CODE.selector), clean.slice(WALL_CODE.selector)];
    const find = () =>
      db.kysely
        .selectFrom('wall_codes')
        .innerJoin('events', 'events.id', 'wall_codes.event_id')
        .innerJoin('event_keys', 'event_keys.event_id', 'events.id')
        .select(['events.id', 'events.code', 'wall_codes.wrapped', 'event_keys.public_key'])
        .where('selector', '=', selector)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst();
    // All codes count under one name: ten guesses in ten minutes.
    const opened = await loginThrottle.attempt(
      { address },
      {
        name: 'wall',
        password,
        find,
        open: async (row, caller) => {
          const { id, code, wrapped, public_key: publicKey } = row;
          return { id, code, publicKey, privateKey: await vault.openWithPassword(wrapped, password, ownerOf(id), publicKey, caller) };
        },
        onTampered: async () => undefined,
      },
    );
    if (!opened) throw new Refusal('invalid_credentials');
    return opened;
  }

  return {
    view: (event: Pick<EventRow, 'id'>): Promise<Wall> => view(event.id),

    /** Lists shown photos with hearts, from few to many: a wall learns their order, not the numbers. */
    async loved(eventId: string): Promise<string[]> {
      const rows = db.kysely
        .selectFrom('hearts')
        .innerJoin('photos', 'photos.id', 'hearts.photo_id')
        .select('photos.id')
        // Hearts have no index by event.
        .where('photos.event_id', '=', eventId)
        .where('photos.slideshow', '=', 1)
        .groupBy('photos.id')
        .orderBy((row) => row.fn.countAll(), 'desc')
        .orderBy('photos.id')
        .limit(LOVED);
      return (await rows.execute()).map(({ id }) => id).reverse();
    },

    /** Returns the path of the guests' page, with the token of the gallery if guests may look. */
    async guestsPath({ code, gallery_mode: mode }: EventRow, by: HostVisitor): Promise<string> {
      const token = mode === 'drop' ? null : await grants.tokenOf(by, 'gallery');
      return `/event/${code}${token === null ? '' : `#${token}`}`;
    },

    /** Throws Refusal event_changed if the change was made from another version. */
    async change(event: EventRow, { version, next, ...changes }: WallChange): Promise<Wall> {
      if (event.demo === 1) throw new Refusal('demo_fixed');
      return db.transaction(async (trx) => {
        await hold(trx, event.id);
        const before = await view(event.id, trx);
        if (before.version !== version) throw new Refusal('event_changed');
        const { photo } = changes;
        if (photo) {
          const shown = trx.selectFrom('photos').select('id').where('id', '=', photo).where('event_id', '=', event.id);
          if (!(await shown.where('slideshow', '=', 1).executeTakeFirst())) throw new Refusal('photo_not_found');
        }
        const steps = before.steps + (next || photo ? 1 : 0);
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Partial<WallState>;
        const { version: _, ...state } = { ...before, ...given, ...(next && { photo: null }), steps };
        const row = { version: version + 1, state: JSON.stringify(state) };
        await trx
          .insertInto('walls')
          .values({ event_id: event.id, ...row })
          .onConflict((conflict) => conflict.column('event_id').doUpdateSet(row))
          .execute();
        await recordChange(trx, event.id, 'wall');
        return { ...state, version: row.version };
      });
    },

    /** Returns the path of the crew's link; null if there is none. */
    async linkUrl({ event, host }: Pick<Asked, 'event' | 'host'>): Promise<string | null> {
      const token = await grants.tokenOf(host, 'projector');
      return token === null ? null : `/leinwand/${event.code}#${token}`;
    },

    /**
     * Creates, replaces or removes the link. Replacing and removing end every screen that shows the slideshow without a login. `keep`: an
     * existing link stays.
     */
    async setLink(asked: Asked, { value: on = true, keep = false }: Partial<LinkForm>): Promise<void> {
      const { event, host } = asked;
      if (on) mayShow(event);
      if (event.demo === 1) throw new Refusal('demo_fixed');
      const privateKey = host.openEventKey();
      // A first link replaces none: a television with a typed code goes on.
      const isThere = (await grants.tokenOf(host, 'projector')) !== null;
      if (on && keep && isThere) return;
      const isFirst = on && !isThere;
      await grants.replace(isFirst ? null : 'wall.link', asked, on ? 'wall.invited' : 'wall.ended', async (trx) => {
        if (on) await grants.add(trx, event.id, 'projector', { privateKey });
      });
    },

    /** Makes a code to type, in place of an earlier one. */
    async newCode({ event, host }: Asked): Promise<{ code: string; expires_at: string }> {
      mayShow(event);
      const keys = await db.kysely.selectFrom('event_keys').select('public_key').where('event_id', '=', event.id).executeTakeFirst();
      if (!keys) throw new Refusal('event_purged');
      const pair = { publicKey: keys.public_key, privateKey: host.openEventKey() };
      for (let draw = 1; ; draw++) {
        const code = randomCode(WALL_CODE.length);
        const wrapped = await vault.wrapWithPassword(pair, code.slice(WALL_CODE.selector), ownerOf(event.id));
        const expires_at = clock.now() + WALL_CODE.minutes * MINUTE;
        try {
          await db.transaction(async (trx) => {
            await hold(trx, event.id);
            await sessions.mustLive(host.sessionId, trx);
            await trx.deleteFrom('wall_codes').where('event_id', '=', event.id).execute();
            await trx
              .insertInto('wall_codes')
              .values({ event_id: event.id, selector: code.slice(0, WALL_CODE.selector), wrapped, expires_at })
              .execute();
          });
          return { code, expires_at: iso(expires_at) };
        } catch (error) {
          // Another event's code begins with the same characters.
          if (!isUniqueViolation(error) || draw === DRAWS) throw error;
        }
      }
    },

    /**
     * Opens a wall with the link's token, or with a typed code, which works once. Throws Refusal invalid_credentials, too_many_attempts.
     */
    async login(entry: {
      code?: string | undefined;
      token?: string | undefined;
      typed?: string | undefined;
      address: string;
    }): Promise<StartedSession & { code: string }> {
      const { code = '', token, typed, address } = entry;
      if (typed === undefined) return grants.login('projector', { code, token }, address);
      const { id, code: eventCode, ...pair } = await openTyped(typed, address);
      const started = await db.transaction(async (trx) => {
        await hold(trx, id);
        const used = trx
          .deleteFrom('wall_codes')
          .where('event_id', '=', id)
          .where('selector', '=', cleanEventCode(typed).slice(0, WALL_CODE.selector));
        if (!(await used.returning('event_id').executeTakeFirst())) throw new Refusal('invalid_credentials');
        await audit.record({ actor: 'projector', action: 'wall.opened', eventId: id, eventCode, address }, trx);
        return sessions.start('projector', id, pair, trx);
      });
      await db.eraseDeleted();
      return { ...started, code: eventCode };
    },

    /** Deletes codes whose time is over, also those of a clock that was ahead. Five characters protect an event's key no longer than that. */
    async endExpired(): Promise<void> {
      const now = clock.now();
      const latest = now + WALL_CODE.minutes * MINUTE + CLOCK_SKEW_MS;
      await db.kysely
        .deleteFrom('wall_codes')
        .where((is) => is.or([is('expires_at', '<=', now), is('expires_at', '>', latest)]))
        .execute();
    },
  };
}
