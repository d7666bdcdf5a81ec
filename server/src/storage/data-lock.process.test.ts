import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { canMount, mountSmallDisk, untilFull } from '../testing/system.ts';
import { DataFolderTaken, lockDataFolder } from './data-lock.ts';

it('a data folder has one owner at a time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  {
    using _lock = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow(DataFolderTaken);
  }
  lockDataFolder(folder)[Symbol.dispose]();
});

it('a data folder whose lock is broken is not called taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'lock'), 'not a database, but some words, '.repeat(100));
  expect(() => lockDataFolder(folder)).toThrow(expect.objectContaining({ errcode: 26 }));
});

it.skipIf(!canMount('a data folder on a full disk'))(
  'a data folder on a disk without a free byte and without a free name is not taken for locked',
  async () => {
    const disk = await mountSmallDisk(1, 20);
    onTestFinished(() => disk.unmount());
    lockDataFolder(disk.folder)[Symbol.dispose]();
    const other = join(disk.folder, 'other');
    await untilFull(() => appendFile(other, Buffer.alloc(1000)));
    lockDataFolder(disk.folder)[Symbol.dispose]();
    await untilFull(() => writeFile(join(disk.folder, randomUUID()), ''));
    using _lock = lockDataFolder(disk.folder);
    expect(() => lockDataFolder(disk.folder)).toThrow(DataFolderTaken);
  },
);
