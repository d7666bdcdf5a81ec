import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import { Tampered } from '../../vault/vault.ts';
import type { Audit } from '../audit/audit.ts';

/** An administrator's keys that do not fit are noted at most this often. */
const ADMIN_INTERVAL_MS = 3_600_000;

/** Whose keys: an event's, or an administrator's by name. */
export type KeySubject = { eventId: string } | { admin: string };

export interface KeyAlarm {
  /** What `open` opens. Throws Refusal key_tampered instead of Tampered, and notes whose keys they are after the transaction. */
  guard<T>(subject: KeySubject, open: () => T): T;
  /** Notes once that keys were changed in the database, until an event's are proved again. */
  raise(subject: KeySubject): Promise<void>;
  /** The event's keys were proved to belong together. */
  clear(eventId: string): Promise<void>;
  /** Codes of the events whose keys do not fit. */
  eventCodes(): Promise<string[]>;
}

/**
 * Keys that somebody changed in the database: audited as `key.tampered`, and kept with the event. As long as it is there, the
 * event takes no photos, since its public key may be somebody else's.
 */
export function createKeyAlarm({ db, clock, audit, log }: { db: Db; clock: Clock; audit: Audit; log: Pick<Log, 'error'> }): KeyAlarm {
  const admins = new Map<string, number>();

  async function raise(subject: KeySubject): Promise<void> {
    const now = clock.now();
    if ('admin' in subject) {
      if (now - (admins.get(subject.admin) ?? -Infinity) < ADMIN_INTERVAL_MS) return;
      admins.set(subject.admin, now);
      log.error({ admin: subject.admin }, 'keys were changed in the database');
      return audit.record({ actor: `admin:${subject.admin}`, action: 'key.tampered' });
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
  }

  return {
    raise,
    guard(subject, open) {
      try {
        return open();
      } catch (error) {
        if (!(error instanceof Tampered)) throw error;
        // Not awaited: a transaction that is open here would wait for itself.
        raise(subject).catch((failure: unknown) => log.error({ err: failure }, 'changed keys were not noted'));
        throw new Refusal('key_tampered', { cause: error });
      }
    },
    async clear(eventId) {
      await db.kysely.updateTable('events').set({ tampered_at: null }).where('id', '=', eventId).execute();
    },
    async eventCodes() {
      const rows = await db.kysely.selectFrom('events').select('code').where('tampered_at', 'is not', null).orderBy('code').execute();
      return rows.map(({ code }) => code);
    },
  };
}
