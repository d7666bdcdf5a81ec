import { berlinDay } from '@feierbild/contract/berlin.ts';
import { Refusal } from '../../lib/errors.ts';
import { Tampered, WrongSecret } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { instantText } from '../../lib/german.ts';
import type { Mail } from '../mail/mail.ts';

/** Shortest interval between two records of an administrator's changed keys. */
const ADMIN_INTERVAL_MS = 3_600_000;

/** The owner of keys: an event, or an administrator by name. */
export type KeySubject = { eventId: string } | { admin: string };

export type KeyAlarm = ReturnType<typeof createKeyAlarm>;

/**
 * Creates the record of keys that were changed in the database: `key.tampered` in the audit log and in the event's row. While it is set,
 * the event accepts no photos, because its public key may belong to an attacker.
 */
export function createKeyAlarm({
  db,
  clock,
  audit,
  log,
  mail,
}: Pick<Context, 'db' | 'clock' | 'log'> & { audit: Audit; mail: Pick<Mail, 'toOperator'> }) {
  const admins = new Map<string, number>();

  /** Records that keys were changed in the database; only once until `clear`. */
  async function raise(subject: KeySubject): Promise<void> {
    const now = clock.now();
    if ('admin' in subject) {
      if (now - (admins.get(subject.admin) ?? -Infinity) < ADMIN_INTERVAL_MS) return;
      admins.set(subject.admin, now);
      log.error({ admin: subject.admin }, 'keys were changed in the database');
      await audit.record({ actor: `admin:${subject.admin}`, action: 'key.tampered' });
      return told(`Zugang „${subject.admin}“`, now, `keys:${subject.admin}:${berlinDay(now)}`);
    }
    const { eventId } = subject;
    const event = await db.kysely
      .updateTable('events')
      .set({ tampered_at: now })
      .where('id', '=', eventId)
      .where('tampered_at', 'is', null)
      .returning('code')
      .executeTakeFirst();
    if (!event) return;
    log.error({ event: event.code }, 'keys were changed in the database');
    await audit.record({ actor: 'system', action: 'key.tampered', eventId, eventCode: event.code });
    await told(`Event ${event.code}`, now);
  }

  /** Mails the operator. `once` avoids a second mail, as each node may find the same. */
  const told = async (wessen: string, now: number, once?: string): Promise<void> =>
    void (await mail.toOperator('keys', { wessen, zeit: instantText(now) }, once === undefined ? {} : { once }));

  return {
    raise,
    /**
     * Returns the result of `open`. Throws Refusal `key_tampered` instead of Tampered, and records the subject after the transaction;
     * Refusal `login_required` instead of WrongSecret, as the session then has another one's key.
     */
    guard<T>(subject: KeySubject, open: () => T): T {
      try {
        return open();
      } catch (error) {
        if (error instanceof WrongSecret) {
          log.error(subject, 'the key of a session was changed in the database');
          throw new Refusal('login_required', { cause: error });
        }
        if (!(error instanceof Tampered)) throw error;
        // Not awaited: a transaction may be open here, and the record would wait for its end.
        raise(subject).catch((failure: unknown) => log.error({ err: failure }, 'changed keys were not noted'));
        throw new Refusal('key_tampered', { cause: error });
      }
    },
    /** Clears the alarm after the event's keys were checked and belong together. */
    async clear(eventId: string): Promise<void> {
      await db.kysely.updateTable('events').set({ tampered_at: null }).where('id', '=', eventId).execute();
    },
    /** Reads the codes of events with changed keys. */
    async eventCodes(): Promise<string[]> {
      const rows = await db.kysely.selectFrom('events').select('code').where('tampered_at', 'is not', null).orderBy('code').execute();
      return rows.map(({ code }) => code);
    },
  };
}
