import { EVENT_CODE_LENGTH, GB } from '@feierbild/contract/constants.ts';
import type { AdminEvent, CreatedEvent, MadeInvitation } from '@feierbild/contract/entities.ts';
import type { EventForm } from '@feierbild/contract/event-form.ts';
import { isUniqueViolation } from '../../database/errors.ts';
import type { Trx } from '../../database/open.ts';
import type { EventRow } from '../../database/rows.ts';
import type { AdminVisitor, Operator } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { randomCode, uuidv7 } from '../../lib/ids.ts';
import type { KeyPair } from '../../vault/vault.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { actorOf, type Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import type { Mail } from '../mail/mail.ts';
import type { OperatorKeys } from '../operator-keys/operator-keys.ts';
import { keptPasswords, newPasswords, NO_PASSWORDS, wantedPasswords } from './event-passwords.ts';
import { adminView, EVENT_SWITCHES } from './event-views.ts';
import type { EventStore, EventWithUse } from './events.store.ts';
import { withoutPeople } from './programs.ts';
import { iso } from '../../lib/clock.ts';

/** Most random codes that are tried until one is free; with 31^8 codes the first one is practically always free. */
const CODE_DRAWS = 5;
/** Columns of 0 and 1 that the form sets; only the host sets `with_slideshow_names`. */
const FORM_FLAGS = ['is_active', ...EVENT_SWITCHES.filter((name) => name !== 'with_slideshow_names')] as const;

interface Deps extends Pick<Context, 'db' | 'vault' | 'clock'> {
  accounts: Accounts;
  operatorKeys: OperatorKeys;
  audit: Audit;
  mail: Pick<Mail, 'invite'>;
  /** The public address without a final slash; null if the request tells it. */
  publicUrl: string | null;
  store: EventStore;
  /** Reads an event. Throws Refusal `event_not_found`. */
  mustExist(id: string, trx?: Trx): Promise<EventWithUse>;
  /** Returns an event that may be changed. Throws Refusal `event_not_found`, `event_purged`. */
  mustBeOpen(id: string): Promise<EventWithUse>;
}

/** Returns the columns that a form sets. */
export function columnsOf(form: EventForm) {
  const { title, subtitle, start_date, end_date } = form;
  const flags = Object.fromEntries(FORM_FLAGS.map((name) => [name, form[name] ? 1 : 0])) as Record<(typeof FORM_FLAGS)[number], number>;
  const storage_limit = form.storage_limit === null ? null : Math.round(form.storage_limit * GB);
  return { title, subtitle, start_date, end_date, ...flags, storage_limit };
}

/** Creates events with their key pairs, and invites their hosts. */
export function createEventCreation({
  db,
  vault,
  clock,
  accounts,
  operatorKeys,
  audit,
  mail,
  publicUrl,
  store,
  mustExist,
  mustBeOpen,
}: Deps) {
  /** Makes an invitation for an event's host from the event's keys, and mails it if there is an address. */
  async function inviteWith(
    trx: Trx,
    event: { id: string; code: string },
    keys: KeyPair,
    by: { actor: string; address: string },
  ): Promise<MadeInvitation> {
    const { token, expiresAt } = await accounts.invitations.add(trx, event.id, keys);
    const mailed = await mail.invite(trx, event.id, token);
    await audit.record({ ...by, action: 'host.invited', eventId: event.id, eventCode: event.code }, trx);
    return { link: `${publicUrl ?? ''}/einladung/${event.code}#${token}`, expires_at: iso(expiresAt), mailed };
  }

  /** Inserts an event and runs `also` in the same transaction; without an operator it is an event of the demo. */
  async function newRow(
    form: EventForm,
    keys: KeyPair,
    by: Operator | null,
    also: (trx: Trx, event: EventWithUse) => Promise<void> = async () => undefined,
  ): Promise<EventWithUse> {
    const admin = by && 'adminId' in by ? by : null;
    for (let draw = 1; ; draw++) {
      const now = clock.now();
      const id = uuidv7(now);
      const passwords = await newPasswords(vault, keys.publicKey, id, wantedPasswords(form), NO_PASSWORDS);
      try {
        return await db.transaction(async (trx) => {
          const row = {
            id,
            code: randomCode(EVENT_CODE_LENGTH),
            ...columnsOf(form),
            used_bytes: 0,
            photo_count: 0,
            video_count: 0,
            device_count: 0,
            created_at: now,
            purging_at: null,
            purged_at: null,
            version: 1,
            demo: by ? 0 : 1,
            unproved: by && !admin ? 1 : 0,
          };
          const sealed = await operatorKeys.sealEventKey(trx, id, keys.privateKey, admin);
          await store.add(trx, row, { public_key: keys.publicKey, sealed_for_operator: sealed, secret: vault.createEventSecret() });
          for (const password of passwords) await store.setPassword(trx, id, password);
          const event = await mustExist(id, trx);
          await also(trx, event);
          return event;
        });
      } catch (error) {
        if (draw >= CODE_DRAWS || !isUniqueViolation(error)) throw error;
      }
    }
  }

  return {
    /** Creates an event. `keep` stores the answer with the event, but without passwords, the invitation and names of people. */
    async create(
      by: Operator,
      form: EventForm,
      address: string,
      keep: (trx: Trx, answer: AdminEvent) => Promise<void> = async () => undefined,
    ): Promise<AdminEvent & Pick<CreatedEvent, 'invitation'>> {
      // A new event has no stored passwords, so this throws if the form wants to keep one.
      await keptPasswords(form, [], async () => false);
      const keys = vault.createKeyPair();
      let invitation: MadeInvitation | undefined;
      const event = await newRow(form, keys, by, async (trx, row) => {
        const entry = { actor: actorOf(by), action: 'event.created', eventId: row.id, eventCode: row.code, address } as const;
        await audit.record(entry, trx);
        if (form.host) await store.setContact(trx, row.id, form.host);
        await store.setNotes(trx, row.id, form);
        if (form.host) invitation = await inviteWith(trx, row, keys, { actor: actorOf(by), address });
        const made = await mustExist(row.id, trx);
        await keep(trx, withoutPeople(adminView(made, NO_PASSWORDS, clock.now())));
      });
      const made = await mustExist(event.id);
      // The link opens the event as its host, and programs store their answers; if the mail went out, only administrators get the link.
      const told = invitation?.mailed && !('adminId' in by) ? { expires_at: invitation.expires_at, mailed: true } : invitation;
      return { ...adminView(made, wantedPasswords(form), clock.now()), ...(told && { invitation: told }) };
    },

    /** Makes a new invitation for an event's host. Throws Refusal `event_changed` if the page showed another invitation. */
    async invite(admin: AdminVisitor, id: string, was: string | null | undefined, address: string): Promise<MadeInvitation> {
      const event = await mustBeOpen(id);
      const keys = await operatorKeys.openEventKeys(admin, id);
      return db.transaction(async (trx) => {
        const held = trx.selectFrom('events').select('id').where('id', '=', id).where('purging_at', 'is', null).forShare();
        if (!(await held.executeTakeFirst())) throw new Refusal('event_purged');
        const until = await accounts.invitations.until(trx, id);
        if (was !== undefined && until !== null && was !== iso(until)) throw new Refusal('event_changed');
        return inviteWith(trx, event, keys, { actor: actorOf(admin), address });
      });
    },

    /** Creates a new event for the demo with its host's password; it gets the demo's code later. */
    async openDemo(form: EventForm, password: string): Promise<EventRow> {
      const keys = vault.createKeyPair();
      const event = await newRow(form, keys, null);
      await accounts.addHost(event.id, keys, password);
      return event;
    },
  };
}
