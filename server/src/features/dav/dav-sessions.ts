import { randomShortToken } from '../../lib/ids.ts';

/** Most sessions of an event and of a node, and most files in all of them; the oldest session is forgotten. A path has at most 512 bytes. */
const OF_EVENT = { sessions: 20, files: 40_000 };
const OF_NODE = { sessions: 100, files: 200_000 };
/**
 * Most files of a session, the oldest is forgotten: more than a feast has photos. Software that copies a folder sends whatever is not
 * listed again with each run, for ever.
 */
const FILES = 10_000;

/** The entry of a path in a session. */
export interface DavFile {
  size: number;
  /** Ms since 1970. */
  modified: number;
  /** Null for an empty file that is filled later, or for one that was accepted and dropped. */
  photoId: string | null;
  folder: boolean;
}

export type DavSession = ReturnType<typeof createSession>;

/**
 * Creates the memory of what each booth has stored through this node since its start, so that its software finds its files. The database
 * holds none of it: a stolen password lists and reads nothing. A booth is recognised by its event, address, user name and software.
 */
export function createDavSessions() {
  const sessions = new Map<string, DavSession>();
  const nameOf = (of: SessionName): string => JSON.stringify([of.eventId, of.address, of.user.slice(0, 100), of.software.slice(0, 200)]);
  return {
    find: (of: SessionName): DavSession | undefined => sessions.get(nameOf(of)),
    /** Returns the session of a booth that has shown its password, and creates it if needed. */
    open(of: SessionName): DavSession {
      const name = nameOf(of);
      const session = sessions.get(name) ?? createSession(of.eventId);
      sessions.delete(name);
      sessions.set(name, session);
      // One event's sessions push out only each other; booths of other events keep theirs.
      forgetOldest(
        [...sessions].filter(([, { eventId }]) => eventId === of.eventId),
        OF_EVENT,
      );
      forgetOldest([...sessions], OF_NODE);
      return session;
    },
  };

  function forgetOldest(kept: [string, DavSession][], most: typeof OF_NODE): void {
    let files = kept.reduce((sum, [, session]) => sum + session.size(), 0);
    for (const [n, [name, session]] of kept.entries()) {
      if (kept.length - n <= most.sessions && files <= most.files) return;
      sessions.delete(name);
      files -= session.size();
    }
  }
}

interface SessionName {
  eventId: string;
  address: string;
  user: string;
  software: string;
}

/** Creates a session. Its paths have single slashes, and none at either end. */
function createSession(eventId: string) {
  const files = new Map<string, DavFile>();
  const under = (path: string): [string, DavFile][] => {
    const inside = `${path}/`;
    const found: [string, DavFile][] = [];
    for (const entry of files) if (entry[0] === path || entry[0].startsWith(inside)) found.push(entry);
    return found;
  };
  const forget = (found: [string, DavFile][]): void => {
    for (const [name] of found) files.delete(name);
  };
  /** Sets a file or folder. Folders above are created, and are forgotten only after it. */
  const place = (path: string, file: DavFile): void => {
    files.delete(path);
    files.set(path, file);
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) {
      const folder = files.get(above);
      files.delete(above);
      files.set(above, folder?.folder ? folder : { size: 0, modified: file.modified, photoId: null, folder: true });
    }
    while (files.size > FILES) files.delete(files.keys().next().value as string);
  };
  return {
    eventId,
    /** The device that uploads for this session alone. */
    deviceId: randomShortToken(),
    size: (): number => files.size,
    get: (path: string): DavFile | undefined => files.get(path),
    /** Sets a file or folder. A file replaces everything below its path, so that its deletion cannot mean other files. */
    set(path: string, file: DavFile): void {
      if (!file.folder) forget(under(path));
      place(path, file);
    },
    /** Returns a file, or a folder with everything in it. */
    under,
    delete: (path: string): void => void files.delete(path),
    /** Frees a path: forgets its photo and everything below it. An empty file stays. */
    free: (path: string): void => forget(under(path).filter(([name, { photoId, folder }]) => name !== path || folder || photoId !== null)),
    /** Returns the entries directly in a folder; '' is the topmost. */
    inside: (folder: string): [string, DavFile][] => [...files].filter(([name]) => parentOf(name) === folder),
    /** Moves a file or folder; forgets everything that was at `to`. */
    move(from: string, to: string): void {
      const moved = under(from);
      forget([...moved, ...under(to)]);
      for (const [name, file] of moved) place(`${to}${name.slice(from.length)}`, file);
    },
  };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
