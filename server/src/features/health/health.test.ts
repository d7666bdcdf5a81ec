import { BACKUP_LATE, BACKUPS_KEPT_DAYS, DAY, DISK_SCARCE, DISK_TOO_LITTLE, HOUR } from '@feierbild/contract/constants.ts';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { leftBehind } from '../../foundation.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';
import type { LastBackup } from '../backup/backup.ts';
import { HEALTH } from './health.ts';

const now = Date.now();
const kept = BACKUPS_KEPT_DAYS * DAY;
const backups = (last: LastBackup | null) => ({ now, read: { lastBackup: async () => last } });

it('a backup is late after its limit, and too old after the time for which backups are kept', async () => {
  const aged = async (age: number) => (await HEALTH.backup.ask(backups({ at: now - age, folder: '/backup' }))).severity;
  expect([await aged(BACKUP_LATE), await aged(BACKUP_LATE + 1), await aged(kept), await aged(kept + 1)]).toEqual([
    'good',
    'caution',
    'caution',
    'bad',
  ]);
});

it('a backup is none to rely on while it lacks files that the photo store does not give', async () => {
  const lacking = async (missing: number) => HEALTH.backup.ask(backups({ at: now - 2 * HOUR, folder: '/backup', missing }));
  expect((await lacking(0)).severity).toBe('good');
  expect(await lacking(1)).toEqual({
    severity: 'bad',
    found: 'Der letzten fehlt 1 Datei.',
    line: 'Die neueste, in /backup, ist 2 Stunden alt, und ihr fehlt 1 Datei. Der Fotospeicher gibt sie nicht her; „backup“ und „verify“ nennen sie. Legen Sie sie aus einer anderen Sicherung zurück, oder bitten Sie den Gast noch einmal um sein Foto.',
  });
});

it('a backup with a date in the future is not fresh, and no age of an old one is known by it', async () => {
  const last = { at: now + 365 * DAY, folder: '/backup', oldest: now + 365 * DAY };
  expect(await HEALTH.backup.ask(backups(last))).toMatchObject({
    severity: 'caution',
    line: expect.stringMatching(
      /^Das Datum der neuesten, in \/backup, liegt in der Zukunft: .* Stellen Sie die Uhr, und sichern Sie neu\.$/,
    ),
  });
  expect((await HEALTH['old-backups'].ask(backups(last))).severity).toBe('bad');
  expect((await HEALTH['old-backups'].ask(backups({ ...last, oldest: now - DAY }))).severity).toBe('good');
});

it('a search for all photos and a deletion count only with a date that has been', async () => {
  const looked = async (at: number) => (await HEALTH.look.ask({ now, read: { lastCheck: async () => ({ at, findings: 0 }) } })).severity;
  expect([await looked(now - DAY), await looked(now + DAY)]).toEqual(['good', 'bad']);
  const cleaned = async (at: number) => {
    const read = { clockRight: async () => true, overdue: async () => 0, lastCleaning: async () => at };
    return (await HEALTH.cleaning.ask({ now, read })).severity;
  };
  expect([await cleaned(now - HOUR), await cleaned(now + DAY)]).toEqual(['good', 'bad']);
});

it('an old snapshot is named that lies in another folder than the last one', async () => {
  const disk = { at: now - 20 * DAY, folder: '/platte', oldest: now - 40 * DAY };
  const last = { at: now - HOUR, folder: '/backup', oldest: now - 10 * DAY, others: [disk] };
  expect((await HEALTH.backup.ask(backups(last))).severity).toBe('good');
  expect(await HEALTH['old-backups'].ask(backups(last))).toMatchObject({
    severity: 'bad',
    line: 'Die älteste, in /platte, ist 40 Tage alt, keine darf älter als 14 Tage werden. Ein „backup“ in diesen Ordner entfernt sie.',
  });
  expect(await HEALTH['old-backups'].ask(backups({ ...last, others: [] }))).not.toHaveProperty('line');
});

it('a disk is scarce below one limit, and too small below the other', async () => {
  const having = async (free: number) => (await HEALTH.disk.ask({ read: { disk: async () => ({ free, folder: '/daten' }) } })).severity;
  expect([
    await having(DISK_SCARCE),
    await having(DISK_SCARCE - 1),
    await having(DISK_TOO_LITTLE),
    await having(DISK_TOO_LITTLE - 1),
  ]).toEqual(['good', 'caution', 'caution', 'bad']);
});

it('what keeps photos from being deleted is told to who looks after the server', async () => {
  const cleaning = (clockRight: boolean, overdue: number, last: number | null = now) => ({
    now,
    read: { clockRight: async () => clockRight, overdue: async () => overdue, lastCleaning: async () => last },
  });
  expect(await HEALTH.cleaning.ask(cleaning(false, 2))).toMatchObject({
    severity: 'bad',
    line: expect.stringMatching(/^Die Uhr ist gesprungen/),
  });
  const one = await HEALTH.cleaning.ask(cleaning(true, 1));
  expect(one).toMatchObject({ severity: 'bad', found: '1 Event ist seit mehr als einem Tag überfällig.' });
  expect(one.line).toMatch(/^1 Event ist .* Grund/);
  for (const fine of [cleaning(true, 0), cleaning(true, 0, null)]) expect(await HEALTH.cleaning.ask(fine)).not.toHaveProperty('line');
});

it('a database and photos that the service used before are named, with the log of the database, until their files are gone', async () => {
  const dataDir = await mkdtemp(join(RUN_FOLDER, 'left-'));
  const files = [
    'feierbild.sqlite',
    'feierbild.sqlite-wal',
    'lock',
    'photos/events/a/b.original',
    'photos/lost+found/#12',
    'staging/x',
    'thumbnails/y',
  ];
  for (const file of files) {
    await mkdir(dirname(join(dataDir, file)), { recursive: true });
    await writeFile(join(dataDir, file), '');
  }
  const found = async (env: Record<string, string>) => {
    const result = readConfig({ DATA_DIR: dataDir, ...env });
    if ('mistakes' in result) return expect.fail(result.mistakes.join('\n'));
    const { severity, line = '' } = await HEALTH['left-behind'].ask({ read: { leftBehind: () => leftBehind(result.config) } });
    return [severity, ...[...files, 'photos'].filter((place) => new RegExp(`${RegExp.escape(place)}[, ]`).test(line))];
  };
  const DATABASE_URL = 'postgres://db/feierbild';
  const STORAGE_URL = 's3://fotos';
  expect(await found({})).toEqual(['good']);
  expect(await found({ DATABASE_URL })).toEqual(['caution', 'feierbild.sqlite', 'feierbild.sqlite-wal']);
  expect(await found({ STORAGE_URL })).toEqual(['caution', 'photos']);
  await rm(join(dataDir, 'feierbild.sqlite'));
  expect(await found({ DATABASE_URL, STORAGE_URL })).toEqual(['caution', 'feierbild.sqlite-wal', 'photos']);
  await rm(join(dataDir, 'feierbild.sqlite-wal'));
  // Empty folders stay where somebody removes the files.
  await rm(join(dataDir, 'photos/events/a/b.original'));
  await mkdir(join(dataDir, 'feierbild.sqlite-alt'));
  expect(await found({ DATABASE_URL, STORAGE_URL })).toEqual(['good']);
});
