import { chmod, chown, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createReleaseAssets } from './release-assets.ts';

const OWN = 'feierbild-1.0.0-linux-x64';
const NEXT = 'feierbild-1.1.0-linux-x64';
const MAIN = 'main-AbCd_-12.js';

let parent: string;
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'feierbild-releases-')));
  await unpack(OWN);
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(parent, { recursive: true });
});

/** Makes a release's folder with one built file; returns the folder of its built files. */
async function unpack(name: string, file = MAIN): Promise<string> {
  const assets = join(parent, name, 'web/dist/assets');
  await mkdir(assets, { recursive: true });
  for (const part of ['.', 'web', 'web/dist', 'web/dist/assets']) await chmod(join(parent, name, part), 0o755);
  await writeFile(join(assets, file), name);
  return assets;
}
const find = (name: string, release = OWN): Promise<string | null> => createReleaseAssets(join(parent, release, 'web/dist'))(name);

describe('built files of releases beside this one', () => {
  it.each([NEXT, 'feierbild-0.9.12-linux-x64', 'feierbild-2.0.0-rc.1-darwin-arm64'])('are found in %s', async (name) => {
    const assets = await unpack(name);
    expect(await find(MAIN)).toBe(assets);
  });

  it('are found where this release is started by a link to its folder', async () => {
    const assets = await unpack(NEXT);
    await symlink(OWN, join(parent, 'feierbild'));
    expect(await find(MAIN, 'feierbild')).toBe(assets);
  });

  it.each([
    'main.js',
    'main-AbCd_-12.js.br',
    'main-AbCd_-12.js.map',
    'main-AbCd_-12.html',
    '.main-AbCd_-12.js',
    '../main-AbCd_-12.js',
    '..',
    '../.vite/manifest.json',
    'sub/main-AbCd_-12.js',
    'sub\\main-AbCd_-12.js',
    'main-AbCd_-12.js\0.js',
  ])('are none where the name is not one of the build: %j', async (name) => {
    const assets = await unpack(NEXT);
    if (!/[/\\\0]|^\.\.$/.test(name)) await writeFile(join(assets, name), 'x');
    expect(await find(name)).toBeNull();
    expect(await find(MAIN)).toBe(assets);
  });

  it.each([
    'feierbild',
    'feierbild-next',
    'feierbild-1.1.0',
    'feierbild-1.1.0-linux-x64.bak',
    'feierbild-1.1-linux-x64',
    'other-1.1.0-linux-x64',
  ])('are none in a folder that is not named as the package’s: %s', async (name) => {
    await unpack(name);
    expect(await find(MAIN)).toBeNull();
  });

  it('are none where this release’s own folder is not named so, as in a clone', async () => {
    await unpack(NEXT);
    await rename(join(parent, OWN), join(parent, 'clone'));
    expect(await find(MAIN, 'clone')).toBeNull();
  });

  describe('are not read where others than this release’s owner could have put them there', () => {
    it.each(['.', 'web', 'web/dist', 'web/dist/assets'])('because the group or anybody may write to the folder %s', async (part) => {
      await unpack(NEXT);
      for (const mode of [0o775, 0o757]) {
        await chmod(join(parent, NEXT, part), mode);
        expect(await find(MAIN)).toBeNull();
      }
    });

    it.skipIf(process.getuid?.() !== 0).each(['.', 'web', 'web/dist', 'web/dist/assets'])('because %s is somebody else’s', async (part) => {
      await unpack(NEXT);
      await chown(join(parent, NEXT, part), 12_345, 12_345);
      expect(await find(MAIN)).toBeNull();
    });

    it.each(['.', 'web', 'web/dist', 'web/dist/assets'])('because %s is a link', async (part) => {
      await unpack(NEXT);
      const [real, away] = [join(parent, NEXT, part), join(parent, 'away')];
      await rename(real, away);
      await symlink(away, real);
      expect(await find(MAIN)).toBeNull();
    });

    it.each([MAIN, `${MAIN}.br`])('because %s is a link', async (name) => {
      const assets = await unpack(NEXT, 'other-AbCd_-12.js');
      await writeFile(join(parent, 'secret'), 'x');
      if (name !== MAIN) await writeFile(join(assets, MAIN), 'x');
      await symlink(join(parent, 'secret'), join(assets, name));
      expect(await find(MAIN)).toBeNull();
    });
  });

  it('are those of the three releases that were unpacked last', async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    for (const n of [1, 2, 3, 4]) {
      await unpack(`feierbild-0.${n}.0-linux-x64`, `only${n}-AbCd_-12.js`);
      await pause();
    }
    const found = await Promise.all([1, 2, 3, 4].map((n) => find(`only${n}-AbCd_-12.js`)));
    expect(found.map((place) => place !== null)).toEqual([false, true, true, true]);
  });

  it('are looked for every two seconds at most, and found after that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const findAgain = createReleaseAssets(join(parent, OWN, 'web/dist'));
    expect(await findAgain(MAIN)).toBeNull();
    const assets = await unpack(NEXT);
    expect(await findAgain(MAIN)).toBeNull();
    vi.advanceTimersByTime(2000);
    expect(await findAgain(MAIN)).toBe(assets);
    await rm(join(parent, NEXT), { recursive: true });
    vi.advanceTimersByTime(2000);
    expect(await findAgain(MAIN)).toBeNull();
  });
});
