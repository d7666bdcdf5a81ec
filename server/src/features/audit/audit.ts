import { ADDRESSES_KEPT, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { AuditAction } from '@feierbild/contract/entities.ts';
import type { Db, Trx } from '../../database/open.ts';
import type { Database } from '../../database/schema.ts';
import { shortAddress } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';

/** Entries read with one query. */
const PAGE_ROWS = 500;

export interface AuditEntry {
  /** Who: 'admin:<name>', 'host', 'projector', 'system', 'cli'; 'unknown' who only tried to log in. */
  actor: string;
  action: AuditAction;
  eventId?: string;
  eventCode?: string;
  address?: string;
}

/** A stored entry. */
export type KeptEntry = Database['audit'];

export interface Audit {
  /** Of what hosts do in the public demo nothing is recorded: its login is everybody's, and whoever likes could fill the log. */
  record(entry: AuditEntry, trx?: Trx): Promise<void>;
  /** All entries, oldest first; optionally only of one event (by its code) or since an instant (ms since 1970). */
  list(filter: { eventCode?: string; since?: number }): AsyncIterable<KeptEntry>;
  /** A page of entries, newest first; optionally only those before an entry or of one event (by its code). */
  page(filter: { eventCode?: string; before?: string; limit: number }): Promise<KeptEntry[]>;
  /** Shortens the addresses of entries older than 7 days, and removes entries older than 12 months. */
  forget(): Promise<void>;
}

/** The audit log of logins, resets, creations and deletions. Contains no passwords, tokens, file names or device ids. */
export function createAudit({ db, clock }: { db: Db; clock: Clock }): Audit {
  return {
    async record(entry, trx) {
      const at = clock.now();
      const into = trx ?? db.kysely;
      if (entry.eventId !== undefined && (entry.actor === 'host' || entry.actor === 'projector')) {
        const event = await into.selectFrom('events').select('demo').where('id', '=', entry.eventId).executeTakeFirst();
        if (event?.demo === 1) return;
      }
      await into
        .insertInto('audit')
        .values({
          id: uuidv7(at),
          at,
          actor: entry.actor,
          action: entry.action,
          event_id: entry.eventId ?? null,
          event_code: entry.eventCode ?? null,
          address: entry.address ?? null,
        })
        .execute();
    },
    async *list({ eventCode, since = 0 }) {
      for (let last = { at: since, id: '' }; ;) {
        const page: KeptEntry[] = await db.kysely
          .selectFrom('audit')
          .selectAll()
          .where((row) => row.or([row('at', '>', last.at), row.and([row('at', '=', last.at), row('id', '>', last.id)])]))
          .$if(eventCode !== undefined, (query) => query.where('event_code', '=', eventCode as string))
          .orderBy('at')
          .orderBy('id')
          .limit(PAGE_ROWS)
          .execute();
        yield* page;
        const end = page.at(-1);
        if (!end) return;
        last = { at: end.at, id: end.id };
      }
    },
    page: ({ eventCode, before, limit }) =>
      db.kysely
        .selectFrom('audit')
        .selectAll()
        .$if(eventCode !== undefined, (query) => query.where('event_code', '=', eventCode as string))
        .$if(before !== undefined, (query) => query.where('id', '<', before as string))
        // Ids ascend with time.
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    async forget() {
      const now = clock.now();
      await db.kysely
        .deleteFrom('audit')
        .where('at', '<=', now - RECORDS_KEPT)
        .execute();
      const until = now - ADDRESSES_KEPT;
      const old = await db.kysely
        .selectFrom('audit')
        .select('address')
        .distinct()
        .where('at', '<=', until)
        .where('address', 'is not', null)
        .$narrowType<{ address: string }>()
        .execute();
      for (const { address } of old) {
        const short = shortAddress(address);
        if (short === address) continue;
        await db.kysely.updateTable('audit').set({ address: short }).where('at', '<=', until).where('address', '=', address).execute();
      }
    },
  };
}
