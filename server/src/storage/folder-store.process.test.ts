import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { canDamageDisk, damage, damageDisk } from '../testing/bad-disk.ts';
import { canMount, mountSmallDisk, openFilesBelow } from '../testing/system.ts';
import { blobStoreConformance, keys, read, readFirst } from './testing/conformance.ts';
import { BlobDamaged } from './blob-store.ts';
import { createFolderStore } from './folder-store.ts';
import { RUN_FOLDER } from '../testing/run-folder.ts';

const folders: string[] = [];
async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-store-'));
  folders.push(folder);
  return folder;
}
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe('in a folder:', () => {
  blobStoreConformance(async () => {
    const folder = await freshFolder();
    return { open: () => createFolderStore({ folder }) };
  });
});

describe('a folder store', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await freshFolder();
  });

  it('makes files and folders that only this user can read', async () => {
    const store = createFolderStore({ folder: join(folder, 'photos') });
    await store.put('events/a/b.original', Buffer.from('sealed'));
    const modes = await Promise.all(
      ['photos', 'photos/events', 'photos/events/a', 'photos/events/a/b.original'].map((name) => stat(join(folder, name))),
    );
    expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it('may be the root of a disk, whose file system keeps a folder there that only root can read', async () => {
    await mkdir(join(folder, 'lost+found'));
    await writeFile(join(folder, 'lost+found/#12'), 'found');
    const store = createFolderStore({ folder });
    await store.put('events/a/b.original', Buffer.from('sealed'));
    await writeFile(join(folder, 'notiz.txt'), 'a stray');
    expect(await Array.fromAsync(store.list(''), ({ key }) => key)).toEqual(['events/a/b.original']);
    expect(await Array.fromAsync(store.strays())).toEqual(['notiz.txt']);
  });

  it('tells a blob that its disk does not give from one that is missing, and from an error that says nothing about it', async () => {
    const store = createFolderStore({ folder });
    for (const name of ['bad', 'folder', 'whole']) await store.put(`events/a/${name}.original`, Buffer.from('sealed'));
    damage(join(folder, 'events/a/bad.original'));
    await rm(join(folder, 'events/a/folder.original'));
    await mkdir(join(folder, 'events/a/folder.original'));
    for (const name of ['bad', 'folder']) await expect(read(store, `events/a/${name}.original`)).rejects.toBeInstanceOf(BlobDamaged);
    expect((await read(store, 'events/a/whole.original')).toString()).toBe('sealed');
    await expect(read(store, 'events/a/none.original')).rejects.not.toBeInstanceOf(BlobDamaged);
    await writeFile(join(folder, 'events/file'), '');
    await expect(read(store, 'events/file/b.original')).rejects.toThrow('ENOTDIR');
  });

  it('never lists what is half-written, and clears it away when it is opened after a crash', async () => {
    const store = createFolderStore({ folder });
    await store.put('events/a/b.original', Buffer.from('whole'));
    await writeFile(join(folder, '.tmp-left-by-a-crash'), 'half');
    expect(await keys(store, '')).toEqual(['events/a/b.original']);
    expect(await keys(createFolderStore({ folder, shared: true }), '')).toEqual(['events/a/b.original']);
    expect((await readdir(folder)).sort()).toEqual(['.tmp-left-by-a-crash', 'events']);
    expect(await keys(createFolderStore({ folder }), '')).toEqual(['events/a/b.original']);
    expect(await readdir(folder)).toEqual(['events']);
  });

  it('leaves nothing of a blob that cannot be placed, but what was staged', async () => {
    const store = createFolderStore({ folder });
    const staged = join(folder, 'staged');
    await writeFile(staged, 'bytes');
    // A folder has the name that the blob should get.
    await mkdir(join(folder, 'events/a/b.original'), { recursive: true });
    await expect(store.adopt('events/a/b.original', staged)).rejects.toThrow();
    await expect(store.put('events/a/b.original', Buffer.from('bytes'))).rejects.toThrow();
    expect((await readdir(folder)).toSorted()).toEqual(['events', 'staged']);
    expect(await readdir(join(folder, 'events/a'))).toEqual(['b.original']);
  });

  it('fails its check when its folder is gone', async () => {
    const store = createFolderStore({ folder });
    await rm(folder, { recursive: true });
    await expect(store.check()).rejects.toThrow();
  });

  it('makes an event’s folder anew that a purge took away in between', async () => {
    const store = createFolderStore({ folder });
    for (let round = 0; round < 50; round++) {
      await Promise.all([store.put(`events/a/${round}.original`, Buffer.from('x')), store.removePrefix('events/a/')]);
    }
    await store.put('events/a/last.original', Buffer.from('there'));
    expect((await read(store, 'events/a/last.original')).toString()).toBe('there');
  });

  it('removes an event’s folders while uploads still place their parts in them', async () => {
    const store = createFolderStore({ folder });
    for (let round = 0; round < 100; round++) {
      const parts = ['b', 'c', 'd', 'e'].map((upload) => store.put(`events/a/uploads/${upload}.${round}`, Buffer.from('x')));
      await Promise.all([store.removePrefix('events/a/'), ...parts]);
    }
    await store.removePrefix('events/a/');
    expect(await keys(store, '')).toEqual([]);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('holds no file open for readers that stop in the middle', async () => {
    const store = createFolderStore({ folder });
    await store.put('events/a/b.original', Buffer.alloc(1_000_000));
    for (let n = 0; n < 20; n++) await readFirst(store, 'events/a/b.original');
    expect(openFilesBelow(folder)).toEqual([]);
  });
});

it.skipIf(!canDamageDisk('a damaged file system'))(
  'a folder store on a damaged disk gives and lists all that it can, says at the end of a list what it could not, and takes that neither for missing nor for empty',
  async () => {
    const folder = await freshFolder();
    const store = createFolderStore({ folder });
    for (const name of ['a/bad.original', 'a/good.original', 'a/uploads/b.1', 'c/other.original'])
      await store.put(`events/${name}`, Buffer.from('sealed'));
    const mend = damageDisk(join(folder, 'events/a'), ['bad.original', 'uploads']);
    try {
      await expect(read(store, 'events/a/bad.original')).rejects.toBeInstanceOf(BlobDamaged);
      expect(await store.size('events/a/bad.original')).toBeNull();
      const listed: string[] = [];
      const unlisted = { names: ['events/a/bad.original', 'events/a/uploads/'] };
      const list = async (prefix: string): Promise<void> => {
        for await (const { key } of store.list(prefix)) listed.push(key);
      };
      await expect(list('events/a/')).rejects.toMatchObject(unlisted);
      await expect(list('')).rejects.toMatchObject(unlisted);
      expect(listed).toEqual(['events/a/good.original', 'events/a/good.original', 'events/c/other.original']);
      await expect(Array.fromAsync(store.strays())).rejects.toMatchObject({ names: ['events/a/uploads/'] });
      await expect(list('events/a/uploads/')).rejects.toMatchObject({
        names: ['events/a/uploads/'],
        cause: { path: join(folder, 'events/a/uploads/') },
      });
      await expect(store.removePrefix('events/a/')).rejects.toThrow();
      expect(await readdir(join(folder, 'events/a'))).toEqual(['bad.original', 'uploads']);
    } finally {
      mend();
    }
  },
);

describe.skipIf(!canMount('a really full disk of photos'))('a folder store on a disk of 1 MB', () => {
  let disk = '';
  beforeEach(async () => {
    const mounted = await mountSmallDisk(1);
    disk = mounted.folder;
    return mounted.unmount;
  });

  it('says that the disk is full when a blob does not fit, and leaves nothing of it', async () => {
    const store = createFolderStore({ folder: disk });
    await expect(store.put('events/a/big.original', Buffer.alloc(2_000_000))).rejects.toMatchObject({ code: 'disk_full' });
    expect(await readdir(disk)).toEqual([]);
    await store.put('events/a/small.original', Buffer.alloc(500_000));
    expect(await keys(store, '')).toEqual(['events/a/small.original']);
  });

  it('leaves the reserve of the disk to what is not a photo', async () => {
    const store = createFolderStore({ folder: disk });
    await writeFile(join(disk, 'filler'), Buffer.alloc(1024 * 1024 - 48 * 1024));
    await expect(store.put('events/a/b.preview', Buffer.alloc(4096))).rejects.toMatchObject({ code: 'disk_full' });
    expect(await readdir(disk)).toEqual(['filler']);
  });

  it('says so for a file staged on another disk, and leaves no copy', async () => {
    const store = createFolderStore({ folder: disk });
    const staged = join(await freshFolder(), 'staged');
    await writeFile(staged, Buffer.alloc(2_000_000));
    await expect(store.adopt('events/a/big.original', staged)).rejects.toMatchObject({ code: 'disk_full' });
    expect(await keys(store, '')).toEqual([]);
    expect((await readdir(disk)).filter((name) => name !== 'events')).toEqual([]);
    expect(existsSync(staged)).toBe(true);
  });

  it('takes a file that was staged on another disk', async () => {
    const store = createFolderStore({ folder: disk });
    const staged = join(await freshFolder(), 'staged');
    await writeFile(staged, Buffer.alloc(600_000, 7));
    await store.adopt('events/a/b.original', staged);
    expect((await read(store, 'events/a/b.original')).equals(Buffer.alloc(600_000, 7))).toBe(true);
    expect(existsSync(staged)).toBe(true);
    expect(await readdir(disk)).toEqual(['events']);
  });
});
