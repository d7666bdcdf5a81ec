import { beforeEach, expect, it } from 'vitest';
import { createLastChoice } from './last-choice.ts';

/** Calls in flight, the oldest first. */
let calls: { id: string; value: boolean; answer: PromiseWithResolvers<boolean> }[];
let shown: Record<string, boolean>;
let choose: ReturnType<typeof createLastChoice<boolean>>;

beforeEach(() => {
  [calls, shown] = [[], {}];
  choose = createLastChoice(
    (id, value) => {
      const answer = Promise.withResolvers<boolean>();
      calls.push({ id, value, answer });
      return answer.promise;
    },
    (id, value) => void (shown[id] = value),
  );
});
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const sent = () => calls.map(({ id, value }) => `${id} ${value}`);

async function answer(n: number, value: boolean | Error): Promise<void> {
  if (value instanceof Error) calls[n]?.answer.reject(value);
  else calls[n]?.answer.resolve(value);
  await settled();
}

it('sends one at a time of the same thing, and after it the last one alone', async () => {
  const done = choose('a', true, false);
  void choose('a', false, true);
  void choose('a', true, false);
  void choose('a', false, true);
  expect([sent(), shown]).toEqual([['a true'], { a: false }]);
  await answer(0, true);
  expect(sent()).toEqual(['a true', 'a false']);
  await answer(1, false);
  await done;
  expect([sent().length, shown]).toEqual([2, { a: false }]);
});

it('sends nothing twice where the last press says what the first did', async () => {
  const done = choose('a', true, false);
  void choose('a', false, true);
  void choose('a', true, false);
  await answer(0, true);
  await done;
  expect([sent(), shown]).toEqual([['a true'], { a: true }]);
});

it('lets things wait for each other not', async () => {
  void choose('a', true, false);
  void choose('b', true, false);
  expect(sent()).toEqual(['a true', 'b true']);
  await answer(1, true);
  await answer(0, true);
  void choose('a', false, true);
  expect(sent()).toEqual(['a true', 'b true', 'a false']);
});

it('shows what the server says, and what was before where a call failed', async () => {
  const refused = choose('a', true, false);
  await answer(0, false);
  await refused;
  expect(shown).toEqual({ a: false });
  const lost = choose('a', true, false);
  await Promise.all([expect(lost).rejects.toThrow('lost'), answer(1, new Error('lost'))]);
  expect(shown).toEqual({ a: false });
});

it('goes on with the last press where an earlier one was lost, and comes back to what arrived before where it is lost, too', async () => {
  const done = choose('a', true, false);
  void choose('a', false, true);
  await answer(0, new Error('lost'));
  expect(sent()).toEqual(['a true', 'a false']);
  await answer(1, false);
  await done;
  const first = choose('a', true, false);
  const last = choose('a', false, true);
  await answer(2, true);
  await Promise.all([...[first, last].map((lost) => expect(lost).rejects.toThrow('lost')), answer(3, new Error('lost'))]);
  expect(shown).toEqual({ a: true });
});
