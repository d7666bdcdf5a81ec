import { describe, expect, it } from 'vitest';
import { createDuplicates } from './duplicates.ts';
import type { Sending, transfer } from './transfer.ts';
import { newWay } from './way.ts';

/** Makes a server that has the photos with these fingerprints, and counts the questions. */
function serverWith(has: Set<string>) {
  const asked: string[][] = [];
  const send = (async (_: Sending, { body }: { body: string }) => {
    const { fingerprints } = JSON.parse(body) as { fingerprints: string[] };
    asked.push(fingerprints);
    const photos = fingerprints.filter((one) => has.has(one)).map((fingerprint) => ({ fingerprint, photo: { id: fingerprint } }));
    return { status: 200, response: { photos } };
  }) as unknown as typeof transfer;
  return { asked, send };
}

/** Makes the sending of a new run. */
const runOf = (): Sending =>
  ({ sender: { code: 'AB12CD34', deviceId: 'geraet', password: '' }, run: newWay(), signal: new AbortController().signal }) as Sending;

describe('the question what the server has already', () => {
  it('is one for all that is noted', async () => {
    const { asked, send } = serverWith(new Set(['a']));
    const duplicates = createDuplicates(send);
    for (const one of ['a', 'b', 'c']) duplicates.note(one);
    const sending = runOf();
    expect(await duplicates.ask('a', sending)).toEqual({ kind: 'stored', value: { id: 'a' } });
    expect(await duplicates.ask('b', sending)).toBeNull();
    expect(asked).toEqual([['a', 'b', 'c']]);
  });

  it('is asked again by the next run: what it has may be deleted since', async () => {
    const has = new Set(['a', 'b']);
    const { asked, send } = serverWith(has);
    const duplicates = createDuplicates(send);
    for (const one of ['a', 'b']) duplicates.note(one);
    // The run is cancelled before it reaches b. The guest deletes b's photo and chooses it anew.
    await duplicates.ask('a', runOf());
    has.delete('b');
    duplicates.note('b');
    expect(await duplicates.ask('b', runOf())).toBeNull();
    expect(asked).toHaveLength(2);
  });
});
