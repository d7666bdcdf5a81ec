import { GB } from '@feierbild/contract/constants.ts';
import { expect, it } from 'vitest';

import { createTurns } from './turns.ts';
import { createItem, type Item } from '../item.ts';

const item = (name: string, change: Partial<Item> = {}): Item => ({ ...createItem(new File(['x'], name)), submitted: true, ...change });
const failure = { code: 'unavailable', message: '' } as const;

/** Returns the names of the next items; each is begun at once. */
function follow(items: readonly Item[], turns = createTurns()): string[] {
  const names: string[] = [];
  for (let next = turns.next(items); next; next = turns.next(items)) {
    turns.began(next);
    names.push(next.name);
  }
  return names;
}

it('each is tried once, in their order, and what failed before after all others', () => {
  expect(follow([item('a', { failure }), item('b'), item('c', { submitted: false }), item('d', { failure }), item('e')])).toEqual([
    'b',
    'e',
    'a',
    'd',
  ]);
});

it('large files wait until there is room for them among those under way; smaller ones go ahead, one alone always', () => {
  const videos = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => item(name, { size: 0.45 * GB }));
  const items = [...videos, item('photo', { size: 4_000_000 })];
  const turns = createTurns();
  expect(follow(items, turns)).toEqual(['a', 'b', 'c', 'd', 'photo']);
  turns.ended(videos[1]!.id);
  expect(follow(items, turns)).toEqual(['e']);
  expect(follow([item('whole', { size: 3 * GB })])).toEqual(['whole']);
});
