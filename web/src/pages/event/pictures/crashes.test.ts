import { afterEach, describe, expect, it } from 'vitest';
import { forget } from '../../../lib/storage.ts';
import { createItem, type Item } from '../item.ts';
import { createCrashes } from './crashes.ts';

afterEach(() => forget('drawing'));

let chosen = 0;
/** Phones' pickers give a file another time at each choice. */
const item = (size: number): Item => createItem(new File([new Uint8Array(size)], 'a.jpg', { lastModified: ++chosen }));

describe('the note of what a browser did not survive', () => {
  it('names what was being drawn as the page was killed, and nothing else', () => {
    const page = createCrashes();
    for (const size of [1, 2]) page.begin(item(size));
    page.end(item(1));
    expect(page.has(item(2))).toBe(false);
    const next = createCrashes();
    expect([1, 2, 3].map((size) => next.has(item(size)))).toEqual([false, true, false]);
    next.begin(item(3));
    next.leave();
    expect([2, 3].map((size) => createCrashes().has(item(size)))).toEqual([true, false]);
  });

  it('remembers the last twenty', () => {
    for (let size = 1; size <= 25; size++) createCrashes().begin(item(size));
    const page = createCrashes();
    expect([1, 5, 6, 25].map((size) => page.has(item(size)))).toEqual([false, false, true, true]);
  });
});
