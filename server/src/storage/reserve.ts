import { statfs } from 'node:fs/promises';

/** Share of the disk, and most bytes, that photos leave free: logins, deletions, links and a restart need room, too. */
const RESERVED_SHARE = 1 / 20;
const RESERVED_BYTES = 64 * 1024 * 1024;
/** If more than ROOMY reserves are free, the free space is not read again for ROOMY_MS: uploads cannot fill the disk in that time. */
const ROOMY = 16;
const ROOMY_MS = 1000;

/** Guards the reserve of a folder's disk: the returned function throws ENOSPC if no more than the reserve is free. */
export function createReserve(folder: string): () => Promise<void> {
  let roomyUntil = 0;
  return async () => {
    if (performance.now() <= roomyUntil) return;
    const { bavail, blocks, bsize } = await statfs(folder);
    const reserves = (bavail * bsize) / Math.min(RESERVED_BYTES, blocks * bsize * RESERVED_SHARE);
    if (reserves <= 1) throw Object.assign(new Error(`no room in ${folder} but the reserve`), { code: 'ENOSPC' });
    if (reserves > ROOMY) roomyUntil = performance.now() + ROOMY_MS;
  };
}
