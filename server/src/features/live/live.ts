import { sql } from 'kysely';
import type { Db } from '../../database/open.ts';
import { Refusal } from '../../lib/errors.ts';
import type { Log } from '../../lib/log.ts';

/** Interval at which a node checks watched events for changes by other nodes; only if several nodes may share the database. */
const POLL_MS = 2000;
/** Most browsers that watch one event at the same time. */
const MAX_WATCHERS = 100;
/** The same for one session: some windows, and broken connections that are not detected yet. */
const MAX_WATCHERS_PER_SESSION = 12;

/** A change of a photo: it was added, deleted, or put into or removed from the slideshow. */
export type PhotoNews = 'came' | { gone: string } | { id: string; slideshow: boolean };

export interface Live {
  /** Tells the watchers on this node about a change. */
  announce(eventId: string, news: PhotoNews): void;
  /** Calls `changed` after each change until stopped. `ended` is called when the server closes. Throws Refusal unavailable. */
  watch(eventId: string, watcher: Watcher): () => void;
  /** Ends all watching. */
  close(): void;
}

interface Watcher {
  /** Id of the watcher's session. */
  session: string;
  /** `news` is null if another node changed something: then the change is not known here. */
  changed(news: PhotoNews | null): void;
  ended(): void;
}

/** Tells open pages which photos were added, deleted or changed. Sends ids only: access is checked when a page loads the photos. */
export function createLive({ db, log, pollMs = POLL_MS }: { db: Db; log: Pick<Log, 'error'>; pollMs?: number }): Live {
  const watched = new Map<string, Set<Watcher>>();
  const versions = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  function announce(eventId: string, news: PhotoNews | null): void {
    for (const { changed } of watched.get(eventId) ?? []) changed(news);
  }

  /** A text that changes with every change to an event's photos. */
  async function versionOf(eventId: string): Promise<string> {
    const row = await db.kysely
      .selectFrom('photos')
      .select([sql<string>`count(*)`.as('photos'), sql<string>`coalesce(sum(slideshow), 0)`.as('shown'), sql<string>`max(id)`.as('newest')])
      .where('event_id', '=', eventId)
      .executeTakeFirstOrThrow();
    return `${row.photos} ${row.shown} ${row.newest}`;
  }

  async function lookAtAll(): Promise<void> {
    for (const eventId of watched.keys()) {
      const version = await versionOf(eventId);
      const before = versions.get(eventId);
      versions.set(eventId, version);
      if (before !== undefined && before !== version) announce(eventId, null);
    }
    for (const eventId of versions.keys()) if (!watched.has(eventId)) versions.delete(eventId);
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
    }, pollMs);
    timer.unref();
  }

  return {
    announce,
    watch(eventId, watcher) {
      const watchers = watched.get(eventId) ?? new Set();
      const own = [...watchers].filter(({ session }) => session === watcher.session);
      if (watchers.size >= MAX_WATCHERS || own.length >= MAX_WATCHERS_PER_SESSION) throw new Refusal('unavailable');
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
