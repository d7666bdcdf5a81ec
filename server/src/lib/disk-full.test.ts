import { describe, expect, it } from 'vitest';
import { isDiskFull } from './disk-full.ts';

const failing = (code: string): Error => Object.assign(new Error(code), { code });

/** Fails to write to a file, and to close it. */
async function write(code: string, closing: string): Promise<void> {
  await using owned = new AsyncDisposableStack();
  owned.defer(() => Promise.reject(failing(closing)));
  throw failing(code);
}

describe('a full disk', () => {
  it.each([
    ['EDQUOT', 'EDQUOT', true],
    ['ENOSPC', 'EIO', true],
    ['EIO', 'ENOSPC', true],
    ['EIO', 'EIO', false],
  ])('is known where writing fails with %s and closing with %s: %s', async (code, closing, isFull) => {
    expect(isDiskFull(await write(code, closing).catch((error: unknown) => error))).toBe(isFull);
  });

  it('is known where SQLite opens a database and finds no room for the index of its log', () => {
    expect(isDiskFull(Object.assign(new Error('disk I/O error'), { errcode: 4874 }))).toBe(true);
    expect(isDiskFull(Object.assign(new Error('disk I/O error'), { errcode: 266 }))).toBe(false);
  });
});
