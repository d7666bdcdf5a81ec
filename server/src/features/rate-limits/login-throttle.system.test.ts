import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '../../database/testing.ts';
import { ARGON } from '../../vault/passwords.ts';
import { createVault } from '../../vault/vault.ts';
import { jarOf, openDesk, PARTY, type Desk } from '../accounts/testing.ts';

/** Tries a password, its sender's next one. */
type Guess = (turn: number) => ReturnType<Desk['send']>;

/** Most passwords that LoginThrottle checks before the password of a later visitor; some 3 s on a machine with two cores. */
const MOST_BEFORE = 10;

// Waiting is the same on both engines.
const [engine] = engines();

describe('hosts and guests with the right password', () => {
  let desk: Desk;
  // The cost is the real one: the test is about seconds.
  const cost = { ...ARGON };
  beforeAll(async () => {
    desk = await openDesk({ db: await engine!.open(), clock: { now: () => PARTY }, wrapVault: () => createVault({ cost }) });
  });
  afterAll(async () => {
    await desk.close();
    await engine!.dispose();
  });

  it('wait for few of the guesses while 300 networks guess, and 40 senders at their own address try made-up names', async () => {
    const { code, password } = await desk.event(await desk.admin(), { with_upload_password: true, user_upload_password: 'Blütenfest' });
    const own = '198.51.100.1';
    const flood = startFlood([
      ...times<Guess>(150, (n) => () => wrong(code, `203.0.113.${n}`)),
      ...times<Guess>(150, (n) => (turn) => wrong(`name ${turn}`, `2001:db8:${n.toString(16)}::1`)),
      ...times<Guess>(40, (n) => (turn) => wrong(`name ${n} ${turn}`, own)),
    ]);
    try {
      await expect.poll(flood.answered, { timeout: 60_000 }).toBeGreaterThan(100);
      for (let login = 0; login < 3; login++) expect(await flood.soon(desk.loginHost(code, password, { address: own }))).toBe(200);
      const guest = { address: own, headers: { 'event-password': 'Bl%C3%BCtenfest' } };
      expect(await flood.soon(desk.send('GET', `/event/${code}`, guest))).toBe(200);
    } finally {
      await flood.stop();
    }
  }, 180_000);

  it('wait for few of the guesses in a browser that was logged in before, even if each guess comes from a new network', async () => {
    const { code, password } = await desk.event(await desk.admin());
    const cookies = jarOf(await desk.loginHost(code, password));
    await desk.send('POST', '/auth/logout', { cookies });
    const flood = startFlood(times<Guess>(60, (n) => (turn) => wrong(code, `10.${turn >> 8}.${turn & 255}.${n}`)));
    try {
      await expect.poll(flood.answered, { timeout: 60_000 }).toBeGreaterThan(10);
      for (let login = 0; login < 3; login++) expect(await flood.soon(desk.loginHost(code, password, { cookies }))).toBe(200);
    } finally {
      await flood.stop();
    }
  }, 180_000);

  it('wait for few logins of others in such a browser, even if those come as a new known browser each time', async () => {
    const admin = await desk.admin();
    const { code, password } = await desk.event(admin);
    const open = await desk.event(admin);
    const cookies = jarOf(await desk.loginHost(code, password));
    await desk.send('POST', '/auth/logout', { cookies });
    const flood = startFlood(
      times<Guess>(30, () => {
        let known = {};
        return async () => {
          const answer = await desk.loginHost(open.code, open.password, { cookies: known });
          known = { feierbild_known_host: jarOf(answer).feierbild_known_host };
          return answer;
        };
      }),
    );
    try {
      await expect.poll(flood.answered, { timeout: 60_000 }).toBeGreaterThan(40);
      for (let login = 0; login < 3; login++) expect(await flood.soon(desk.loginHost(code, password, { cookies }))).toBe(200);
    } finally {
      await flood.stop();
    }
  }, 180_000);

  const wrong = (name: string, address: string) => desk.loginHost(name, 'AAAA-AAAA-AAAA-AAAA', { address });

  /** Starts guessers that each send the next guess as soon as the last is answered. */
  function startFlood(guessers: Guess[]) {
    let over = false;
    let answered = 0;
    let tried = 0;
    const flood = guessers.map(async (guess) => {
      for (let turn = 0; !over; turn++) {
        const { statusCode } = await guess(turn);
        answered += 1;
        if (statusCode === 401 || statusCode === 200) tried += 1;
        // A real network takes a while for the next guess, too. More refusals would keep this process's one thread from the login.
        else await pause(1000);
      }
    });
    return {
      answered: () => answered,
      /** Returns the status of an answer; expects that few guesses are tried before it. */
      async soon(answer: ReturnType<Desk['send']>): Promise<number> {
        const before = tried;
        const { statusCode } = await answer;
        expect(tried - before).toBeLessThanOrEqual(MOST_BEFORE);
        return statusCode;
      },
      async stop() {
        over = true;
        // The guesses that still wait need no real hash.
        Object.assign(cost, { memory: 8, passes: 1 });
        await Promise.all(flood);
        Object.assign(cost, ARGON);
      },
    };
  }
});

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}
