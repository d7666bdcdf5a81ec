import type { Photo } from '@feierbild/contract/entities.ts';
import { expect, it } from 'vitest';
import { EMPTY, reduce, type Queue, type Step } from './queue.ts';

const photos = ['a', 'b', 'c'].map((id) => ({ id }) as Photo);
const after = (...steps: Step[]): Queue => steps.reduce(reduce, EMPTY);
const ids = ({ waiting }: Queue): string[] => waiting.map(({ id }) => id);
const came: Step = { type: 'came', photos };

it('a photo is asked about once, however often it is loaded, and not again when it was decided', () => {
  expect(ids(after(came, came))).toEqual(['a', 'b', 'c']);
  expect(ids(after(came, { type: 'decided', id: 'a', shown: true }, came))).toEqual(['b', 'c']);
});

it('decisions are taken back one after the other, the last first', () => {
  const decided = after(came, { type: 'decided', id: 'a', shown: true }, { type: 'decided', id: 'b', shown: false });
  expect(decided.decided.map(({ photo, shown }) => [photo.id, shown])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(ids(reduce(decided, { type: 'undone' }))).toEqual(['b', 'c']);
  expect(ids(reduce(reduce(decided, { type: 'undone' }), { type: 'undone' }))).toEqual(['a', 'b', 'c']);
  expect(after(came, { type: 'undone' })).toEqual(after(came));
});

it('a photo whose decision did not arrive waits again, and it is said until it was read', () => {
  const failed = after(came, { type: 'decided', id: 'a', shown: true }, { type: 'failed', id: 'a' });
  expect([ids(failed), failed.decided, failed.failed]).toEqual([['a', 'b', 'c'], [], 1]);
  expect(reduce(failed, { type: 'told' }).failed).toBe(0);
  // Taken back meanwhile, it waits already.
  expect(reduce(after(came), { type: 'failed', id: 'a' })).toEqual(after(came));
});
