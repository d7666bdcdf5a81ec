import { createHash } from 'node:crypto';
import type { Delivery } from '@feierbild/contract/calls/outbox.ts';
import { DAY, MINUTE } from '@feierbild/contract/constants.ts';
import type { Trx } from '../../database/open.ts';
import type { OutboxRow } from '../../database/rows.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { every, type Loop } from '../../lib/every.ts';
import { isUuid, uuidOf, uuidv7 } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { createOutboxStore } from './outbox.store.ts';
import { pauseAfter } from './pauses.ts';
import { iso } from '../../lib/clock.ts';

/** Longest attempt. Deliveries have limits for their steps; this one ends a delivery that hangs. */
const ATTEMPT_MS = 90_000;
/** Interval at which each process looks for due entries; it delivers its own at once. */
const LOOK_MS = 10_000;
/** Delay of a look after an entry was written, so that its transaction is committed by then. */
const SOON_MS = 100;
/** Most lanes of a kind in which a process delivers at the same time. */
const LANES = 8;
/** Time for which a process that keeps secrets counts as living after a look: several looks long. One that was only cut off takes them back. */
const ALIVE_MS = MINUTE;
/** Time for which entries without an event are kept after they were written, failed ones after they failed. */
export const DONE_KEPT = 90 * DAY;
/** Time for which the address in a failed entry is kept. */
export const FAILED_ADDRESS_KEPT = 14 * DAY;
/** Most characters of an answer that are kept. */
const ANSWER_MAX = 500;
/** Time after which a transaction is committed or has failed. */
const WRITTEN_MS = MINUTE;
const LOST = 'Der Server wurde neu gestartet, bevor das ankam.';
const SLOW = 'Die andere Seite hat nicht rechtzeitig geantwortet.';
const BROKEN = 'Beim Senden ist auf diesem Server etwas schiefgegangen; das Log nennt den Grund.';
const TOLD = 'Eine andere Mail sagt es.';
const SETTLED = 'Als erledigt abgelegt.';
const ADDRESS_GONE = 'Nicht zugestellt; die Adresse ist inzwischen gelöscht.';

export interface NewEntry {
  kind: string;
  topic: string;
  /** Entries in the same lane are delivered one after the other. */
  lane?: string;
  /** The entry is deleted with this event, even if it was not delivered. */
  eventId?: string | null;
  /** A dedupe key: nothing is written if an entry has it already. */
  once?: string;
  /** Must be serialisable as JSON. */
  payload: object;
  /** Set if another entry tells the same, so that there is nothing to deliver. */
  told?: true;
  /** A secret that no database may hold. If this process ends, it is lost and the entry fails. */
  secret?: string;
  /** Ms since 1970, within LONGEST_PAUSE; immediately if absent. */
  dueAt?: number;
}

/** An entry for its delivery. `id` and `createdAt` are the same at each attempt. */
export interface Entry {
  id: string;
  topic: string;
  eventId: string | null;
  payload: unknown;
  secret: string | null;
  createdAt: number;
}

/**
 * The outcome of an attempt. `delivered`: the other side has it; `failed`: try again; `refused`: a further attempt is of no use; `dropped`:
 * it is no longer needed; `later`: its time comes within LONGEST_PAUSE, and nothing was tried.
 */
export type Outcome =
  | { what: 'delivered'; answer: string; /** Keeps the payload, so that it can be sent again. */ keep?: true }
  | { what: 'failed'; answer: string; /** When the other side wants the next attempt, ms since 1970. */ notBefore?: number | undefined }
  | { what: 'dropped'; answer: string }
  | { what: 'refused'; answer: string; /** Deletes the payload, so that it cannot be sent again. */ forget?: true }
  | { what: 'later'; until: number };

/** Delivers an entry of one kind. An error counts as a failed attempt. Must end soon after the signal is aborted. */
export type Deliver = (entry: Entry, signal: AbortSignal) => Promise<Outcome>;

/** Topics whose payload holds an address, with the longest time for which one is kept after it was written, ms. */
type Addresses = Readonly<Record<string, number>>;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * Creates the deliveries to servers of others. An entry is written in the transaction that it reports; then any node delivers it. A node
 * takes an entry by its row (`held_until`) and writes the outcome into it; an entry of a crashed node is free again after some minutes. If a
 * node ends between the other side's answer and its own note, the entry is delivered again with the same id.
 */
export function createOutbox({ db, clock, log, ending }: Pick<Context, 'db' | 'clock' | 'log' | 'ending'>) {
  const me = uuidv7(clock.now());
  const { engine } = db;
  const store = createOutboxStore(db, me);
  /** The kinds of entries that this version can deliver, each with the lanes in which it delivers now. */
  const kinds = new Map<string, { deliver: Deliver; lanes: Map<string, Promise<void>>; addresses: Addresses }>();
  /** Secrets by the entry's id. */
  const secrets = new Map<string, { secret: string; since: number }>();
  /** Number of entries that a transaction has written. */
  const written = new WeakMap<Trx, number>();
  /** Lanes that may have new entries since the last look. */
  const again = new Set<string>();
  let loop: Loop | undefined;

  async function attempt(row: OutboxRow, deliver: Deliver): Promise<Outcome> {
    const { id, topic, event_id: eventId, created_at: createdAt } = row;
    try {
      const entry = { id, topic, eventId, createdAt, payload: JSON.parse(row.payload ?? 'null'), secret: secrets.get(id)?.secret ?? null };
      return await withDeadline(deliver(entry, AbortSignal.timeout(ATTEMPT_MS)), ATTEMPT_MS + 1000, 'the other side');
    } catch (error) {
      log.error({ err: error, kind: row.kind, topic, outbox: id }, 'an attempt at a delivery failed');
      return { what: 'failed', answer: error instanceof Unavailable ? SLOW : BROKEN };
    }
  }

  /** Returns the row's columns after an attempt. */
  function columnsAfter(row: OutboxRow, outcome: Outcome): Partial<OutboxRow> {
    const now = clock.now();
    if (outcome.what === 'later') return { due_at: outcome.until, attempts: row.attempts - 1, held_until: 0 };
    const said = { answer: cutText(cleanText(outcome.answer), ANSWER_MAX), answered_at: now, held_until: 0 };
    if (outcome.what === 'failed') {
      const pause = pauseAfter(row.attempts, (outcome.notBefore ?? now) - now);
      return { ...said, ...(pause === null ? { state: 'failed' } : { due_at: now + pause }) };
    }
    if (outcome.what === 'refused') return { ...said, state: 'failed', ...(outcome.forget && { payload: null }) };
    return { ...said, state: outcome.what, ...(!('keep' in outcome) && { payload: null }) };
  }

  /** Delivers the due entries of a lane, one after the other. */
  async function work(kind: string, lane: string, deliver: Deliver): Promise<void> {
    while (!ending.aborted) {
      again.delete(lane);
      const row = await store.take({ kind, lane }, clock.now());
      if (!row && again.has(lane)) continue;
      if (!row) return;
      const outcome = await attempt(row, deliver);
      const values = columnsAfter(row, outcome);
      await store.saveOutcome(row, values);
      if (values.state) secrets.delete(row.id);
      const fields = { kind: row.kind, topic: row.topic, attempt: row.attempts };
      if (values.state === 'failed') log.error({ ...fields, outbox: row.id }, 'not delivered');
      else if (outcome.what === 'failed') log.warn({ ...fields, outbox: row.id, next: values.due_at }, 'not delivered yet');
      else if (outcome.what === 'delivered') log.info(fields, 'delivered');
    }
  }

  /**
   * Begins to deliver the due entries of lanes that nobody works on in this process; resolves to promises that end when these lanes are
   * empty.
   */
  async function begin(): Promise<Promise<void>[]> {
    const now = clock.now();
    await keepSecrets();
    for (const { id, kind, topic } of await store.failLost(LOST, now)) log.error({ kind, topic, outbox: id }, 'not delivered');
    const begun: Promise<void>[] = [];
    // Each kind has its own places, so that silent webhooks hold up no mail.
    for (const [kind, { deliver, lanes }] of kinds) {
      for (const lane of lanes.keys()) again.add(lane);
      for (const lane of await store.lanes(kind, now, [...lanes.keys()], LANES - lanes.size)) {
        if (lanes.has(lane)) continue;
        const done = work(kind, lane, deliver).finally(() => lanes.delete(lane));
        // A lane may fail before anybody awaits it; without this handler that would end the process.
        done.catch((error: unknown) => loop?.failed(error));
        lanes.set(lane, done);
        begun.push(done);
      }
    }
    return begun;
  }

  /**
   * Shows that this process lives as long as it has secrets, and removes those of entries that no longer wait, or whose transaction was
   * rolled back. While it was frozen or cut off from the database, others may have given its entries up.
   */
  async function keepSecrets(): Promise<void> {
    if (secrets.size === 0) return;
    await store.showAlive(ALIVE_MS);
    for (const { id, kind, topic } of await store.takeBack([...secrets.keys()], LOST))
      log.info({ kind, topic, outbox: id }, 'waits again: its process lives');
    const old = [...secrets].filter(([, { since }]) => performance.now() - since > WRITTEN_MS).map(([id]) => id);
    if (old.length === 0) return;
    const waiting = new Set(await store.waiting(old));
    for (const id of old) if (!waiting.has(id)) secrets.delete(id);
  }

  /** Writes an entry in a transaction. Returns its id, or null if an entry has the same `once`. */
  async function add(
    trx: Trx,
    { kind, topic, lane = kind, eventId = null, once, payload, secret, dueAt, told }: NewEntry,
  ): Promise<string | null> {
    const now = clock.now();
    const before = written.get(trx) ?? 0;
    written.set(trx, before + 1);
    const row: OutboxRow = {
      id: once === undefined ? uuidv7(now) : idOf(once),
      kind,
      lane,
      topic,
      event_id: eventId,
      once: once ?? null,
      payload: told ? null : JSON.stringify(payload),
      keeper: secret === undefined ? null : me,
      // Entries of a transaction are delivered in the order in which they were written.
      created_at: now + before,
      due_at: dueAt ?? now,
      attempts: 0,
      held_until: 0,
      state: told ? 'dropped' : 'waiting',
      answer: told ? TOLD : null,
      answered_at: null,
    };
    if (!(await store.add(trx, row))) return null;
    if (secret !== undefined) {
      secrets.set(row.id, { secret, since: performance.now() });
      await store.showAlive(ALIVE_MS, trx);
    }
    soon();
    return row.id;
  }

  /** Looks for entries in a moment; never before `start`. */
  const soon = (): void => loop?.soon(SOON_MS);

  return {
    /** Registers the delivery of a kind; call it before `start`. */
    handle: (kind: string, deliver: Deliver, addresses: Addresses = {}): void =>
      void kinds.set(kind, { deliver, lanes: new Map(), addresses }),
    add,
    /** Delivers all entries that are due now, in all lanes. */
    run: async (): Promise<void> => void (await Promise.all(await begin())),
    /** Delivers due entries from now on until the process ends. */
    start(): void {
      // A SQLite file belongs to one process, so the entries that others kept are lost.
      let alone = engine === 'sqlite';
      loop = every(LOOK_MS, { log, ending, failed: 'the outbox could not be read' }, async () => {
        if (alone) await store.endAlive('others').catch(() => undefined);
        alone = false;
        void (await begin());
      });
    },
    /** Reads entries, newest first; optionally only those of a lane or in some states. */
    list: store.list,
    failed: store.failed,
    failedByLane: store.failedByLane,
    /** Drops a failed entry. Throws Refusal `delivery_not_found`. */
    async dismiss(id: string): Promise<void> {
      if (!isUuid(id) || !(await store.dismissFailed(id, SETTLED))) throw new Refusal('delivery_not_found');
    },
    /** Drops all failed entries of a kind whose receiver is gone: whose lane is none of these. */
    dismissOthers: (trx: Trx, kind: string, lanes: readonly string[]): Promise<void> => store.dismissOthers(trx, kind, lanes, SETTLED),
    /** Delivers an entry that failed or was kept again, as if it were new. Throws Refusal `delivery_not_found` if that is impossible. */
    async again(id: string): Promise<void> {
      if (!isUuid(id) || !(await store.again(id, clock.now()))) throw new Refusal('delivery_not_found');
      soon();
    },
    /** Removes entries after their time, and the addresses of failed ones, which stay listed. */
    async forget(): Promise<void> {
      const now = clock.now();
      for (const [kind, { addresses }] of kinds)
        for (const [topic, longest] of Object.entries(addresses))
          await store.forgetPayloads({ kind, topic, failed: now - FAILED_ADDRESS_KEPT, written: now - longest }, ADDRESS_GONE);
      await store.forget(now - DONE_KEPT);
      await store.forgetEnded();
    },
    /** Waits until no attempt runs any more, after the process began to end. */
    ended: async (): Promise<void> => {
      await loop?.ended();
      await Promise.allSettled([...kinds.values()].flatMap(({ lanes }) => [...lanes.values()]));
      // The entries that only this node could deliver are lost; without its lease, other nodes notice at once.
      await store.endAlive('mine').catch(() => undefined);
    },
  };
}

/** Returns the same id for the same `once`, even after a restore, so that its receiver recognises it. */
function idOf(once: string): string {
  return uuidOf(createHash('sha256').update('feierbild/v1/outbox').update(once).digest());
}

/** Returns an entry as administrators see it. */
export function deliveryAnswer(row: Awaited<ReturnType<Outbox['list']>>[number]): Delivery {
  const { id, kind, topic, event_code, state, created_at, attempts, due_at, answer, answered_at, keeper, payload } = row;
  return {
    id,
    kind,
    topic,
    event_code,
    state,
    created_at: iso(created_at),
    attempts,
    due_at: state === 'waiting' ? iso(due_at) : null,
    answer,
    answered_at: iso(answered_at),
    repeatable: (state === 'failed' || state === 'delivered') && payload !== null && keeper === null,
  };
}
