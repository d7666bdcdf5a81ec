import { FACTOR_FAILURES } from '@feierbild/contract/constants.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import type { LightMyRequestResponse } from 'fastify';
import { Secret } from 'otpauth';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { ADMIN, dump, jarOf, openDesk, type Desk, type Jar } from '../accounts/testing.ts';
import { heldAnswer } from '../uploads/testing.ts';
import { factorsOf, STEP } from './testing/factors.ts';

const NEXT = 'ein neues langes Passwort';
const { password } = ADMIN;

describe.each(enginesForRules())('second factors on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  const { clock, ask, codeOf, login, factors, audited, setTotp, device, setPasskey, asked } = factorsOf(engine, (opened) => {
    ({ db, desk, admin } = opened);
  });

  describe('codes of an app', () => {
    it('are asked for after the right password alone, and without one there is no session', async () => {
      const secret = await setTotp();
      const wrong = await login(undefined, { password: 'ein falsches Passwort' });
      expect([wrong.statusCode, wrong.json<ErrorBody>()]).toMatchObject([401, { code: 'invalid_credentials' }]);
      expect(wrong.json()).not.toHaveProperty('second_factor');
      const sessions = () => db.kysely.selectFrom('sessions').selectAll().execute();
      const before = await sessions();
      const half = await login();
      expect([half.statusCode, half.json()]).toEqual([
        401,
        { code: 'second_factor_required', error: expect.any(String), second_factor: { totp: true, passkey: null } },
      ]);
      expect(half.cookies).toEqual([]);
      expect(await sessions()).toEqual(before);
      // A right code does not help a wrong password.
      expect((await login({ totp: codeOf(secret) }, { password: 'ein falsches Passwort' })).json()).toMatchObject({
        code: 'invalid_credentials',
      });
      const whole = await login({ totp: codeOf(secret) });
      expect(whole.statusCode).toBe(200);
      expect((await ask('GET', '/admin/events', undefined, jarOf(whole))).statusCode).toBe(200);
    });

    it('count once a code has proved that the app has the secret', async () => {
      expect((await ask('POST', '/admin/factors/totp', { password: 'falsch' })).json()).toMatchObject({
        fields: { password: expect.any(String) as string },
      });
      const begun = (await ask('POST', '/admin/factors/totp', { password })).json<{ secret: string; uri: string }>();
      expect(begun.uri).toContain(`secret=${begun.secret}`);
      expect((await login()).statusCode).toBe(200);
      expect((await ask('PUT', '/admin/factors/totp', { code: '000000' })).json()).toMatchObject({
        fields: { code: expect.any(String) as string },
      });
      expect((await factors()).totp).toBeNull();
      const code = codeOf(begun.secret);
      expect((await ask('PUT', '/admin/factors/totp', { code: `${code.slice(0, 3)} ${code.slice(3)}` })).statusCode).toBe(200);
      expect((await ask('PUT', '/admin/factors/totp', { code })).statusCode).toBe(404);
      expect((await ask('POST', '/admin/factors/totp', { password })).statusCode).toBe(409);
    });

    it('are taken once, 30 seconds early or late, and none older than one that was used', async () => {
      const secret = await setTotp();
      clock.time += 10 * STEP;
      const early = codeOf(secret, clock.time + STEP);
      const late = codeOf(secret, clock.time - STEP);
      for (const far of [-2 * STEP, 2 * STEP]) expect((await login({ totp: codeOf(secret, clock.time + far) })).statusCode).toBe(401);
      expect((await login({ totp: late })).statusCode).toBe(200);
      expect((await login({ totp: late })).json()).toMatchObject({ code: 'second_factor_wrong' });
      expect((await login({ totp: early })).statusCode).toBe(200);
      expect((await login({ totp: codeOf(secret) })).statusCode).toBe(401);
    });

    it('let one of many in who send the same at the same moment, also on two nodes', async () => {
      const secret = await setTotp();
      const other = await openDesk({ db: await engine.again(db), clock });
      const totp = codeOf(secret);
      const answers = await Promise.all([desk, other, desk, other].map((at) => login({ totp }, { at })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401, 401, 401]);
      await other.close();
    });

    it('are guessed ten times an hour by all networks and browsers together, and one that has given a right one is not stopped by it', async () => {
      const own = jarOf(await login());
      // An attacker with the password can gather just as many such cookies.
      const early = [jarOf(await login()), jarOf(await login())];
      const secret = await setTotp(own);
      const known = jarOf(await login({ totp: codeOf(secret) }, { cookies: own }));
      clock.time += STEP;
      for (let n = 0; n < FACTOR_FAILURES.count; n++) {
        expect((await login({ totp: '000000' }, { address: `203.0.113.${n}`, cookies: early[n % 3] ?? {} })).json()).toMatchObject({
          code: 'second_factor_wrong',
        });
      }
      for (const cookies of [{}, ...early])
        expect((await login({ totp: codeOf(secret) }, { address: '198.51.100.1', cookies })).statusCode).toBe(429);
      expect((await login({ totp: codeOf(secret) }, { cookies: known })).statusCode).toBe(200);
      expect((await audited()).filter((action) => action === 'factor.failed')).toHaveLength(FACTOR_FAILURES.count);
    });

    it('that others guess keep no passkey out, which nobody guesses, however often that is tried', async () => {
      const secret = await setTotp();
      const made = await setPasskey();
      for (let n = 0; n < FACTOR_FAILURES.count; n++) await login({ totp: '000000' });
      expect((await login({ totp: codeOf(secret) })).statusCode).toBe(429);
      for (let n = 0; n < FACTOR_FAILURES.count; n++)
        expect((await login({ passkey: device().prove(await asked()) })).json()).toMatchObject({ code: 'second_factor_wrong' });
      expect((await login({ passkey: made.prove(await asked()) })).statusCode).toBe(200);
      expect((await audited()).filter((action) => action === 'factor.failed')).toHaveLength(2 * FACTOR_FAILURES.count);
    });

    it('go on after a change of the password, and go with a recovery code', async () => {
      const secret = await setTotp();
      const changed = await ask('PUT', '/admin/password', { current_password: password, new_password: NEXT });
      expect(changed.statusCode).toBe(204);
      expect((await login(undefined, { password: NEXT })).json()).toMatchObject({ code: 'second_factor_required' });
      expect((await login({ totp: codeOf(secret) }, { password: NEXT })).statusCode).toBe(200);
      const holder = await desk.admins.authenticate(ADMIN.username, NEXT, { address: '192.0.2.7' });
      const code = await desk.admins.createRecoveryCode(holder!);
      const proof = await desk.admins.openRecovery(code);
      expect(await desk.admins.recover(proof!, ADMIN.username, password)).toBe(true);
      expect((await login()).statusCode).toBe(200);
    });

    describe('where the password is changed while an earlier one is being checked', () => {
      let watched: boolean;
      let checking: ReturnType<typeof heldAnswer>;
      let at: Desk;
      beforeEach(async () => {
        watched = false;
        checking = heldAnswer((row) => watched && 'wrapped' in row);
        at = await openDesk({ db: { ...db, kysely: db.kysely.withPlugin(checking.plugin) }, clock });
        return () => at.close();
      });

      /** Changes the password between the reading of the account and what `work` does next. */
      async function changedWithin(work: () => ReturnType<Desk['send']>): Promise<[answer: LightMyRequestResponse, changed: Jar]> {
        watched = true;
        const working = work();
        await checking.taken;
        const changed = await ask('PUT', '/admin/password', { current_password: password, new_password: NEXT });
        expect(changed.statusCode).toBe(204);
        checking.answer();
        return [await working, jarOf(changed)];
      }
      const noAlarm = async () => expect(await audited()).not.toContain('key.tampered');

      it('let nobody in by it, and look like no changed key', async () => {
        const secret = await setTotp();
        const [answer] = await changedWithin(async () => login({ totp: codeOf(secret) }, { at }));
        expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'invalid_credentials' }]);
        await noAlarm();
        expect((await login({ totp: codeOf(secret) }, { password: NEXT })).statusCode).toBe(200);
      });

      it('are not begun by it, and stop no later change', async () => {
        const begin = async () => at.send('POST', '/admin/factors/totp', { cookies: admin, body: { password } });
        const [answer, changed] = await changedWithin(begin);
        expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'invalid_credentials' }]);
        const back = { current_password: NEXT, new_password: password };
        expect((await ask('PUT', '/admin/password', back, changed)).statusCode).toBe(204);
        await noAlarm();
      });
    });

    it('have a secret that is nowhere in the database as it is', async () => {
      const secret = await setTotp();
      const all = await dump(db);
      const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
      for (const form of [secret, bytes.toString('hex'), Buffer.from(secret).toString('hex')]) expect(all).not.toContain(form);
    });
  });
});
