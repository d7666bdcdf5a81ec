import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { namesInOrder } from './names-in-order.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'feierbild-names-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const named = (after: string, batch: number) => Array.fromAsync(namesInOrder(folder, after, batch));

it('names everything once and in order, in batches of any size', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `${(n * 37) % 100}.original`);
  await Promise.all(names.map((name) => writeFile(join(folder, name), '')));
  for (const inside of ['5', '5.original-x', 'zz']) await mkdir(join(folder, inside));
  const sorted = [...names, '5/', '5.original-x/', 'zz/'].toSorted();
  for (const batch of [1, 2, 7, 50, 103, 1000]) {
    const batches = await named('', batch);
    expect(batches.flat()).toEqual(sorted);
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(batch);
    expect((await named('5', batch)).flat()).toEqual(sorted.filter((name) => name > '5'));
  }
});

it('takes a folder that is not there for an empty one, and goes on where names go meanwhile', async () => {
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => writeFile(join(folder, name), '')));
  const seen: string[] = [];
  for await (const names of namesInOrder(folder, '', 2)) {
    seen.push(...names);
    for (const name of names) await rm(join(folder, name));
  }
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await Array.fromAsync(namesInOrder(join(folder, 'nothing')))).toEqual([[]]);
});
