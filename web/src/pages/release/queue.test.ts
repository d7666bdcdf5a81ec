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
  const failed = after(came, { type: 'decided', id: 'a', shown: true }, { type: 'failed', photo: photos[0]! });
  expect([ids(failed), failed.decided, failed.failed]).toEqual([['a', 'b', 'c'], [], 1]);
  expect(reduce(failed, { type: 'told' }).failed).toBe(0);
  // Taken back meanwhile, it waits already.
  expect(reduce(after(came), { type: 'failed', photo: photos[0]! })).toEqual(after(came));
});

it('each of many decisions that did not arrive is counted, also those that cannot be taken back any more', () => {
  const many = Array.from({ length: 120 }, (_, n) => ({ id: `p${n}` }) as Photo);
  const decided = many.reduce(
    (queue, { id }) => reduce(queue, { type: 'decided', id, shown: true }),
    after({ type: 'came', photos: many }),
  );
  const failed = many.reduce((queue, photo) => reduce(queue, { type: 'failed', photo }), decided);
  expect([failed.failed, failed.waiting.length, failed.decided.length]).toEqual([120, 120, 0]);
});

it('what is decided or deleted elsewhere goes, and a decision that came too late is said', () => {
  const dated = ['a', 'b', 'c', 'd'].map((id, n) => ({ id, created_at: `2026-05-17T20:0${n}:00.000Z` }) as Photo);
  const unsure = new Set<string>();
  const four = after({ type: 'came', photos: dated });
  expect(ids(reduce(four, { type: 'are', photos: [dated[1]!, dated[3]!], unsure, whole: true }))).toEqual(['b', 'd']);
  // A page says nothing of what comes behind it.
  expect(ids(reduce(four, { type: 'are', photos: [dated[1]!], unsure, whole: false }))).toEqual(['b', 'c', 'd']);
  expect(ids(reduce(four, { type: 'are', photos: [], unsure, whole: true }))).toEqual([]);
  // An answer may be older than what was decided here.
  expect(ids(reduce(four, { type: 'are', photos: [], unsure: new Set(['a']), whole: true }))).toEqual(['a']);
  const late = reduce(reduce(four, { type: 'decided', id: 'a', shown: false }), { type: 'elsewhere', id: 'a' });
  expect([ids(late), late.decided, late.elsewhere]).toEqual([['b', 'c', 'd'], [], 1]);
  expect(ids(reduce(four, { type: 'gone', id: 'c' }))).toEqual(['a', 'b', 'd']);
});
