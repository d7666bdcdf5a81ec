import type { Factors } from '@feierbild/contract/calls/factors.ts';
import type { ErrorBody } from '@feierbild/contract/errors.ts';
import { afterAll, beforeEach, expect } from 'vitest';
import type { Db } from '../../../database/open.ts';
import type { Engine } from '../../../database/testing.ts';
import { ADMIN, openDesk, PARTY, type Desk, type Jar } from '../../accounts/testing.ts';
import { codeOf as codeAt } from './code.ts';
import { createPasskey } from './authenticator.ts';

export const STEP = 30_000;
const { password } = ADMIN;

interface Opened {
  db: Db;
  desk: Desk;
  admin: Jar;
}

/** For tests: opens a desk before each test, whose administrator sets second factors up and logs in by them. */
export function factorsOf(engine: Engine, onOpen: (opened: Opened) => void) {
  const clock = { time: PARTY, now: () => clock.time };
  let opened: Opened;

  beforeEach(async () => {
    clock.time = PARTY;
    const db = await engine.open();
    const desk = await openDesk({ db, clock });
    opened = { db, desk, admin: await desk.admin() };
    onOpen(opened);
    return () => desk.close();
  });
  afterAll(() => engine.dispose());

  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object, cookies = opened.admin) =>
    opened.desk.send(method, url, { cookies, ...(body && { body }) });
  const codeOf = (secret: string, at = clock.time): string => codeAt(secret, at);
  interface As extends Partial<typeof ADMIN> {
    at?: Desk;
    address?: string;
    cookies?: Jar;
  }
  const login = (second_factor?: object, { at = opened.desk, address = '192.0.2.7', cookies = {}, ...other }: As = {}) =>
    at.send('POST', '/auth/admin/login', { body: { ...ADMIN, ...other, ...(second_factor && { second_factor }) }, address, cookies });
  const factors = async (): Promise<Factors> => (await ask('GET', '/admin/factors')).json();
  const audited = async (): Promise<string[]> =>
    (await opened.db.kysely.selectFrom('audit').select('action').orderBy('id').execute()).map(({ action }) => action);

  async function setTotp(cookies = opened.admin, own = password): Promise<string> {
    const { secret } = (await ask('POST', '/admin/factors/totp', { password: own }, cookies)).json<{ secret: string }>();
    const set = await ask('PUT', '/admin/factors/totp', { code: codeOf(secret) }, cookies);
    expect(set.statusCode).toBe(200);
    // A code that was used for this is refused at a login.
    clock.time += STEP;
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

  return { clock, ask, codeOf, login, factors, audited, setTotp, device, offered, register, setPasskey, askedOf, asked };
}
