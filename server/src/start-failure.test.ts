import { expect, it } from 'vitest';
import { isTemporary } from './start-failure.ts';

it('a start that cannot listen may succeed later where the address is gone or the port is taken, not where it may not', () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { syscall: 'listen', code });
  expect(['EADDRNOTAVAIL', 'EADDRINUSE', 'EACCES'].map((code) => isTemporary(failure(code)))).toEqual([true, true, false]);
});
