import type { Mutant } from './mutant.ts';

/** What is stored stays. */
export const LOSS: Mutant[] = [
  {
    in: 'features/integrity/blob-life.ts',
    says: 'a photo whose commit has an unknown outcome loses its bytes',
    change: ['if (isUnknown) note([...Object.keys(placed), ...dropped]);', 'if (isUnknown) await remove(Object.keys(placed));'],
    noticed: ['features/integrity/blob-life.process.test.ts'],
  },
  {
    in: 'features/uploads/storing/room.ts',
    says: 'an event takes more than its limit',
    change: ["row(row('used_bytes', '+', size), '<=', row.ref('storage_limit'))", "row('used_bytes', '<=', row.ref('storage_limit'))"],
    noticed: ['features/uploads/uploads.process.test.ts'],
  },
  {
    in: 'features/uploads/resumable/open-uploads.store.ts',
    says: 'a superseded sender goes on adding parts',
    change: [".where('version', '=', n)", ''],
    noticed: ['features/uploads/resumable-failures.process.test.ts', 'features/uploads/resumable.process.test.ts'],
  },
  {
    in: 'features/uploads/resumable/resumable.ts',
    says: 'another device goes on with an upload whose key it knows',
    change: ["vault.keyedHash(deviceId, 'upload', Buffer.from(key))", "vault.keyedHash(deviceId && 'device', 'upload', Buffer.from(key))"],
    noticed: ['features/uploads/resumable.process.test.ts'],
  },
  {
    in: 'features/integrity/janitor.ts',
    says: 'the sweep removes photos that are being stored',
    change: ['const GRACE_MS = 3 * HOUR;', 'const GRACE_MS = 0 * HOUR;'],
    noticed: ['features/integrity/janitor.process.test.ts'],
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'the sweep removes parts of open uploads',
    change: ['&& !isPart(key)', '|| isPart(key)'],
    noticed: ['features/integrity/janitor.process.test.ts'],
  },
  {
    in: 'features/integrity/blob-life.ts',
    says: 'the sweep removes blobs that a photo names',
    change: ['!named.has(key) &&', ''],
    noticed: ['features/integrity/janitor.process.test.ts'],
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a new blob’s name is lost with the power',
    change: ['await folders.sync(home).catch(noErrorIfMissing);', ''],
    noticed: ['storage/folder-store.process.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a written blob’s bytes are lost with the power',
    change: ['await fill(file);\n        await file.sync();', 'await fill(file);'],
    noticed: ['storage/folder-store.process.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a staged blob’s bytes are lost with the power',
    change: ["await withFile(stagedPath, 'r+', (file) => file.sync());", ''],
    noticed: ['storage/folder-store.process.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'storage/folder-store.ts',
    says: 'a new folder is lost with the power',
    change: ['await sync(dirname(at));', ''],
    noticed: ['storage/folder-store.process.test.ts'],
    by: 'lost with the power',
  },
  {
    in: 'features/backup/backup.ts',
    says: 'a clock that leapt ahead removes all snapshots',
    change: [
      '(await clockGuard.check()) ? now - MAX_AGE_MS : -Infinity',
      '(await clockGuard.check()) || true ? now - MAX_AGE_MS : -Infinity',
    ],
    noticed: ['features/backup/snapshots.process.test.ts'],
    by: 'sqlite.*clock that leapt',
  },
  {
    in: 'features/backup/backup.ts',
    says: 'bytes that rotted in the backup are kept',
    change: ['if (!last || proved.sha256 === last.sha256) {', 'if (true) {'],
    noticed: ['features/backup/snapshots.process.test.ts'],
  },
  {
    in: 'features/backup/backup.ts',
    says: 'a photo that was deleted meanwhile counts as lost',
    change: ['if (now && (tries === TRIES', 'if (!now || (tries === TRIES'],
    noticed: ['features/backup/backup.process.test.ts'],
    by: 'sqlite.*deleted before its bytes',
  },
  {
    in: 'features/health/health.ts',
    says: 'a backup of any age is called good',
    change: ['if (age > BACKUP_LATE)', 'if (age > 1000 * BACKUP_LATE)'],
    noticed: ['features/health/health.test.ts'],
    by: 'a backup is late',
  },
];
