import { expect, it, onTestFinished } from 'vitest';
import { OutcomeUnknown } from '../../database/errors.ts';
import { engines } from '../../database/testing.ts';
import { openPortless } from '../testing.ts';

const [engine] = engines();

it('on sqlite blobs stay, and are noted, where nobody knows whether their rows are written; without rows they go, and those that rows let go, too', async () => {
  const app = await openPortless({ db: await engine!.open() });
  onTestFinished(async () => {
    await app.close();
    await engine!.dispose();
  });
  const put = (key: string): Promise<void> => app.blobs.put(key, Buffer.from('bytes'));
  const noted = async () => (await app.db.kysely.selectFrom('orphans').select('key').execute()).map(({ key }) => key).toSorted();
  const change = (key: string, commit: () => Promise<void>) =>
    app.blobLife.changeBlobs({ placed: { [key]: put }, dropped: ['events/a/old.original'], commit });

  await put('events/a/old.original');
  const unknown = change('events/a/new.original', () => Promise.reject(new OutcomeUnknown('database', new Error('the connection ended'))));
  await expect(unknown).rejects.toThrow(OutcomeUnknown);
  await expect.poll(noted).toEqual(['events/a/new.original', 'events/a/old.original']);
  expect((await app.leftovers()).blobs).toEqual(['events/a/new.original', 'events/a/old.original']);

  await expect(change('events/a/refused.original', () => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  expect((await app.leftovers()).blobs).toEqual(['events/a/new.original', 'events/a/old.original']);
  await change('events/a/newest.original', async () => undefined);
  expect((await app.leftovers()).blobs).toEqual(['events/a/new.original', 'events/a/newest.original']);
});
