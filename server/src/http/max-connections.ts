import { readFileSync } from 'node:fs';

/** More than all phones of a large party open, six each. */
const MAX_CONNECTIONS = 10_000;
/** Open files that are needed without any connection: libraries, database, staging, pipes to decoders and their replacements. */
const RESERVED_FILES = 256;
/** At least so many connections are accepted, even if the limit of open files is too low. */
const MIN_CONNECTIONS = 64;
/** A connection is an open file itself, and most connections need another one: a photo, or the staged file of an upload. */
const FILES_PER_CONNECTION = 2;

/** Most connections at once, so that enough open files stay free for the server's work. */
export function maxConnections(openFiles = openFilesLimit()): number {
  const room = Math.floor((openFiles - RESERVED_FILES) / FILES_PER_CONNECTION);
  return Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, room));
}

/** The process's limit of open files; 1024 (usual on Linux, macOS has more) if the system does not report it. */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined || limit === 'unlimited' ? Infinity : Number(limit);
  } catch {
    return 1024;
  }
}
