import { PASSKEY_TIME } from '@feierbild/contract/constants.ts';
import { contract } from '@feierbild/contract/contract.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { createLazyDecoder } from '../../foundation.ts';
import { createLog } from '../../lib/log.ts';
import { ADMIN, jarOf, type Desk, type Jar } from '../accounts/testing.ts';
import { openApp } from '../testing.ts';
import { factorsOf, STEP } from './testing/factors.ts';

const NEXT = 'ein neues langes Passwort';
const { password } = ADMIN;

describe.each(enginesForRules())('second factors on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  const { clock, ask, codeOf, login, factors, audited, setTotp, device, offered, register, setPasskey, askedOf, asked } = factorsOf(
    engine,
    (opened) => ({ db, desk, admin } = opened),
  );

  describe('passkeys', () => {
    it('prove an administrator, each signature once', async () => {
      const made = await setPasskey();
      const passkey = made.prove(await asked());
      const answers = await Promise.all([login({ passkey }), login({ passkey })]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401]);
      expect((await login({ passkey })).statusCode).toBe(401);
      expect((await factors()).passkeys).toMatchObject([{ name: 'Laptop', last_used_at: new Date(clock.time).toISOString() }]);
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
      clock.time += PASSKEY_TIME;
      expect((await login({ passkey: late })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(await offered()) })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(Buffer.alloc(32).toString('base64url')) })).statusCode).toBe(401);
      // The end of its time is a part of what was asked.
      const [random, end, mac] = Buffer.from(await asked(), 'base64url')
        .toString()
        .split('.');
      const longer = Buffer.from([random, Number(end) + 1000, mac].join('.')).toString('base64url');
      expect((await login({ passkey: made.prove(longer) })).statusCode).toBe(401);
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

    it('are kept out by nobody who knows the password and asks without end, which leaves nothing', async () => {
      const made = await setPasskey();
      const challenge = await asked();
      const kept = () => db.kysely.selectFrom('factor_challenges').select('hash').execute();
      const before = await kept();
      for (let n = 0; n < 30; n++) {
        clock.time += 1;
        await login();
      }
      expect(await kept()).toEqual(before);
      expect((await login({ passkey: made.prove(challenge) })).statusCode).toBe(200);
    });

    it('prove after a clock that was ahead as before it, but not what it asked', async () => {
      const made = await setPasskey();
      const right = clock.time;
      clock.time += 10 * 24 * 60 * 60_000;
      const ahead = await asked();
      expect((await login({ passkey: made.prove(await asked()) })).statusCode).toBe(200);
      clock.time = right;
      expect((await login({ passkey: made.prove(ahead) })).statusCode).toBe(401);
      expect((await login({ passkey: made.prove(await asked()) })).statusCode).toBe(200);
      expect(await db.kysely.selectFrom('factor_challenges').select('hash').execute()).toHaveLength(1);
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
    // The lost phone may be logged in.
    expect((await ask('GET', '/admin/events')).statusCode).toBe(401);
    expect((await login()).statusCode).toBe(200);
    expect(await audited()).toContain('factor.reset');
    const { entries } = (await ask('GET', '/admin/audit', undefined, otto)).json<{ entries: object[] }>();
    expect(entries).toContainEqual(expect.objectContaining({ actor: 'admin:otto', action: 'factor.reset', account: ADMIN.username }));
  });

  it('are for assistants, too', async () => {
    const body = { username: 'hilde', role: 'assistant' };
    const { password: others } = (await ask('POST', '/admin/admins', body)).json<{ password: string }>();
    const hilde = { username: 'hilde', password: others };
    const jar = jarOf(await login(undefined, hilde));
    const secret = await setTotp(jar, others);
    expect((await login(undefined, hilde)).json()).toMatchObject({ code: 'second_factor_required' });
    const again = jarOf(await login({ totp: codeOf(secret) }, hilde));
    clock.time += STEP;
    const changed = await ask('PUT', '/admin/password', { current_password: others, new_password: NEXT }, again);
    expect(changed.statusCode).toBe(204);
    expect((await login({ totp: codeOf(secret) }, { ...hilde, password: NEXT })).json()).toEqual({ role: 'assistant' });
    clock.time += STEP;
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
