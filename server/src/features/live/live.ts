import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';

/** How often a node looks for what others changed, ms: only where several may share a database, and for watched events. */
const LOOK = 2000;
/** Browsers that may watch one event at once. */
const WATCHERS = 100;
/** Of these, by one session: some windows, and connections whose end is not known yet. */
const WATCHERS_OF_SESSION = 12;

/** What became of a photo: it came, went, or is in the slideshow or no longer. */
export type PhotoNews = 'came' | { gone: string } | { id: string; slideshow: boolean };

export interface Live {
  /** Says on this node that a photo of an event came, went or changed. */
  announce(eventId: string, news: PhotoNews): void;
  /** Calls `changed` after each change until stopped. `ended` is called when the server closes. Throws Refusal unavailable. */
  watch(eventId: string, watcher: Watcher): () => void;
  /** Ends all watching. */
  close(): void;
}

interface Watcher {
  /** Id of the session by which it watches. */
  session: string;
  /** `news` is null where another node changed something: then nobody here knows what. */
  changed(news: PhotoNews | null): void;
  ended(): void;
}

/** Tells open pages which photos came, went or changed. It carries no pictures: what may be seen is decided where it is asked for. */
export function createLive({ db, log, look = LOOK }: { db: Db; log: Pick<Log, 'error'>; look?: number }): Live {
  const watched = new Map<string, Set<Watcher>>();
  const marks = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  function announce(eventId: string, news: PhotoNews | null): void {
    for (const { changed } of watched.get(eventId) ?? []) changed(news);
  }

  /** What differs after every change to an event's photos. */
  async function markOf(eventId: string): Promise<string> {
    const row = await db.kysely
      .selectFrom('photos')
      .select([sql<string>`count(*)`.as('photos'), sql<string>`coalesce(sum(slideshow), 0)`.as('shown'), sql<string>`max(id)`.as('newest')])
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow();
    return `${row.photos} ${row.shown} ${row.newest}`;
  }

  async function lookAtAll(): Promise<void> {
    for (const eventId of watched.keys()) {
      const mark = await markOf(eventId);
      const before = marks.get(eventId);
      marks.set(eventId, mark);
      if (before !== undefined && before !== mark) announce(eventId, null);
    }
    for (const eventId of marks.keys()) if (!watched.has(eventId)) marks.delete(eventId);
  }

  function schedule(): void {
    if (db.engine === 'sqlite' || timer !== undefined || watched.size === 0) return;
    timer = setTimeout(() => {
      lookAtAll()
        .catch((error: unknown) => log.error({ err: error }, 'looking for changes failed'))
        .finally(() => {
          timer = undefined;
          schedule();
        });
    }, look);
    timer.unref();
  }

  return {
    announce,
    watch(eventId, watcher) {
      const watchers = watched.get(eventId) ?? new Set();
      const own = [...watchers].filter(({ session }) => session === watcher.session);
      if (watchers.size >= WATCHERS || own.length >= WATCHERS_OF_SESSION) throw new Refusal('unavailable');
      watched.set(eventId, watchers.add(watcher));
      schedule();
      return () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && watched.get(eventId) === watchers) watched.delete(eventId);
      };
    },
    close() {
      clearTimeout(timer);
      const all = [...watched.values()].flatMap((watchers) => [...watchers]);
      watched.clear();
      for (const { ended } of all) ended();
    },
  };
}
