import type { Mutant } from './mutant.ts';

/** What is stored stays. */
export const LOSS: Mutant[] = [
  {
    in: 'features/integrity/blob-life.ts',
    says: 'a photo whose commit has an unknown outcome loses its bytes',
    change: ['if (isUnknown) note([...Object.keys(placed), ...dropped]);', 'if (isUnknown) await remove(Object.keys(placed));'],
    noticed: ['features/integrity/blob-life.test.ts'],
  },
  {
    in: 'features/uploads/storing/room.ts',
    says: 'an event takes more than its limit',
    change: ["row(row('used_bytes', '+', size), '<=', row.ref('storage_limit'))", "row('used_bytes', '<=', row.ref('storage_limit'))"],
    noticed: ['features/uploads/storing/room.test.ts'],
  },
  {
    in: 'features/uploads/resumable/open-uploads.store.ts',
    says: 'a superseded sender goes on adding parts',
    change: [".where('version', '=', n)", ''],
    noticed: ['features/uploads/resumable/open-uploads.test.ts'],
  },
  {
    in: 'features/uploads/resumable/resumable.ts',
    says: 'another device goes on with an upload whose key it knows',
    change: ["vault.keyedHash(deviceId, 'upload', Buffer.from(key))", "vault.keyedHash(deviceId && 'device', 'upload', Buffer.from(key))"],
    noticed: ['features/uploads/resumable/open-uploads.test.ts'],
    by: '',
  },
  {
    in: 'features/integrity/janitor.ts',
    says: 'the sweep removes photos that are being stored',
    change: ['const GRACE_MS = 3 * HOUR;', 'const GRACE_MS = 0 * HOUR;'],
    noticed: ['features/integrity/janitor.test.ts'],
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'the sweep removes parts of open uploads',
    change: ['&& !isPart(key)', '|| isPart(key)'],
    noticed: ['features/integrity/janitor.test.ts'],
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'the sweep removes blobs that a photo names',
    change: ['!named.has(key) &&', ''],
    noticed: ['features/integrity/janitor.test.ts'],
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a new blob’s name is lost with the power',
    change: ['await folders.sync(home).catch(noErrorIfMissing);', ''],
    noticed: ['storage/power-loss.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a written blob’s bytes are lost with the power',
    change: ['await fill(file);\n        await file.sync();', 'await fill(file);'],
    noticed: ['storage/power-loss.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a staged blob’s bytes are lost with the power',
    change: ["await withFile(stagedPath, 'r+', (file) => file.sync());", ''],
    noticed: ['storage/power-loss.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a new folder is lost with the power',
    change: ['await sync(dirname(at));', ''],
    noticed: ['storage/power-loss.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'features/backup/backup.ts',
    says: 'a clock that leapt ahead removes all snapshots',
    change: [
      '(await clockGuard.check()) ? now - MAX_AGE_MS : -Infinity',
      '(await clockGuard.check()) || true ? now - MAX_AGE_MS : -Infinity',
    ],
    noticed: ['features/backup/backup.test.ts'],
    by: 'sqlite.*clock that leapt',
  },
  {
    in: 'features/backup/backup.ts',
    says: 'bytes that rotted in the backup are kept',
    change: ['if (!last || proved.sha256 === last.sha256) {', 'if (true) {'],
    noticed: ['features/backup/backup.test.ts'],
  },
  {
    in: 'features/backup/backup.ts',
    says: 'a photo that was deleted meanwhile counts as lost',
    change: ['if (now && (tries === TRIES', 'if (!now || (tries === TRIES'],
    noticed: ['features/backup/backup.test.ts'],
    by: 'sqlite.*deleted before its bytes',
  },
  {
    in: 'features/health/health.ts',
    says: 'a backup of any age is called good',
    change: ['if (age > BACKUP_LATE)', 'if (age > 1000 * BACKUP_LATE)'],
    noticed: ['features/health/health.test.ts'],
    by: 'a backup is late',
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'a change that fails takes the bytes that its rows still name',
    change: ['else await remove(Object.keys(placed));', 'else await remove([...Object.keys(placed), ...dropped]);'],
    noticed: ['features/integrity/blob-life.test.ts'],
  },
  {
    in: 'features/uploads/resumable/open-uploads.store.ts',
    says: 'an upload that goes on is removed as one that has expired',
    change: [".$if(expiredAt !== undefined, (query) => query.where('expires_at', '<=', expiredAt as number))", ''],
    noticed: ['features/uploads/resumable/open-uploads.test.ts'],
  },
];
