import { expect, it } from 'vitest';
import type { Facts } from './features/health/facts.ts';
import { Unavailable } from './lib/errors.ts';
import { startLines } from './start-lines.ts';

it('a start goes on where the database went away after the node began to serve', async () => {
  const read = { initialPassword: () => Promise.reject(new Unavailable('database', 'away')) };
  const known = { fictitious: false, business: { identity: {} }, publicUrl: 'https://fotos.example', isolationFault: null };
  const health = { facts: () => ({ ...known, read }) as unknown as Facts };
  const site = { node: { checkReady: async () => undefined } };
  expect(await startLines({ health, site }, 'https://fotos.example')).toEqual(['Feierbild läuft: https://fotos.example']);
});
