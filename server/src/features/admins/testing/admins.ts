import { afterAll, beforeEach, expect } from 'vitest';
import type { Db } from '../../../database/open.ts';
import type { Engine } from '../../../database/testing.ts';
import type { Vault } from '../../../vault/vault.ts';
import { jarOf, openDesk, PARTY, type Desk, type Jar } from '../../accounts/testing.ts';

export const NEXT = 'ein neues langes Passwort';
export const clock = { now: () => PARTY };

interface Opened {
  db: Db;
  desk: Desk;
  admin: Jar;
}

/** For tests: opens a desk before each test, whose administrators log in, change their passwords and are added. */
export function adminsOf(engine: Engine, onOpen: (opened: Opened) => void) {
  let opened: Opened;
  /** `before`: a hook that tests set: it runs once, right before the vault wraps a key. */
  const wrapping: { before: (() => Promise<unknown>) | null } = { before: null };
  const wrapVault = (vault: Vault): Vault => ({
    ...vault,
    async wrapWithPassword(...args) {
      const first = wrapping.before;
      wrapping.before = null;
      await first?.();
      return vault.wrapWithPassword(...args);
    },
  });

  beforeEach(async () => {
    const db = await engine.open();
    const desk = await openDesk({ db, clock, wrapVault });
    opened = { db, desk, admin: await desk.admin() };
    onOpen(opened);
    return () => desk.close();
  });
  afterAll(() => engine.dispose());

  const login = (username: string, password: string, address = '192.0.2.7') =>
    opened.desk.send('POST', '/auth/admin/login', { body: { username, password }, address });
  const change = (current_password: string, new_password: string, cookies = opened.admin, address = '192.0.2.7') =>
    opened.desk.send('PUT', '/admin/password', { cookies, body: { current_password, new_password }, address });
  /** Returns whether this session can do everything that needs the operator's key. */
  async function commands(jar: Jar, event: { id: string; code: string }): Promise<boolean> {
    const { desk } = opened;
    const reset = await desk.send('PUT', `/admin/events/${event.id}/user/password`, { cookies: jar, body: {} });
    if (reset.statusCode !== 200) return false;
    return (await desk.loginHost(event.code, reset.json<{ new_password: string }>().new_password)).statusCode === 200;
  }
  async function prove(username: string, password: string) {
    const proved = await opened.desk.admins.authenticate(username, password, { address: '192.0.2.99' });
    if (!proved) throw new Error('not proved');
    return proved;
  }
  async function recover(code: string, username: string, password: string): Promise<boolean> {
    const { admins } = opened.desk;
    const proof = await admins.openRecovery(code);
    return proof !== null && admins.recover(proof, username, password);
  }
  async function add(username: string, by = opened.admin): Promise<{ jar: Jar; password: string; id: string }> {
    const { desk } = opened;
    const answer = await desk.send('POST', '/admin/admins', { cookies: by, body: { username } });
    expect(answer.statusCode).toBe(201);
    const { password } = answer.json<{ password: string }>();
    const { id } = (await desk.admins.list()).find((each) => each.username === username)!;
    return { password, id, jar: jarOf(await login(username, password)) };
  }

  return { wrapping, login, change, commands, prove, recover, add };
}
