import fs, { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolderStore } from './folder-store.ts';

/** Records the steps of some work in their order: a SIGKILL does not show what a power loss takes. */
async function stepsOf(work: () => Promise<void>): Promise<{ what: 'sync' | 'move'; path: string }[]> {
  const steps: { what: 'sync' | 'move'; path: string }[] = [];
  const { open, rename } = fs;
  fs.open = async (...args: Parameters<typeof open>) => {
    const file = await open(...args);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      await sync();
      steps.push({ what: 'sync', path: String(args[0]) });
    };
    return file;
  };
  fs.rename = async (from, to) => {
    await rename(from, to);
    steps.push({ what: 'move', path: String(to) });
  };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, { open, rename });
    syncBuiltinESMExports();
  }
  return steps;
}

it('a folder store lets nothing be lost with the power: bytes are on the disk before they have their name, and that before its answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-store-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = createFolderStore({ folder });
  const staged = join(folder, 'staged');
  const steps = async (work: () => Promise<void>) =>
    (await stepsOf(work)).map(({ what, path }) => `${what} ${relative(folder, path).replace(/^\.tmp-.*/, 'new') || '.'}`);
  await writeFile(staged, 'bytes');
  const first = await steps(() => store.adopt('events/a/b.original', staged));
  expect(first.filter((step) => step.startsWith('sync') && step !== 'sync events/a').toSorted()).toEqual([
    'sync .',
    'sync ..',
    'sync events',
    'sync staged',
  ]);
  // New folders are synced before anything is in them.
  expect([first.indexOf('move events/a/b.original'), first.at(-1)]).toEqual([first.length - 2, 'sync events/a']);
  expect(await steps(() => store.put('events/a/b.thumbnail', Buffer.from('bytes')))).toEqual([
    'sync new',
    'move events/a/b.thumbnail',
    'sync events/a',
  ]);
  expect(await steps(() => store.adopt('events/a/c.original', staged))).toEqual([
    'sync staged',
    'move events/a/c.original',
    'sync events/a',
  ]);
});
