import type { Gallery, GalleryForm, ApprovalForm, LinkForm } from '@feierbild/contract/calls/gallery.ts';
import type { AuditAction } from '@feierbild/contract/calls/admins.ts';
import { HEARTS_OF_PHOTO } from '@feierbild/contract/constants.ts';
import { hasGalleryKeys, isGalleryOpen } from '@feierbild/contract/gallery.ts';
import { setTimeout } from 'node:timers/promises';
import type { Updateable } from 'kysely';
import { isReferenceViolation } from '../../database/errors.ts';
import { insertWhere } from '../../database/insert-where.ts';
import { IS_WAITING } from '../../database/photo-states.ts';
import type { EventRow } from '../../database/rows.ts';
import type { Database } from '../../database/schema.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { Refusal } from '../../lib/errors.ts';
import { hasNews } from '../../lib/opened-form.ts';
import type { KeyPair } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Events } from '../events/events.ts';
import type { Asked, Grants } from '../grants/grants.ts';
import type { Context } from '../context.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import { forGuests, openGalleryKey, approvalDueAt, sealGalleryKey, takeNames } from '../photo-keys/photo-keys.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createSealing } from './sealing.ts';
import { iso } from '../../lib/clock.ts';

/** Returns the host's settings of the gallery. */
function settingsOf(event: EventRow) {
  return {
    mode: event.gallery_mode,
    opens_at: iso(event.gallery_opens_at),
    photos_per_device: event.gallery_photos_per_device,
    originals: event.gallery_originals === 1,
    own_meanwhile: event.gallery_own_meanwhile === 1,
    wall_meanwhile: event.gallery_wall_meanwhile === 1,
  };
}

/** Longest time for an answer; if sealing takes longer, the host's page learns how many photos are left, and asks again. */
const ANSWER_MS = 3000;

const OVER = 'Nach der Uhr des Servers ist dieser Zeitpunkt vorbei.';

export type GalleryFeature = ReturnType<typeof createGallery>;

interface Deps extends Pick<Context, 'db' | 'vault' | 'sealedMetadata' | 'clock'> {
  events: Pick<Events, 'change'>;
  sessions: Pick<Sessions, 'mustLive'>;
  grants: Grants;
  keyAlarm: Pick<KeyAlarm, 'guard'>;
  audit: Pick<Audit, 'record'>;
}

/** Creates the guests' gallery of an event: its settings, its keys and links, the hearts. Only shown photos have a key for guests. */
export function createGallery({ db, vault, sealedMetadata, clock, events, sessions, grants, keyAlarm, audit }: Deps) {
  const sealing = createSealing({ db, vault, sealedMetadata });

  /** Opens the gallery's key pair with the event's key; null if there is none. */
  async function keysOf({ event, host }: Pick<Asked, 'event' | 'host'>): Promise<KeyPair | null> {
    const row = await db.kysely.selectFrom('gallery_keys').selectAll().where('event_id', '=', event.id).executeTakeFirst();
    if (!row) return null;
    const privateKey = keyAlarm.guard({ eventId: event.id }, () => openGalleryKey(vault, host.openEventKey(), event.id, row));
    return { publicKey: row.public_key, privateKey };
  }

  /**
   * Returns the host's view. Also seals the photos that a change, or an older release, has left: ANSWER_MS before the answer, the rest
   * after it. `pending` counts the photos that are left.
   */
  async function view(asked: Pick<Asked, 'event' | 'host'>, settings: EventRow): Promise<Gallery> {
    const { event, host } = asked;
    const keys = await keysOf(asked);
    if (keys) await Promise.race([sealing.catchUp(event.id, host.openEventKey, keys), setTimeout(ANSWER_MS, null, { ref: false })]);
    const token = await grants.tokenOf(host, 'gallery');
    return {
      ...settingsOf(settings),
      url: token === null ? null : `/galerie/${event.code}#${token}`,
      open: isGalleryOpen(settings, clock.now()),
      pending: hasGalleryKeys(settings) ? await sealing.pending(event.id) : 0,
    };
  }

  /** Changes the event and its keys: `fresh` gives it a new pair and link, `none` ends both. Deletes all keys sealed to the old pair. */
  async function change(asked: Asked, columns: Updateable<Database['events']>, keys: 'keep' | 'fresh' | 'none', action: AuditAction) {
    const { event, address } = asked;
    if (event.demo === 1) throw new Refusal('demo_fixed');
    const changed = { ...event, ...columns } as EventRow;
    const pair = keys === 'fresh' ? vault.createKeyPair() : null;
    await events.change(event, columns, async (trx) => {
      await sessions.mustLive(asked.host.sessionId, trx);
      if (keys !== 'keep' || !hasGalleryKeys(changed)) {
        await trx.deleteFrom('gallery_photo_keys').where('event_id', '=', event.id).execute();
        await takeNames(trx, event.id);
      }
      if (keys !== 'keep') {
        for (const table of ['gallery_guests', 'gallery_keys'] as const)
          await trx.deleteFrom(table).where('event_id', '=', event.id).execute();
        await grants.end('gallery.link', event.id, trx);
      }
      if (pair) {
        const { eventKey } = await grants.add(trx, event.id, 'gallery', pair);
        const sealed_for_event = sealGalleryKey(vault, eventKey, event.id, pair.privateKey);
        await trx.insertInto('gallery_keys').values({ event_id: event.id, public_key: pair.publicKey, sealed_for_event }).execute();
      }
      await audit.record({ actor: 'host', action, eventId: event.id, eventCode: event.code, address }, trx);
    });
    await db.eraseDeleted();
    return view(asked, changed);
  }

  const mustBeOn = ({ event }: Asked): void => {
    if (event.gallery_mode === 'drop') throw new Refusal('gallery_off');
  };

  return {
    view: (asked: Pick<Asked, 'event' | 'host'>): Promise<Gallery> => view(asked, asked.event),

    /**
     * Saves the settings. Throws Refusal `event_changed` if others were saved after the form was opened, and `invalid_input` with the
     * field's text for a moment that is over although it was to lie `ahead`: a reveal cannot be undone.
     */
    async set(asked: Asked, { was, ahead, ...form }: GalleryForm): Promise<Gallery> {
      const { gallery_mode: before, gallery_opens_at: due, gallery_revealed_at: revealed } = asked.event;
      const opens = form.mode === 'reveal' && form.opens_at !== null ? Date.parse(form.opens_at) : null;
      const columns = {
        gallery_mode: form.mode,
        gallery_opens_at: opens,
        // A new time means a new reveal.
        gallery_revealed_at: form.mode === 'reveal' && before === 'reveal' && opens === due ? revealed : null,
        gallery_photos_per_device: form.photos_per_device,
        gallery_originals: form.originals ? 1 : 0,
        gallery_own_meanwhile: form.own_meanwhile ? 1 : 0,
        gallery_wall_meanwhile: form.wall_meanwhile ? 1 : 0,
      };
      const opened = was && { ...was, opens_at: was.opens_at && new Date(was.opens_at).toISOString() };
      const wish = settingsOf({ ...asked.event, ...columns });
      if (!hasNews({ was: opened, wish, now: settingsOf(asked.event) })) return view(asked, asked.event);
      if (ahead && opens !== null && opens !== due && opens <= clock.now())
        throw new Refusal('invalid_input', { fields: { opens_at: OVER } });
      const keys = form.mode === 'drop' ? 'none' : before === 'drop' ? 'fresh' : 'keep';
      return change(asked, columns, keys, 'gallery.changed');
    },

    async newLink(asked: Asked): Promise<Gallery> {
      mustBeOn(asked);
      return change(asked, {}, 'fresh', 'gallery.link');
    },

    async reveal(asked: Asked): Promise<Gallery> {
      mustBeOn(asked);
      const columns = asked.event.gallery_mode === 'reveal' ? { gallery_revealed_at: clock.now() } : {};
      return change(asked, columns, 'keep', 'gallery.revealed');
    },

    /**
     * Sets the approval and its minutes. New minutes also count for photos that wait already. Without minutes, guests lose the keys of
     * waiting photos, and the names that these gave.
     */
    async setApproval({ event, host }: Asked, { value, minutes = event.release_minutes }: ApprovalForm) {
      const release = { value, minutes };
      if (event.demo === 1) return release;
      await events.change(event, { with_release: value ? 1 : 0, release_minutes: minutes }, async (trx) => {
        if (minutes === event.release_minutes) return;
        const release_at = approvalDueAt(minutes, clock.now());
        await trx.updateTable('photos').set({ release_at }).where('event_id', '=', event.id).where(IS_WAITING).execute();
        const hidden = trx
          .selectFrom('photos')
          .select('id')
          .where('event_id', '=', event.id)
          .where((row) => row.not(forGuests));
        await trx.deleteFrom('gallery_photo_keys').where('photo_id', 'in', hidden).execute();
        await takeNames(trx, event.id);
      });
      // The keys are sealed now, as nobody holds the event's key when the minutes are over.
      const keys = minutes === null ? null : await keysOf({ event, host });
      if (keys) await sealing.catchUp(event.id, host.openEventKey, keys);
      return release;
    },

    /** Returns the path of the helper's page; null if there is no link. */
    async helperUrl({ event, host }: Pick<Asked, 'event' | 'host'>): Promise<string | null> {
      const token = await grants.tokenOf(host, 'helper');
      return token === null ? null : `/freigabe/${event.code}#${token}`;
    },

    /** Makes a new link for a helper, or none; ends an earlier one with its sessions, unless `keep` is set. */
    async setHelper(asked: Asked, { value: on = true, keep = false }: Partial<LinkForm>): Promise<void> {
      const { event, host } = asked;
      if (event.demo === 1) throw new Refusal('demo_fixed');
      if (on && keep && (await grants.tokenOf(host, 'helper')) !== null) return;
      const privateKey = host.openEventKey();
      await grants.replace('helper.link', asked, on ? 'helper.invited' : 'helper.ended', async (trx) => {
        if (on) await grants.add(trx, event.id, 'helper', { privateKey });
      });
    },

    /**
     * Gives or takes back a device's heart for a photo; true if it is given. As a device id is easily made up, hearts per photo are
     * limited.
     */
    async setHeart(heart: { photo_id: string; event_id: string; device_hash: Bytes }, value: boolean): Promise<boolean> {
      const { photo_id, device_hash } = heart;
      const given = db.kysely.selectFrom('hearts').where('photo_id', '=', photo_id);
      if (!value) {
        await db.kysely.deleteFrom('hearts').where('photo_id', '=', photo_id).where('device_hash', '=', device_hash).execute();
        return false;
      }
      const taking = db.kysely
        .selectFrom('photos')
        .where('id', '=', photo_id)
        .where(
          given.select((row) => row.fn.countAll<number>().as('count')),
          '<',
          HEARTS_OF_PHOTO,
        );
      try {
        await insertWhere(db.kysely, 'hearts', heart, taking)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      } catch (error) {
        // The photo was deleted meanwhile.
        if (!isReferenceViolation(error)) throw error;
        throw new Refusal('photo_not_found', { cause: error });
      }
      return (await given.select('photo_id').where('device_hash', '=', device_hash).executeTakeFirst()) !== undefined;
    },
  };
}
