import { readChanges, type Change } from '../../database/changes.ts';
import type { Db } from '../../database/open.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { lastChanges } from './live.store.ts';
import { createKeyedThrottle } from './throttle.ts';

/** After a change of an event other nodes are notified, and its changes are read: at once, then at most this often. */
const THROTTLE_MS = 250;
/** How often all watched events and sessions are polled, for lost notices; and where notices do not arrive at all. */
const POLL_MS = 30_000;
const POLL_WITHOUT_NOTICES_MS = 2000;
/** Pause after a failed read. */
const RETRY_MS = 1000;
/** Most browsers that watch one event at the same time on this node. */
const MAX_WATCHERS = 100;
/** The same for one session: some windows, and broken connections that are not detected yet. */
const MAX_WATCHERS_PER_SESSION = 12;

export interface Live {
  /**
   * First calls `changed` with what came after the change `since`, then after each further change, until stopped. `ended` is
   * called when the watcher's session has ended, when others need its place, or the server closes. Throws Refusal unavailable.
   */
  watch(eventId: string, watcher: Watcher): () => void;
  /** Number of watchers. */
  watchers(): number;
  /** Ends all watching. */
  close(): void;
}

export interface Watcher {
  /** Id of the watcher's session. */
  session: string;
  /** The number of the last change that the watcher knows; null if it knows none: then it learns of later ones only. */
  since: number | null;
  /** `changes` is null if not all of them are known. `seq` is the number of the last one. */
  changed(changes: Change[] | null, seq: number): void;
  ended(): void;
}

/** An event's watchers on this node. */
interface Watched {
  /** The number of the last change that this node has read; null before the first read. */
  seq: number | null;
  known: Set<Watcher>;
  /** Those that wait for their first call. */
  fresh: Set<Watcher>;
  reading: boolean;
  again: boolean;
}

interface Parts {
  db: Pick<Db, 'kysely' | 'notices' | 'onChange'>;
  sessions: Pick<Sessions, 'living'>;
  log: Pick<Log, 'error'>;
  pollMs?: number;
}

/**
 * Notifies open pages of what was changed, on whichever node. Changes are read from the database's log of changes after a commit on
 * this node, after a notice of another node, and now and then. Sends ids only: access is checked when a page loads the photos.
 */
export function createLive({ db, sessions, log, pollMs = POLL_MS }: Parts): Live {
  const { notices } = db;
  const watched = new Map<string, Watched>();
  const retries = new Set<NodeJS.Timeout>();
  let timer: NodeJS.Timeout | undefined;
  let listening = false;
  let closed = false;
  let failing = false;

  const notifying = createKeyedThrottle(THROTTLE_MS, (eventId) => void notices?.send(eventId).catch(() => undefined));
  const reading = createKeyedThrottle(THROTTLE_MS, (eventId) => void readAll(eventId));
  const stopListening = db.onChange((eventId) => {
    reading.call(eventId);
    notifying.call(eventId);
  });

  function end(event: Watched, watcher: Watcher): void {
    event.known.delete(watcher);
    event.fresh.delete(watcher);
    watcher.ended();
  }

  /**
   * Whether a further watcher may come. Where an event has all that it may have, the session that holds most gives one up, of several the
   * youngest: nobody who logs in often, or with many windows, keeps out whoever watched before.
   */
  function makeRoom(event: Watched, watcher: Watcher): boolean {
    const all = [...event.known, ...event.fresh];
    const held = Map.groupBy([...all, watcher], ({ session }) => session);
    if ((held.get(watcher.session)?.length ?? 0) > MAX_WATCHERS_PER_SESSION) return false;
    if (all.length < MAX_WATCHERS) return true;
    // Ids of sessions ascend with time.
    const [[session, [first]]] = [...held].sort(([one, a], [other, b]) => b.length - a.length || (one < other ? 1 : -1)) as [
      [string, [Watcher]],
    ];
    if (session === watcher.session) return false;
    end(event, first);
    return true;
  }

  async function endDead(events: Iterable<Watched>): Promise<void> {
    const all = [...events].flatMap((event) => [...event.known, ...event.fresh].map((watcher) => ({ event, watcher })));
    const living = await sessions.living([...new Set(all.map(({ watcher }) => watcher.session))]);
    for (const { event, watcher } of all) if (!living.has(watcher.session)) end(event, watcher);
  }

  /** Reads what came since the last read, and passes it to the watchers. */
  async function readOnce(eventId: string, event: Watched): Promise<void> {
    const fresh = [...event.fresh];
    const since = event.seq;
    const read = since === null ? undefined : await readChanges(db.kysely, eventId, since);
    const seq = read?.seq ?? (await lastChanges(db, [eventId])).get(eventId);
    const gone = seq === undefined;
    // Sessions that have ended get nothing that came after their end.
    if (gone || read?.changes === null || read?.changes?.some(({ kind }) => kind === 'sessions')) await endDead([event]);
    if (gone) return;
    event.seq = seq;
    if (read && seq !== since) for (const watcher of event.known) watcher.changed(read.changes, seq);
    for (const watcher of fresh) {
      const missed = watcher.since === null ? { changes: [] } : await readChanges(db.kysely, eventId, watcher.since);
      if (!event.fresh.delete(watcher)) continue;
      // Another node's clock does not matter, but a number from the future is from another database.
      const lost = watcher.since !== null && watcher.since > seq;
      watcher.changed(lost ? null : (missed?.changes?.filter((change) => change.seq <= seq) ?? null), seq);
      event.known.add(watcher);
    }
  }

  async function readAll(eventId: string): Promise<void> {
    const event = watched.get(eventId);
    if (!event || closed) return;
    event.again = true;
    if (event.reading) return;
    event.reading = true;
    while (event.again && !closed) {
      event.again = false;
      await readOnce(eventId, event).then(
        () => (failing = false),
        (error: unknown) => failed(error, () => void readAll(eventId)),
      );
    }
    event.reading = false;
  }

  /** Logs the first failure of several, and tries again. */
  function failed(error: unknown, again: () => void): void {
    if (!failing) log.error({ err: error }, 'changes could not be read');
    failing = true;
    if (closed) return;
    const retry = setTimeout(() => {
      retries.delete(retry);
      again();
    }, RETRY_MS).unref();
    retries.add(retry);
  }

  /** Finds what was missed: notices are lost with a connection, and sessions expire without one. */
  async function pollAll(): Promise<void> {
    const last = await lastChanges(db, [...watched.keys()]);
    for (const [eventId, event] of watched) if (last.get(eventId) !== event.seq) void readAll(eventId);
    await endDead(watched.values());
    await notices?.check();
  }

  function schedule(): void {
    if (timer !== undefined || closed || watched.size === 0) return;
    timer = setTimeout(
      () => {
        pollAll()
          .then(() => (failing = false))
          .catch((error: unknown) => failed(error, () => undefined))
          .finally(() => {
            timer = undefined;
            schedule();
          });
      },
      notices && !notices.works() ? Math.min(POLL_WITHOUT_NOTICES_MS, pollMs) : pollMs,
    ).unref();
  }

  function listen(): void {
    if (listening) return;
    listening = true;
    notices?.listen({
      received: (eventId) => void readAll(eventId),
      connected: () => void pollAll().catch(() => undefined),
    });
  }

  return {
    watch(eventId, watcher) {
      const event = watched.get(eventId) ?? { seq: null, known: new Set(), fresh: new Set(), reading: false, again: false };
      if (closed || !makeRoom(event, watcher)) throw new Refusal('unavailable');
      watched.set(eventId, event);
      event.fresh.add(watcher);
      listen();
      void readAll(eventId);
      schedule();
      return () => {
        event.known.delete(watcher);
        event.fresh.delete(watcher);
        if (event.known.size + event.fresh.size === 0 && watched.get(eventId) === event) watched.delete(eventId);
      };
    },
    watchers: () => watched.values().reduce((sum, { known, fresh }) => sum + known.size + fresh.size, 0),
    close() {
      closed = true;
      stopListening();
      clearTimeout(timer);
      for (const retry of retries) clearTimeout(retry);
      reading.close();
      notifying.close();
      for (const event of watched.values()) for (const watcher of [...event.known, ...event.fresh]) end(event, watcher);
      watched.clear();
    },
  };
}
