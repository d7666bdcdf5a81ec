import type { Delivery } from '@feierbild/contract/calls/outbox.ts';
import { DAY, HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import type { Trx } from '../../database/open.ts';
import type { OutboxRow } from '../../database/schema.ts';
import { cleanText, cutText } from '../../lib/clean-text.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { Refusal } from '../../lib/errors.ts';
import { isUuid, uuidv7 } from '../../lib/ids.ts';
import type { Ground } from '../ground.ts';
import { createOutboxStore } from './outbox.store.ts';

/** Pauses after failed attempts; after the last one's it has failed. */
export const PAUSES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
/** Longest attempt. Whoever delivers has limits of its own for each step; this one is for what hangs. */
const ATTEMPT_MS = 90_000;
/** For how long nobody else takes what a process has taken: longer than any attempt, so it is free only after a crash. */
const HELD_MS = 3 * MINUTE;
/** How often each process looks for what is due; what it has written itself it delivers at once. */
const LOOK_MS = 10_000;
/** After the commit of a transaction that is just being written. */
const SOON_MS = 100;
/** Lanes of a kind that a process delivers in at the same time. */
const LANES = 8;
/** What only an ended process could deliver has failed, this long after it was due. */
const LOST_MS = 15 * MINUTE;
/** Delivered, dropped and failed entries of no event, or failed ones, are kept for this long: failed ones may hold an address. */
export const DONE_KEPT = 90 * DAY;
export const FAILED_KEPT = 14 * DAY;
/** Most characters that are kept of an answer. */
const ANSWER_MAX = 500;
const LOST = 'Der Server wurde neu gestartet, bevor das ankam.';

/** Something to deliver. */
export interface NewEntry {
  kind: string;
  topic: string;
  /** What is in the same lane goes one after the other. */
  lane?: string;
  /** It is deleted with this event, also if it was not delivered. */
  eventId?: string | null;
  /** Nothing is written where an entry with the same is there. */
  once?: string;
  /** What JSON can hold. */
  payload: object;
  /** What no database may hold: it is lost when this process ends, and the entry fails then. */
  secret?: string;
  /** Ms since 1970; without it at once. */
  dueAt?: number;
}

/** What is to be delivered now. `id` and `createdAt` are the same at each attempt. */
export interface Entry {
  id: string;
  topic: string;
  eventId: string | null;
  payload: unknown;
  secret: string | null;
  createdAt: number;
}

/**
 * What came of an attempt. `delivered`: the other side has it; `failed`: to be tried again; `refused`: trying again is of no use;
 * `dropped`: it is not needed any more; `later`: its time has not come, and nothing was tried.
 */
export type Outcome =
  | { what: 'delivered'; answer: string; /** It can be sent again. */ keep?: true }
  | { what: 'failed' | 'refused' | 'dropped'; answer: string }
  | { what: 'later'; until: number };

/** Delivers one kind. What it throws is a failed attempt. It must end soon after the signal is aborted. */
export type Deliver = (entry: Entry, signal: AbortSignal) => Promise<Outcome>;

export type Outbox = ReturnType<typeof createOutbox>;

/**
 * What is delivered to others' servers: written with what it tells of, in one transaction, and delivered afterwards by any node, one at a
 * time. A node takes an entry for itself by its row (`held_until`), and writes down what came of it; what a crashed node had taken is
 * free again after HELD_MS. Where the other side accepted it, and the node ended before that was written down, it is delivered
 * again with the same id.
 */
export function createOutbox({ db, clock, log, ending }: Pick<Ground, 'db' | 'clock' | 'log' | 'ending'>) {
  const me = uuidv7(clock.now());
  const store = createOutboxStore(db, me);
  /** What this version can deliver, and in which lanes it does just now. */
  const kinds = new Map<string, { deliver: Deliver; lanes: Map<string, Promise<void>> }>();
  /** By an entry's id. */
  const secrets = new Map<string, string>();
  /** Lanes that may have got something since they were last looked at. */
  const again = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let soonTimer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> | undefined;

  async function attempt(row: OutboxRow, deliver: Deliver): Promise<Outcome> {
    const { id, topic, event_id: eventId, created_at: createdAt } = row;
    try {
      const entry = { id, topic, eventId, createdAt, payload: JSON.parse(row.payload ?? 'null'), secret: secrets.get(id) ?? null };
      return await withDeadline(deliver(entry, AbortSignal.timeout(ATTEMPT_MS)), ATTEMPT_MS + 1000, 'the other side');
    } catch (error) {
      return { what: 'failed', answer: error instanceof Error ? error.message : String(error) };
    }
  }

  /** What the row says after an attempt. */
  function settled(row: OutboxRow, outcome: Outcome): Partial<OutboxRow> {
    const now = clock.now();
    if (outcome.what === 'later') return { due_at: outcome.until, attempts: row.attempts - 1, held_until: 0 };
    const said = { answer: cutText(cleanText(outcome.answer), ANSWER_MAX), answered_at: now, held_until: 0 };
    const pause = PAUSES[row.attempts - 1];
    if (outcome.what === 'failed' && pause !== undefined) return { ...said, due_at: now + pause };
    if (outcome.what === 'failed' || outcome.what === 'refused') return { ...said, state: 'failed' };
    return { ...said, state: outcome.what, ...(!('keep' in outcome) && { payload: null }) };
  }

  /** Delivers what is due in a lane, one after the other. */
  async function work(kind: string, lane: string, deliver: Deliver): Promise<void> {
    while (!ending.aborted) {
      again.delete(lane);
      const row = await store.take({ kind, lane }, clock.now(), HELD_MS);
      if (!row && again.has(lane)) continue;
      if (!row) return;
      const outcome = await attempt(row, deliver);
      const values = settled(row, outcome);
      await store.settle(row, values);
      if (values.state) secrets.delete(row.id);
      const facts = { kind: row.kind, topic: row.topic, attempt: row.attempts };
      if (values.state === 'failed') log.error({ ...facts, outbox: row.id }, 'not delivered');
      else if (outcome.what === 'delivered') log.info(facts, 'delivered');
    }
  }

  /** Delivers what is due in lanes that nobody works on in this process; resolves when these are empty. */
  async function run(): Promise<void> {
    const now = clock.now();
    await store.keep(now - LOST_MS / 3, now);
    await store.failLost(now - LOST_MS, LOST, now);
    const begun: Promise<void>[] = [];
    // Each kind has its own places: addresses of webhooks that are silent hold up no mail.
    for (const [kind, { deliver, lanes }] of kinds) {
      for (const lane of lanes.keys()) again.add(lane);
      for (const lane of await store.lanes(kind, now, [...lanes.keys()], LANES - lanes.size)) {
        if (lanes.has(lane)) continue;
        const done = work(kind, lane, deliver).finally(() => lanes.delete(lane));
        lanes.set(lane, done);
        begun.push(done);
      }
    }
    await Promise.all(begun);
  }

  function look(): void {
    looking = run().catch((error: unknown) => void (ending.aborted || log.error({ err: error }, 'the outbox could not be read')));
  }

  /** Writes an entry in a transaction. Its id, or null where one with the same `once` is there. */
  async function add(
    trx: Trx,
    { kind, topic, lane = kind, eventId = null, once, payload, secret, dueAt }: NewEntry,
  ): Promise<string | null> {
    const now = clock.now();
    const row: OutboxRow = {
      id: uuidv7(now),
      kind,
      lane,
      topic,
      event_id: eventId,
      once: once ?? null,
      payload: JSON.stringify(payload),
      keeper: secret === undefined ? null : me,
      created_at: now,
      due_at: dueAt ?? now,
      attempts: 0,
      held_until: 0,
      state: 'waiting',
      answer: null,
      answered_at: null,
    };
    if (!(await store.add(trx, row))) return null;
    if (secret !== undefined) secrets.set(row.id, secret);
    soon();
    return row.id;
  }

  /** Looks in a moment; before `start` never. */
  function soon(): void {
    if (timer === undefined || ending.aborted) return;
    soonTimer ??= setTimeout(() => {
      soonTimer = undefined;
      look();
    }, SOON_MS);
  }

  return {
    /** Says who delivers a kind; before `start`. */
    handle: (kind: string, deliver: Deliver): void => void kinds.set(kind, { deliver, lanes: new Map() }),
    add,
    run,
    /** Delivers what is due, from now on until the process ends. */
    start(): void {
      timer = setInterval(look, LOOK_MS);
      look();
      ending.addEventListener('abort', () => {
        clearInterval(timer);
        clearTimeout(soonTimer);
      });
    },
    /** The newest first; where asked for only of a lane or in some states. */
    list: store.list,
    /** Delivers an entry again that failed, or was kept, as if it were new. Throws Refusal delivery_not_found where it cannot be. */
    async again(id: string): Promise<void> {
      if (!isUuid(id) || !(await store.again(id, clock.now()))) throw new Refusal('delivery_not_found');
      soon();
    },
    /** Removes entries whose time is over. */
    forget: (): Promise<void> => store.forget({ done: clock.now() - DONE_KEPT, failed: clock.now() - FAILED_KEPT }),
    /** Resolves when no attempt is running any more, once the process ends. */
    ended: async (): Promise<void> => {
      await looking;
      await Promise.allSettled([...kinds.values()].flatMap(({ lanes }) => [...lanes.values()]));
    },
  };
}

/** An entry as administrators see it. */
export function deliveryAnswer(row: Awaited<ReturnType<Outbox['list']>>[number]): Delivery {
  const { id, kind, topic, event_code, state, created_at, attempts, due_at, answer, answered_at, keeper, payload } = row;
  return {
    id,
    kind,
    topic,
    event_code,
    state,
    created_at: new Date(created_at).toISOString(),
    attempts,
    due_at: state === 'waiting' ? new Date(due_at).toISOString() : null,
    answer,
    answered_at: answered_at === null ? null : new Date(answered_at).toISOString(),
    repeatable: (state === 'failed' || state === 'delivered') && payload !== null && keeper === null,
  };
}
