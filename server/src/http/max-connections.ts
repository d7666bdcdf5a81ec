import { readFileSync } from 'node:fs';

/** More than the phones of a hall open, six each. */
const MOST = 10_000;
/** Files that are open whatever arrives: libraries, database, staging, pipes to decoders and their replacements. */
const RESERVED_FILES = 256;
/** Where the limit is too low for that, so many guests are still served. */
const LEAST = 64;
/** A connection is a file itself, and most have one more open: a photo, or the staged file of an upload. */
const FILES_PER_CONNECTION = 2;

/** How many connections the server takes at once, so that they leave it open files for its work. */
export function maxConnections(openFiles = openFilesLimit()): number {
  const room = Math.floor((openFiles - RESERVED_FILES) / FILES_PER_CONNECTION);
  return Math.max(LEAST, Math.min(MOST, room));
}

/** The process's limit of open files; where the system does not tell, the one that is usual on Linux (macOS has more). */
function openFilesLimit(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === undefined || limit === 'unlimited' ? Infinity : Number(limit);
  } catch {
    return 1024;
  }
}
