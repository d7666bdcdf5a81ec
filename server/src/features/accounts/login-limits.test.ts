import { MINUTE } from '@feierbild/contract/constants.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { jarOf, openDesk, PARTY, type Desk, type Jar } from './testing.ts';

const WRONG = 'AAAA-AAAA-AAAA-AAAA';

describe.each(engines())('the limit of wrong passwords on $name', (engine) => {
  let db: Db;
  let now: number;
  const clock = { now: () => now };
  let desk: Desk;
  let admin: Jar;
  let opened: number;

  beforeAll(async () => {
    now = PARTY;
    opened = 0;
    db = await engine.open();
    desk = await openDesk({
      db,
      clock,
      wrapVault: (vault) => ({
        ...vault,
        openWithPassword(...args) {
          opened++;
          return vault.openWithPassword(...args);
        },
      }),
    });
    admin = await desk.admin();
  });
  beforeEach(() => {
    now = PARTY;
  });
  afterAll(async () => {
    await desk.close();
    await engine.dispose();
  });

  const failures = () => db.kysely.selectFrom('failures').selectAll().orderBy('bucket').execute();
  const guess = (code: string, address: string, password = WRONG) => desk.loginHost(code, password, { address });

  it('refuse the eleventh guess of an address without any argon2, and nobody else', async () => {
    const { code, password } = await desk.event(admin);
    const other = await desk.event(admin);
    for (let n = 0; n < 10; n++) expect((await guess(code, '192.0.2.1')).statusCode).toBe(401);
    const before = opened;
    const refused = await guess(code, '192.0.2.1', password);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('600');
    expect(opened).toBe(before);

    expect((await guess(code, '192.0.2.2', password)).statusCode).toBe(200);
    expect((await guess(other.code, '192.0.2.1', other.password)).statusCode).toBe(200);
    now += 10 * MINUTE;
    expect((await guess(code, '192.0.2.1', password)).statusCode).toBe(200);
  });

  it('let no more than ten guesses through when a hundred come at once, and note it', async () => {
    const { code } = await desk.event(admin);
    const answers = await Promise.all(Array.from({ length: 100 }, () => guess(code, '192.0.2.66')));
    const count = (status: number): number => answers.filter(({ statusCode }) => statusCode === status).length;
    expect([count(401), count(429)]).toEqual([10, 90]);
    const trail = await db.kysely.selectFrom('audit').select('action').where('address', '=', '192.0.2.66').execute();
    expect(trail).toMatchObject([{ action: 'login.limited' }]);
  });

  it('leave one line in the audit trail, however many names somebody makes up', async () => {
    for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 11 }, () => guess(`NAME000${n}`, '192.0.2.68')));
    const trail = await db.kysely.selectFrom('audit').select('action').where('address', '=', '192.0.2.68').execute();
    expect(trail).toEqual([{ action: 'login.limited' }]);
  });

  it('let no more than ten guesses through on two nodes together, however they are spread, and say the same on both', async () => {
    const { code, password } = await desk.event(admin);
    const node = await openDesk({ db: await engine.again(db), clock });
    const nodes = [desk, node];
    const guessAt = async (n: number, right = WRONG) => nodes[n % 2]?.loginHost(code, right, { address: '192.0.2.67' });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => guessAt(n)));
    const count = (status: number): number => answers.filter((answer) => answer?.statusCode === status).length;
    expect([count(401), count(429)]).toEqual([10, 50]);
    for (const n of [0, 1]) {
      const right = await guessAt(n, password);
      expect([right?.statusCode, right?.headers['retry-after']]).toEqual([429, '600']);
    }
    await node.close();
  });

  it('do not lock a browser out that was logged in before by guesses at its address', async () => {
    const { code, password } = await desk.event(admin);
    const before = jarOf(await guess(code, '192.0.2.80', password));
    await desk.send('POST', '/auth/logout', { cookies: before });
    for (let n = 0; n < 10; n++) await guess(code, '192.0.2.80');
    const login = (known: string, right = password, name = code) =>
      desk.loginHost(name, right, { address: '192.0.2.80', cookies: { feierbild_known_host: known } });
    const known = before.feierbild_known_host as string;
    expect((await guess(code, '192.0.2.80', password)).statusCode).toBe(429);
    expect((await login(known)).statusCode).toBe(200);
    // The proof holds for this name only and cannot be forged.
    const other = await desk.event(admin);
    for (let n = 0; n < 10; n++) await guess(other.code, '192.0.2.80');
    expect((await login(known, other.password, other.code)).statusCode).toBe(429);
    expect((await login(known.replace(/^../, 'xx'))).statusCode).toBe(429);
    // Attempts with a proof are counted separately.
    for (let n = 0; n < 10; n++) expect((await login(known, WRONG)).statusCode).toBe(401);
    const limited = await login(known);
    expect(limited.statusCode).toBe(429);
    expect(limited.json()).toMatchObject({ error: 'Zu viele Versuche. In 10 Minuten geht es weiter.' });
    expect(limited.headers['retry-after']).toBe('600');
  });

  it('never count what is right', async () => {
    const { code, password } = await desk.event(admin);
    const before = await failures();
    expect((await guess(code, '192.0.2.1', password)).statusCode).toBe(200);
    expect(await failures()).toEqual(before);
  });

  it('hold after a restart, for a whole IPv6 network, and count the name as it is cleaned', async () => {
    const { code, password } = await desk.event(admin);
    for (let n = 0; n < 10; n++) await guess(n % 2 ? code : code.toLowerCase(), `2001:db8::${n + 1}`);
    const restarted = await openDesk({ db: await engine.again(db), clock });
    const from = (address: string) => restarted.loginHost(code, password, { address });
    expect((await from('2001:db8::ffff')).statusCode).toBe(429);
    expect((await from('2001:db8:0:1::1')).statusCode).toBe(200);
    await restarted.close();
  });
});
