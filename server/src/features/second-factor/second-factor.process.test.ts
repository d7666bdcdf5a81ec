import type { Factors } from '@feierbild/contract/calls/factors.ts';
import { FACTOR_FAILURES, PASSKEY_TIME, PASSKEYS_ASKED } from '@feierbild/contract/constants.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import type { LightMyRequestResponse } from 'fastify';
import { Secret } from 'otpauth';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLazyDecoder } from '../../foundation.ts';
import { createLog } from '../../lib/log.ts';
import { ADMIN, dump, jarOf, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';
import { openApp } from '../testing.ts';
import { heldAnswer } from '../uploads/testing.ts';
import { codeOf as codeAt } from './testing/code.ts';
import { createPasskey } from './testing/authenticator.ts';

const STEP = 30_000;
const NEXT = 'ein neues langes Passwort';
const { password } = ADMIN;

describe.each(enginesForRules())('second factors on $name', (engine) => {
  let db: Db;
  let now: number;
  let desk: Desk;
  let admin: Jar;
  const clock = { now: () => now };

  beforeEach(async () => {
    now = PARTY;
    db = await engine.open();
    desk = await openDesk({ db, clock });
    admin = await desk.admin();
    return () => desk.close();
  });
  afterAll(() => engine.dispose());

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, cookies = admin) =>
    desk.send(method, url, { cookies, ...(body && { body }) });
  const codeOf = (secret: string, at = now): string => codeAt(secret, at);
  interface As extends Partial<typeof ADMIN> {
    at?: Desk;
    address?: string;
    cookies?: Jar;
  }
  const login = (second_factor?: object, { at = desk, address = '192.0.2.7', cookies = {}, ...other }: As = {}) =>
    at.send('POST', '/auth/admin/login', { body: { ...ADMIN, ...other, ...(second_factor && { second_factor }) }, address, cookies });
  const factors = async (): Promise<Factors> => (await ask('GET', '/admin/factors')).json();
  const audited = async (): Promise<string[]> =>
    (await db.kysely.selectFrom('audit').select('action').orderBy('id').execute()).map(({ action }) => action);

  async function setTotp(cookies = admin, own = password): Promise<string> {
    const { secret } = (await ask('POST', '/admin/factors/totp', { password: own }, cookies)).json<{ secret: string }>();
    const set = await ask('PUT', '/admin/factors/totp', { code: codeOf(secret) }, cookies);
    expect(set.statusCode).toBe(200);
    // A code that was used for this is refused at a login.
    now += STEP;
    return secret;
  }

  const device = (more = {}) => createPasskey({ origin: 'http://localhost', rpId: 'localhost', counter: 0, verified: true, ...more });
  type Device = ReturnType<typeof device>;
  const offered = async (): Promise<string> =>
    (await ask('POST', '/admin/factors/passkeys/options', { password })).json<{ challenge: string }>().challenge;
  const register = async (passkey: object, name = 'Laptop') => ask('POST', '/admin/factors/passkeys', { name, passkey });
  async function setPasskey(more = {}): Promise<Device> {
    const made = device(more);
    expect((await register(made.register(await offered()))).statusCode).toBe(201);
    return made;
  }
  const askedOf = (answer: { json(): ErrorBody }): string => String(answer.json().second_factor?.passkey?.['challenge']);
  const asked = async (): Promise<string> => askedOf(await login());

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
      now += 10 * STEP;
      const early = codeOf(secret, now + STEP);
      const late = codeOf(secret, now - STEP);
      for (const far of [-2 * STEP, 2 * STEP]) expect((await login({ totp: codeOf(secret, now + far) })).statusCode).toBe(401);
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
      now += STEP;
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

  describe('passkeys', () => {
    it('prove an administrator, each signature once', async () => {
      const made = await setPasskey();
      const passkey = made.prove(await asked());
      const answers = await Promise.all([login({ passkey }), login({ passkey })]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
      expect((await login({ passkey })).statusCode).toBe(401);
      expect((await factors()).passkeys).toMatchObject([{ name: 'Laptop', last_used_at: new Date(now).toISOString() }]);
    });

    it.each([
      ['of another site', { origin: 'https://feierbild.example' }],
      ['of another host', { rpId: 'feierbild.example' }],
      ['without finger or PIN', { verified: false }],
      ['made for something else', { type: 'webauthn.create' }],
    ])('are refused %s', async (_, wrong) => {
      const made = await setPasskey();
      expect((await login({ passkey: made.prove(await asked(), wrong) })).json()).toMatchObject({ code: 'second_factor_wrong' });
      const another = device();
      if (!('type' in wrong)) expect((await register(another.register(await offered(), wrong))).statusCode).toBe(400);
      expect((await login({ passkey: made.prove(await asked()) })).statusCode).toBe(200);
    });

    it('are refused where their counter did not go on, as that of a copy does not', async () => {
      const made = await setPasskey({ counter: 5 });
      expect((await login({ passkey: made.prove(await asked(), { counter: 7 }) })).statusCode).toBe(200);
      for (const counter of [7, 6, 0]) expect((await login({ passkey: made.prove(await asked(), { counter }) })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(await asked(), { counter: 8 }) })).statusCode).toBe(200);
    });

    it('sign what was asked, in five minutes, for a login or for a new one, and for nobody else', async () => {
      const made = await setPasskey();
      const late = made.prove(await asked());
      now += PASSKEY_TIME;
      expect((await login({ passkey: late })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(await offered()) })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(Buffer.alloc(32).toString('base64url')) })).statusCode).toBe(401);
      expect((await register(device().register(await asked()))).statusCode).toBe(400);
      // Another administrator's passkey is refused, and so is a challenge for that one.
      const { password: others } = (await ask('POST', '/admin/admins', { username: 'otto' })).json<{ password: string }>();
      const otto = { username: 'otto', password: others };
      const jar = jarOf(await login(undefined, otto));
      const options = await ask('POST', '/admin/factors/passkeys/options', { password: others }, jar);
      const his = device();
      const body = { name: 'Schlüssel', passkey: his.register(options.json<{ challenge: string }>().challenge) };
      expect((await ask('POST', '/admin/factors/passkeys', body, jar)).statusCode).toBe(201);
      const hisChallenge = askedOf(await login(undefined, otto));
      expect((await login({ passkey: his.prove(await asked()) })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(hisChallenge) })).statusCode).toBe(401);
    });

    it('are asked for without end, and few of it are kept', async () => {
      await setPasskey();
      for (let n = 0; n < PASSKEYS_ASKED + 3; n++) {
        now += 1;
        await login();
      }
      expect(await db.kysely.selectFrom('factor_challenges').selectAll().execute()).toHaveLength(PASSKEYS_ASKED);
    });

    it('are asked for after a clock that was ahead as before it', async () => {
      const made = await setPasskey();
      const right = now;
      now += 10 * 24 * 60 * 60_000;
      for (let n = 0; n < PASSKEYS_ASKED; n++) {
        now += 1;
        await login();
      }
      now = right;
      expect((await login({ passkey: made.prove(await asked()) })).statusCode).toBe(200);
    });

    it('are several, and each is there once', async () => {
      const made = await setPasskey();
      expect((await register(made.register(await offered()))).statusCode).toBe(400);
      await setPasskey();
      expect((await factors()).passkeys).toHaveLength(2);
    });
  });

  it('end the sessions that began without one, but for the own', async () => {
    const elsewhere = await desk.admin();
    await setTotp();
    expect((await ask('GET', '/admin/events', undefined, elsewhere)).statusCode).toBe(401);
    expect((await ask('GET', '/admin/events')).statusCode).toBe(200);
    // A second factor more ends no session.
    await setPasskey();
    expect((await ask('GET', '/admin/events')).statusCode).toBe(200);
  });

  it('are removed by the password and one of them', async () => {
    const secret = await setTotp();
    const made = await setPasskey();
    const [passkey] = (await factors()).passkeys;
    const remove = (id: string, body: object) => ask('POST', `/admin/factors/${id}/remove`, body);
    expect((await remove('totp', { password: 'falsch', second_factor: { totp: codeOf(secret) } })).statusCode).toBe(400);
    const required = await remove('totp', { password });
    expect(required.json()).toMatchObject({ code: 'second_factor_required', second_factor: { totp: true } });
    expect((await remove('totp', { password, second_factor: { totp: '000000' } })).json()).toMatchObject({ code: 'second_factor_wrong' });
    expect((await remove('nichts', { password, second_factor: { totp: codeOf(secret) } })).statusCode).toBe(404);
    const second_factor = { passkey: made.prove(askedOf(required)) };
    expect((await remove('totp', { password, second_factor })).json()).toMatchObject({ totp: null, passkeys: [{ id: passkey?.id }] });
    const proof = { passkey: made.prove(await asked()) };
    expect((await remove(passkey!.id, { password, second_factor: proof })).json()).toMatchObject({ passkeys: [] });
    expect((await login()).statusCode).toBe(200);
    expect((await audited()).filter((action) => action.startsWith('factor.'))).toEqual([
      'factor.added',
      'factor.added',
      'factor.failed',
      'factor.removed',
      'factor.removed',
    ]);
  });

  it('that are lost another administrator removes, not the own', async () => {
    await setTotp();
    const { password: others } = (await ask('POST', '/admin/admins', { username: 'otto' })).json<{ password: string }>();
    const otto = jarOf(await login(undefined, { username: 'otto', password: others }));
    const { admins } = (await ask('GET', '/admin/admins', undefined, otto)).json<{ admins: { id: string; second_factor: boolean }[] }>();
    expect(admins.map(({ second_factor }) => second_factor)).toEqual([true, false]);
    const [first] = admins;
    expect((await ask('DELETE', `/admin/admins/${first!.id}/factors`)).statusCode).toBe(409);
    expect((await ask('DELETE', `/admin/admins/${crypto.randomUUID()}/factors`)).statusCode).toBe(404);
    expect((await ask('DELETE', `/admin/admins/${first!.id}/factors`, undefined, otto)).statusCode).toBe(204);
    expect((await login()).statusCode).toBe(200);
    expect(await audited()).toContain('factor.reset');
  });

  it('are for assistants, too', async () => {
    const body = { username: 'hilde', role: 'assistant' };
    const { password: others } = (await ask('POST', '/admin/admins', body)).json<{ password: string }>();
    const hilde = { username: 'hilde', password: others };
    const jar = jarOf(await login(undefined, hilde));
    const secret = await setTotp(jar, others);
    expect((await login(undefined, hilde)).json()).toMatchObject({ code: 'second_factor_required' });
    const again = jarOf(await login({ totp: codeOf(secret) }, hilde));
    now += STEP;
    const changed = await ask('PUT', '/admin/password', { current_password: others, new_password: NEXT }, again);
    expect(changed.statusCode).toBe(204);
    expect((await login({ totp: codeOf(secret) }, { ...hilde, password: NEXT })).json()).toEqual({ role: 'assistant' });
    now += STEP;
    const removing = { password: NEXT, second_factor: { totp: codeOf(secret) } };
    expect((await ask('POST', '/admin/factors/totp/remove', removing, jarOf(changed))).statusCode).toBe(200);
  });

  describe('required of all', () => {
    const require = (version: number, secondFactor: boolean, cookies = admin) =>
      ask('PUT', '/admin/settings/access', { version, value: { secondFactor } }, cookies);

    it('leave those who have none nothing but to set one up', async () => {
      const { password: others } = (await ask('POST', '/admin/admins', { username: 'otto' })).json<{ password: string }>();
      const otto = { username: 'otto', password: others };
      const jar = jarOf(await login(undefined, otto));
      expect((await require(0, true)).json()).toMatchObject({ code: 'second_factor_missing' });
      expect((await ask('POST', '/admin/settings/access/back', { version: 0 })).statusCode).toBe(403);
      await setTotp();
      expect((await require(0, true)).statusCode).toBe(200);
      await expect.poll(async () => (await factors()).required).toBe(true);

      const open = Object.entries(contract).filter(([, call]) => call.access === 'admin' && 'beforeFactor' in call);
      expect(open.map(([name]) => name)).toEqual([
        'GET /admin/me',
        'GET /admin/factors',
        'POST /admin/factors/totp',
        'PUT /admin/factors/totp',
        'POST /admin/factors/passkeys/options',
        'POST /admin/factors/passkeys',
      ]);
      const whole = await openApp({ db: await engine.again(db), decoder: createLazyDecoder(createLog('silent')), clock });
      const headers = { cookie: `feierbild_admin=${jar['feierbild_admin']}`, 'sec-fetch-site': 'same-origin' };
      for (const [name, call] of Object.entries(contract)) {
        if (call.access !== 'admin' || 'beforeFactor' in call) continue;
        const [method = '', path = ''] = name.split(' ');
        const answer = await fetch(whole.url + path.replace(/:\w+/g, 'x'), { method, headers });
        const { code } = (await answer.json()) as ErrorBody;
        expect([name, answer.status, code]).toEqual([name, 403, 'second_factor_missing']);
      }
      await whole.close();
      const body = { username: 'hilde', role: 'assistant' };
      const hilde = (await ask('POST', '/admin/admins', body)).json<{ username: string; password: string }>();
      const helping = jarOf(await login(undefined, hilde));
      expect((await ask('GET', '/admin/events', undefined, helping)).json()).toMatchObject({ code: 'second_factor_missing' });
      expect((await ask('GET', '/admin/factors', undefined, helping)).statusCode).toBe(200);
      const fresh = jarOf(await login(undefined, otto));
      expect((await ask('GET', '/admin/events', undefined, fresh)).statusCode).toBe(403);
      await setTotp(fresh, others);
      expect((await ask('GET', '/admin/events', undefined, fresh)).statusCode).toBe(200);
      expect((await require(1, false)).statusCode).toBe(200);
    });

    it('ask neither programs nor hosts', async () => {
      const event = await desk.event(admin);
      const { token } = (await ask('POST', '/admin/tokens', { name: 'Buchung', scopes: ['events:read'] })).json<{ token: string }>();
      await setTotp();
      expect((await require(0, true)).statusCode).toBe(200);
      const headers = { authorization: `Bearer ${token}` };
      expect((await desk.send('GET', '/admin/events', { headers })).statusCode).toBe(200);
      expect((await desk.loginHost(event.code, event.password)).statusCode).toBe(200);
    });
  });
});
