import { ADDRESSES_KEPT, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import type { AuditAction } from '@feierbild/contract/calls/admins.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { sql } from 'kysely';
import type { Db, Trx } from '../../database/open.ts';
import { inPages } from '../../database/pieces.ts';
import type { Http } from '../../http/bind.ts';
import { shortAddress } from '../../lib/address.ts';
import { CLOCK_SKEW_MS, iso, type Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';

export interface AuditEntry {
  /**
   * The author: 'admin:<name>', 'assistant:<name>', 'token:<name>', 'host', 'projector', 'system', 'cli', or 'unknown' for a failed login.
   */
  actor: string;
  action: AuditAction;
  eventId?: string;
  eventCode?: string;
  address?: string | null;
  /** Name of the account that the action was about, where it is not the author's. */
  account?: string;
}

/** Returns the log's name for a change's author: an administrator, an assistant or a program. */
export function actorOf(by: { username: string; assistantId?: string } | { name: string }): string {
  if ('name' in by) return `token:${by.name}`;
  return `${by.assistantId === undefined ? 'admin' : 'assistant'}:${by.username}`;
}

export type Audit = ReturnType<typeof createAudit>;

/** Creates the audit log of logins, resets, creations and deletions. It contains no passwords, tokens, file names or device ids. */
export function createAudit({ db, clock }: { db: Db; clock: Clock }) {
  /** Selects entries of one event (by its code) or of all. Their ids ascend with time. */
  const entries = (eventCode: string | undefined) =>
    db.kysely
      .selectFrom('audit')
      .selectAll()
      .$if(eventCode !== undefined, (query) => query.where('event_code', '=', eventCode as string));

  return {
    /** Adds an entry. Skips hosts of the public demo: everybody has that login and could fill the log. */
    async record({ actor, action, eventId, eventCode, address, account }: AuditEntry, trx?: Trx): Promise<void> {
      const at = clock.now();
      const into = trx ?? db.kysely;
      if (eventId !== undefined && (actor === 'host' || actor === 'projector')) {
        const event = await into.selectFrom('events').select('demo').where('id', '=', eventId).executeTakeFirst();
        if (event?.demo === 1) return;
      }
      const of = { event_id: eventId ?? null, event_code: eventCode ?? null, address: address ?? null, account: account ?? null };
      await into
        .insertInto('audit')
        .values({ id: uuidv7(at), at, actor, action, ...of })
        .execute();
    },

    /** Reads all entries, oldest first; optionally only those of one event (by its code) or since an instant (ms since 1970). */
    list: ({ eventCode, since = 0 }: { eventCode?: string; since?: number }) =>
      inPages((last, limit) => entries(eventCode).where('at', '>=', since).where('id', '>', last).orderBy('id').limit(limit).execute()),

    /** Reads entries, newest first; optionally only those before an entry or of one event (by its code). */
    newest: (eventCode: string | undefined, before: string | undefined, limit: number) =>
      entries(eventCode)
        .$if(before !== undefined, (query) => query.where('id', '<', before as string))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /**
     * Shortens the addresses of entries older than 7 days, and of those that a clock which was ahead has written; removes entries older than
     * 12 months. Stops once the signal is aborted.
     */
    async forget(signal?: AbortSignal): Promise<void> {
      const now = clock.now();
      await db.kysely
        .deleteFrom('audit')
        .where('at', '<=', now - RECORDS_KEPT)
        .execute();
      const isOver = sql<boolean>`at not between ${now - ADDRESSES_KEPT + 1} and ${now + CLOCK_SKEW_MS}`;
      const old = await db.kysely
        .selectFrom('audit')
        .select('address')
        .distinct()
        .where(isOver)
        .where('address', 'is not', null)
        .$narrowType<{ address: string }>()
        .execute();
      for (const { address } of old) {
        signal?.throwIfAborted();
        const short = shortAddress(address);
        if (short === address) continue;
        await db.kysely.updateTable('audit').set({ address: short }).where(isOver).where('address', '=', address).execute();
      }
    },
  };
}

/** Binds the audit trail for administrators. */
export function auditRoutes(http: Http, { audit }: { audit: Pick<Audit, 'newest'> }): void {
  http.bind('GET /admin/audit', async ({ query: { event, before, per_page: limit } }) => {
    // Reads one entry more, to find out whether there is another page.
    const found = await audit.newest((event && cleanEventCode(event)) || undefined, before || undefined, limit + 1);
    const entries = found.slice(0, limit).map(({ id, at, actor, action, event_code, address, account }) => {
      return { id, at: iso(at), actor, action: action as AuditAction, event_code, address, account };
    });
    return { entries, next: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  });
}
