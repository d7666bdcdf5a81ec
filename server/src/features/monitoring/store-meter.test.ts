import { MINUTE } from '@feierbild/contract/constants.ts';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Unavailable } from '../../lib/errors.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { meterStore } from './monitoring.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => vi.useRealTimers());

it('a store that did not answer is asked again, at most once a minute, though nobody else calls it', async () => {
  let down = true;
  const answer = vi.fn(async () => {
    if (down) throw new Unavailable('store', new Error('gone'));
  });
  const { blobs, up } = meterStore({ check: answer, remove: answer } as Partial<BlobStore> as BlobStore, new Registry());
  expect(up()).toBe(true);
  expect(answer).not.toHaveBeenCalled();
  await expect(blobs.remove('key')).rejects.toThrow(Unavailable);

  // The first `up` checks the store, which is still down.
  expect([up(), up()]).toEqual([false, false]);
  expect(answer).toHaveBeenCalledTimes(2);
  down = false;
  vi.advanceTimersByTime(MINUTE - 1);
  expect(up()).toBe(false);
  expect(answer).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  expect(up()).toBe(false);
  await vi.waitFor(() => expect(up()).toBe(true));
  expect(answer).toHaveBeenCalledTimes(3);
});
