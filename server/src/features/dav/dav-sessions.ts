import { randomShortToken } from '../../lib/ids.ts';

/** Sessions of an event and of a node, and files that each shows: the oldest is forgotten. A path is at most some hundred bytes. */
const SESSIONS_OF_EVENT = 20;
const SESSIONS = 100;
const FILES = 2000;

/** What a session shows under a name. */
export interface DavFile {
  size: number;
  /** Ms since 1970. */
  modified: number;
  /** Null: an empty file that is to be filled, or one that was taken and dropped. */
  photoId: string | null;
  folder: boolean;
}

export type DavSession = ReturnType<typeof createSession>;

/**
 * What a booth has stored by this node since its start, so that its software finds again what it wrote. Nothing of it is in the
 * database: a stolen password lists and reads nothing. A booth is known by its event, address, user name and software.
 */
export function createDavSessions() {
  const sessions = new Map<string, DavSession>();
  const nameOf = (of: SessionName): string => JSON.stringify([of.eventId, of.address, of.user.slice(0, 100), of.software.slice(0, 200)]);
  return {
    find: (of: SessionName): DavSession | undefined => sessions.get(nameOf(of)),
    /** For a booth that has shown its password. */
    open(of: SessionName): DavSession {
      const name = nameOf(of);
      const session = sessions.get(name) ?? createSession(of.eventId);
      sessions.delete(name);
      sessions.set(name, session);
      // One event's sessions push out only each other: the booths of other events keep their names.
      const ofEvent = [...sessions].filter(([, { eventId }]) => eventId === of.eventId);
      if (ofEvent.length > SESSIONS_OF_EVENT) sessions.delete((ofEvent[0] as (typeof ofEvent)[0])[0]);
      else if (sessions.size > SESSIONS) sessions.delete(sessions.keys().next().value as string);
      return session;
    },
  };
}

interface SessionName {
  eventId: string;
  address: string;
  user: string;
  software: string;
}

/** Paths are joined by single slashes, without one at either end. */
function createSession(eventId: string) {
  const files = new Map<string, DavFile>();
  const under = (path: string): [string, DavFile][] => [...files].filter(([name]) => name === path || name.startsWith(`${path}/`));
  const forget = (found: [string, DavFile][]): void => {
    for (const [name] of found) files.delete(name);
  };
  /** Nothing lies below a file: who deletes one means it alone. The folders above are there from then on, and not forgotten before it. */
  const set = (path: string, file: DavFile): void => {
    forget(file.folder ? [[path, file]] : under(path));
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
    /** The device that uploads, for this session alone. */
    deviceId: randomShortToken(),
    get: (path: string): DavFile | undefined => files.get(path),
    set,
    /** A file, or a folder with all that is in it. */
    under,
    delete: (path: string): void => void files.delete(path),
    /** From now on no photo has the path, and none lies below it. */
    free: (path: string): void => forget(under(path).filter(([name, { photoId, folder }]) => name !== path || folder || photoId !== null)),
    /** What is directly in a folder; '' is the topmost. */
    inside: (folder: string): [string, DavFile][] => [...files].filter(([name]) => parentOf(name) === folder),
    /** What was there before is known by no name any more. */
    move(from: string, to: string): void {
      const moved = under(from);
      forget([...moved, ...under(to)]);
      for (const [name, file] of moved) set(`${to}${name.slice(from.length)}`, file);
    },
  };
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
