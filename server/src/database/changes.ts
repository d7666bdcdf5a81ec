import { sql, type Kysely } from 'kysely';
import { inPieces, PIECE_ROWS } from './pieces.ts';
import type { ChangeKind } from './rows.ts';
import type { Database, Trx } from './schema.ts';

export type { ChangeKind } from './rows.ts';

/** Most changes that one call reads; a page that missed more reads everything again. */
const MAX_CHANGES = 500;

export interface Change {
  /** 1, 2, 3 … within the event, without gaps, in commit order. */
  seq: number;
  kind: ChangeKind;
  photo_id: string | null;
}

/** The events that each transaction has changed. */
const changedIn = new WeakMap<Trx, Set<string>>();
export const changedEvents = (trx: Trx): Iterable<string> => changedIn.get(trx) ?? [];

/**
 * Locks an event's row until the transaction's end; does nothing on SQLite. Every transaction that writes an event's photos and its row
 * begins with it, so that no two wait for each other. Rows that only refer to the event, as hearts do, do not wait.
 */
export async function lockEvent(trx: Trx, eventId: string): Promise<void> {
  await trx.selectFrom('events').select('id').where('id', '=', eventId).forNoKeyUpdate().execute();
}

/** Changes that pages learn of only with the next other one: a larger picture of a shown photo is no reason to ask. */
const SILENT: ReadonlySet<ChangeKind> = new Set(['verified']);

/** Raises the event's `change_seq` and records the change, in the transaction that makes it. Open pages learn of it after the commit. */
export async function recordChange(trx: Trx, eventId: string, kind: ChangeKind, photoId: string | null = null): Promise<void> {
  const event = await trx
    .updateTable('events')
    .set((row) => ({ change_seq: row('change_seq', '+', 1) }))
    .where('id', '=', eventId)
    .returning('change_seq')
    .executeTakeFirst();
  if (event) await noteChange(trx, eventId, { seq: event.change_seq, kind, photo_id: photoId });
}

/** Records a change whose transaction has raised `change_seq` already. */
export async function noteChange(trx: Trx, eventId: string, change: Change): Promise<void> {
  if (!SILENT.has(change.kind)) markChanged(trx, eventId);
  await trx
    .insertInto('changes')
    .values({ event_id: eventId, ...change, at: Date.now() })
    .execute();
}

/** Tells open pages after the commit that the event was changed. */
export function markChanged(trx: Trx, eventId: string): void {
  changedIn.set(trx, (changedIn.get(trx) ?? new Set()).add(eventId));
}

/**
 * Reads all changes of an event after `since`, and the number of the last one. `changes` is null if not all are known any more: there are
 * too many, or they are older than an hour. Returns undefined for an event that is gone.
 */
export async function readChanges(
  kysely: Kysely<Database>,
  eventId: string,
  since: number,
): Promise<{ seq: number; changes: Change[] | null } | undefined> {
  // A single statement: between two, further changes might come.
  const rows = await kysely
    .selectFrom('events')
    .leftJoin('changes', (join) => join.onRef('changes.event_id', '=', 'events.id').on('changes.seq', '>', since))
    .select(['change_seq', 'seq', 'kind', 'photo_id'])
    .where('events.id', '=', eventId)
    .orderBy('seq')
    .limit(MAX_CHANGES)
    .execute();
  const [first] = rows;
  if (!first) return undefined;
  const changes = rows.flatMap(({ seq, kind, photo_id }) => (seq !== null && kind !== null ? [{ seq, kind, photo_id }] : []));
  return { seq: first.change_seq, changes: first.change_seq - since === changes.length ? changes : null };
}

/** Removes changes from before `until`, ms. */
export async function pruneChanges(kysely: Kysely<Database>, until: number): Promise<void> {
  const some = kysely.selectFrom('changes').select(['event_id', 'seq']).where('at', '<=', until).orderBy('at').limit(PIECE_ROWS);
  await inPieces(() =>
    kysely
      .deleteFrom('changes')
      .where(sql<boolean>`(event_id, seq) in (${some})`)
      .executeTakeFirst(),
  );
}
