import { expect, it } from 'vitest';
import { Unavailable } from './lib/errors.ts';
import { startLines } from './start-lines.ts';

it('a start goes on where the database went away after the node began to serve', async () => {
  const admins = { initialPasswordInUse: () => Promise.reject(new Unavailable('database', 'away')) };
  const installation = { defaultBusiness: () => false, firstStart: () => false, https: true, decoderIsolated: true };
  expect(
    await startLines({ admins, installation, site: { node: { checkReady: async () => undefined } } }, 'https://fotos.example'),
  ).toEqual(['Feierbild läuft: https://fotos.example']);
});
