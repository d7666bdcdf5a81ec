import { Refusal } from '../../lib/errors.ts';

/** Longest path of a file and longest name in it, bytes. */
const PATH_BYTES = 512;
const NAME_BYTES = 255;
/** Files that Finder, Windows and Office put beside others. */
const JUNK = /^(?:\._.*|\.DS_Store|Thumbs\.db|desktop\.ini|~\$.*\.(?:do[ct]|xl[st]|p[op]t|pps|pub|vsd)[bmx]?)$/i;
/** File names that programs use until a file is complete; `name` is the final name. */
const UNFINISHED = [
  // rsync
  /^\.(?<name>.+)\.[A-Za-z0-9]{6}$/s,
  // Syncthing
  /^(?:\.syncthing\.|~syncthing~)(?<name>.+)\.tmp$/is,
  // FreeFileSync
  /^(?<name>.+?)(?:\.[0-9a-f]{4})?\.ffs_tmp$/is,
  // rclone
  /^(?<name>.+)\.[0-9a-f]{8}\.partial$/is,
  // WinSCP, CarotDAV, browsers, Resilio Sync, programs of macOS, and others
  /^(?<name>.+)\.(?:filepart|tacitpart|crdownload|crswap|download|part|partial|te?mp|!sync|sb-[0-9a-z]{4,8}(?:-[0-9a-z]{6})?)$/is,
];

/** Returns whether a file is one that operating systems put beside others. Such files are accepted and dropped. */
export function isJunk(name: string): boolean {
  return JUNK.test(name);
}

/** Returns the name that a file gets once it is complete. A name that is in none of the forms stays. */
export function finishedName(name: string): string {
  for (const unfinished of UNFINISHED) {
    const finished = unfinished.exec(name)?.groups?.name;
    if (finished !== undefined) return finished;
  }
  return name;
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * Normalises a decoded path; '' is the topmost folder. Accents become NFC, as systems write them differently, and `.` parts are dropped, as
 * rclone puts `./` before a colon. Throws Refusal `invalid_input` for names that no file may have.
 */
export function cleanPath(path: string): string {
  const names = path
    .normalize('NFC')
    .split('/')
    .filter((name) => name !== '' && name !== '.');
  const isBad = (name: string): boolean => name === '..' || /\p{Cc}/u.test(name) || Buffer.byteLength(name) > NAME_BYTES;
  const clean = names.join('/');
  if (names.some(isBad) || Buffer.byteLength(clean) > PATH_BYTES) throw new Refusal('invalid_input');
  return clean;
}
