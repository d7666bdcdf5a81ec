import { expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

/** Work whose runs end when the test says so. */
function work() {
  const begun: (string | null)[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const tell = oneAtATime<string>((news) => {
    begun.push(news);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const end = async (fails = false): Promise<void> => {
    const run = ends.at(-1);
    if (fails) run?.reject(new Error('no answer'));
    else run?.resolve();
    await new Promise(setImmediate);
  };
  return { begun, tell, end };
}

it('lets a run come to its end, however much is told meanwhile, and then runs once more', async () => {
  const { begun, tell, end } = work();
  for (const news of ['first', 'second', 'third']) void tell(news);
  expect(begun).toEqual(['first']);
  await end();
  expect(begun).toEqual(['first', null]);
  await end();
  expect(begun).toEqual(['first', null]);
  void tell('fourth');
  expect(begun).toEqual(['first', null, 'fourth']);
});

it('goes on after a run that failed', async () => {
  const { begun, tell, end } = work();
  void tell('first');
  void tell('second');
  await end(true);
  await end(true);
  void tell('third');
  expect(begun).toEqual(['first', null, 'third']);
});
