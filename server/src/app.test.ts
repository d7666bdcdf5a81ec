import { afterAll, expect, it } from 'vitest';
import { engines } from './database/testing.ts';
import { openPortless } from './features/testing.ts';

const [engine] = engines();
afterAll(() => engine?.dispose());

it.each([
  ['of a client, its guesses count as those of the connection', {}, [...Array(10).fill(401), 429]],
  ['of a trusted proxy, they count for that address', { TRUST_PROXY: '127.0.0.1' }, Array(11).fill(401)],
])('an address is the word %s', async (_what, env, expected) => {
  const app = await openPortless({ db: await engine!.open(), env });
  const { code } = await app.event();
  const guess = async (address: string): Promise<number> => {
    const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address, forwarded: `for=${address}` };
    const payload = { username: code, password: 'AAAA-AAAA-AAAA-AAAA' };
    return (await app.fastify.inject({ method: 'POST', url: '/auth/user/login', headers, payload })).statusCode;
  };
  const statuses: number[] = [];
  for (let n = 1; n <= 11; n++) statuses.push(await guess(`198.51.100.${n}`));
  expect(statuses).toEqual(expected);
  await app.close();
});
