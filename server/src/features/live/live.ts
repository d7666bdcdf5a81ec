import { setTimeout as sleep } from 'node:timers/promises';
import { readChanges, type Change } from '../../database/changes.ts';
import type { Db } from '../../database/open.ts';
import { Refusal } from '../../lib/errors.ts';
import { every, type Loop } from '../../lib/every.ts';
import type { Log } from '../../lib/log.ts';
import type { Sessions } from '../sessions/sessions.ts';

/** Shortest interval of notices to other nodes and of reads for one event; the first comes at once. */
const THROTTLE_MS = 250;
/** Interval at which all watched events and sessions are polled for lost notices; shorter where no notices arrive at all. */
const POLL_MS = 30_000;
const POLL_WITHOUT_NOTICES_MS = 2000;
/** Pause after a failed read. */
const RETRY_MS = 1000;
/** Most browsers that watch one event at the same time on this node. */
const MAX_WATCHERS = 100;
/** Most watchers of one session: some windows, and broken connections that are not detected yet. */
const MAX_WATCHERS_PER_SESSION = 12;

export type Live = ReturnType<typeof createLive>;

export interface Watcher {
  /** Id of the watcher's session. */
  session: string;
  /** The number of the last change that the watcher knows. */
  since: number;
  /** True if the watcher shows the photos on a wall. */
  wall: boolean;
  /** Receives changes, null if not all of them are known, and the number of the last one. */
  changed(changes: Change[] | null, seq: number): void;
  ended(): void;
}

/** An event's watchers on this node, with the number of the last change that each knows. */
type Watched = Map<Watcher, { seq: number; told: boolean }>;

interface Deps {
  db: Pick<Db, 'kysely' | 'notices' | 'onChange'>;
  sessions: Pick<Sessions, 'living'>;
  log: Pick<Log, 'error'>;
  pollMs?: number;
}

/**
 * Creates the notices to open pages about changes on any node. Reads changes from the database's log of changes after a commit on this
 * node, after a notice of another node, and at intervals. Sends ids only: a page's access is checked when it loads the photos.
 */
export function createLive({ db, sessions, log, pollMs = POLL_MS }: Deps) {
  const { notices } = db;
  const watched = new Map<string, Watched>();
  const closing = new AbortController();
  /** Starts with the first watcher. */
  let loop: Loop | undefined;

  const notifying = createThrottle(async (eventId) => notices?.send(eventId).catch(() => undefined));
  const reading = createThrottle(readNews);
  const stopListening = db.onChange((eventId) => {
    reading.call(eventId);
    notifying.call(eventId);
  });

  function end(event: Watched, watcher: Watcher): void {
    event.delete(watcher);
    watcher.ended();
  }

  /**
   * Returns whether the event takes a further watcher. In a full event, the session with the most watchers gives one up; of several such
   * sessions, the youngest. So a session that logs in often, or has many windows, displaces no earlier watcher.
   */
  function makeRoom(event: Watched, watcher: Watcher): boolean {
    const all = [...event.keys()];
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
    const all = [...events].flatMap((event) => [...event.keys()].map((watcher) => ({ event, watcher })));
    const living = await sessions.living([...new Set(all.map(({ watcher }) => watcher.session))]);
    for (const { event, watcher } of all) if (!living.has(watcher.session)) end(event, watcher);
  }

  /** Tells each watcher the changes since its last news. */
  async function tellNews(eventId: string, event: Watched): Promise<void> {
    for (const [since, watchers] of Map.groupBy(event, ([, { seq }]) => seq)) {
      const read = await readChanges(db.kysely, eventId, since);
      // Sessions that have ended must not get changes after their end.
      if (!read?.changes || read.changes.some(({ kind }) => kind === 'sessions')) await endDead([event]);
      if (!read) return;
      for (const [watcher, { told }] of watchers) {
        if (!event.has(watcher)) continue;
        event.set(watcher, { seq: read.seq, told: true });
        if (!told || read.seq !== since) watcher.changed(read.changes, read.seq);
      }
    }
  }

  async function readNews(eventId: string): Promise<void> {
    const event = watched.get(eventId);
    if (!event || closing.signal.aborted) return;
    await tellNews(eventId, event).catch((error: unknown) => {
      loop?.failed(error);
      setTimeout(reading.call, RETRY_MS, eventId).unref();
    });
  }

  /** Finds missed changes: notices are lost with a connection, and sessions expire without one. */
  async function pollAll(): Promise<void> {
    if (watched.size === 0) return;
    // There are no more ids than connections, so fewer than a statement's most parameters.
    const ids = [...watched.keys()];
    const rows = await db.kysely.selectFrom('events').select(['id', 'change_seq']).where('id', 'in', ids).execute();
    const last = new Map(rows.map(({ id, change_seq }) => [id, change_seq]));
    for (const [eventId, event] of watched) if (event.values().some(({ seq }) => seq !== last.get(eventId))) reading.call(eventId);
    await endDead(watched.values());
    await notices?.check();
  }

  const pause = (): number => (notices && !notices.works() ? Math.min(POLL_WITHOUT_NOTICES_MS, pollMs) : pollMs);

  function listen(): void {
    if (loop) return;
    notices?.listen({
      received: reading.call,
      connected: () => void pollAll().catch(() => undefined),
    });
    const options = { log, ending: closing.signal, failed: 'changes could not be read', first: pause() };
    loop = every(Math.min(POLL_WITHOUT_NOTICES_MS, pollMs), options, () => pollAll().then(pause));
  }

  return {
    /**
     * Calls `changed` first with the changes after `since`, then after each further change, until stopped. Calls `ended` when the watcher's
     * session has ended, when others need its place, or when the server closes. Throws Refusal `unavailable`.
     */
    watch(eventId: string, watcher: Watcher): () => void {
      const event: Watched = watched.get(eventId) ?? new Map();
      if (closing.signal.aborted || !makeRoom(event, watcher)) throw new Refusal('unavailable');
      watched.set(eventId, event);
      event.set(watcher, { seq: watcher.since, told: false });
      listen();
      reading.call(eventId);
      return () => {
        event.delete(watcher);
        if (event.size === 0 && watched.get(eventId) === event) watched.delete(eventId);
      };
    },
    /** Counts the watchers of an event on this node: walls, and other pages. */
    watchersOf(eventId: string): { walls: number; pages: number } {
      const all = [...(watched.get(eventId)?.keys() ?? [])];
      const walls = all.filter(({ wall }) => wall).length;
      return { walls, pages: all.length - walls };
    },
    /** Counts all watchers. */
    watchers: (): number => watched.values().reduce((sum, { size }) => sum + size, 0),
    close(): void {
      closing.abort();
      stopListening();
      reading.close();
      notifying.close();
      for (const event of watched.values()) for (const watcher of event.keys()) end(event, watcher);
      watched.clear();
    },
  };
}

/**
 * Returns a throttle whose `call` runs a key at once. Further calls within THROTTLE_MS, or before that run has ended, become one more run.
 * `run` must not reject.
 */
function createThrottle(run: (key: string) => Promise<void>) {
  /** True by key if it was called again. */
  const again = new Map<string, boolean>();

  async function begin(key: string): Promise<void> {
    do {
      again.set(key, false);
      await Promise.all([run(key), sleep(THROTTLE_MS, undefined, { ref: false })]);
    } while (again.get(key));
    again.delete(key);
  }

  return {
    call(key: string): void {
      if (again.has(key)) again.set(key, true);
      else void begin(key);
    },
    close(): void {
      for (const [key, called] of again) if (called) void run(key);
      again.clear();
    },
  };
}
