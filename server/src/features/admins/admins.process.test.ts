import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import type { Vault } from '../../vault/vault.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { generateHostPassword } from '../../lib/generated-passwords.ts';
import { runsKind } from '../../testing/kinds.ts';
import { ADMIN, dump, jarOf, openDesk, PARTY, type Desk, type Jar } from '../accounts/testing.ts';

const NEXT = 'ein neues langes Passwort';
const FIXTURE = join(import.meta.dirname, 'testing/password-change.fixture.ts');
/** The step of a process that is not killed. */
const NEVER = 0;

describe.each(enginesForRules())('administrators on $name', (engine) => {
  let db: Db;
  let now: number;
  let desk: Desk;
  let admin: Jar;
  /** A hook that tests set: it runs once, right before the vault wraps a key. */
  let beforeWrapping: (() => Promise<unknown>) | null = null;
  const wrapVault = (vault: Vault): Vault => ({
    ...vault,
    async wrapWithPassword(...args) {
      const first = beforeWrapping;
      beforeWrapping = null;
      await first?.();
      return vault.wrapWithPassword(...args);
    },
  });

  beforeEach(async () => {
    now = PARTY;
    db = await engine.open();
    desk = await openDesk({ db, clock: { now: () => now }, wrapVault });
    admin = await desk.admin();
    return () => desk.close();
  });
  afterAll(() => engine.dispose());

  const login = async (username: string, password: string, address = '192.0.2.7') =>
    desk.send('POST', '/auth/admin/login', { body: { username, password }, address });
  const change = (current_password: string, new_password: string, cookies = admin, address = '192.0.2.7') =>
    desk.send('PUT', '/admin/password', { cookies, body: { current_password, new_password }, address });
  /** Returns whether this session can do everything that needs the operator's key. */
  async function commands(jar: Jar, event: { id: string; code: string }): Promise<boolean> {
    const reset = await desk.send('PUT', `/admin/events/${event.id}/user/password`, { cookies: jar, body: {} });
    if (reset.statusCode !== 200) return false;
    return (await desk.loginHost(event.code, reset.json<{ new_password: string }>().new_password)).statusCode === 200;
  }
  async function prove(username: string, password: string) {
    const proved = await desk.admins.authenticate(username, password, { address: '192.0.2.99' });
    if (!proved) throw new Error('not proved');
    return proved;
  }
  async function recover(code: string, username: string, password: string): Promise<boolean> {
    const proof = await desk.admins.openRecovery(code);
    return proof !== null && desk.admins.recover(proof, username, password);
  }
  const add = async (username: string): Promise<{ jar: Jar; password: string; id: string }> => {
    const answer = await desk.send('POST', '/admin/admins', { cookies: admin, body: { username } });
    expect(answer.statusCode).toBe(201);
    const { password } = answer.json<{ password: string }>();
    const { id } = (await desk.admins.list()).find((each) => each.username === username)!;
    return { password, id, jar: jarOf(await login(username, password)) };
  };

  describe('changing the own password', () => {
    it("renews every key, keeps this browser logged in and ends the administrator's other sessions", async () => {
      const event = await desk.event(admin, { with_upload_password: true, user_upload_password: 'Blütenfest' });
      const elsewhere = await desk.admin();
      const { admin: oldKey } = await desk.visitor({ cookies: admin });
      const before = await db.kysely.selectFrom('event_keys').selectAll().execute();
      expect(await desk.admins.initialPasswordInUse()).toBe(true);

      const answer = await change(ADMIN.password, NEXT);
      expect(answer.statusCode).toBe(204);
      const here = jarOf(answer);
      expect(await desk.admins.initialPasswordInUse()).toBe(false);
      expect((await desk.send('GET', '/admin/events', { cookies: elsewhere })).statusCode).toBe(401);
      expect((await desk.send('GET', '/admin/events', { cookies: admin })).statusCode).toBe(401);
      expect((await desk.send('GET', '/admin/events', { cookies: here })).json()).toMatchObject({
        events: [{ user_upload_password: 'Blütenfest' }],
      });
      expect(await commands(here, event)).toBe(true);
      expect((await desk.visitor({ cookies: here })).admin).not.toBe(oldKey);

      expect((await login(ADMIN.username, ADMIN.password)).statusCode).toBe(401);
      expect(await commands(jarOf(await login(ADMIN.username, NEXT)), event)).toBe(true);
      // The old operator's key opens nothing that is stored now.
      const after = await db.kysely.selectFrom('event_keys').selectAll().execute();
      const opens = (rows: typeof before): boolean[] =>
        rows.map(({ event_id: id, sealed_for_operator: sealed }) => {
          try {
            return createQuickVault().open(Buffer.from(oldKey!, 'hex'), sealed, `feierbild event key for operator ${id}`).length === 32;
          } catch {
            return false;
          }
        });
      expect([opens(before), opens(after)]).toEqual([[true], [false]]);
    });

    it('leaves no byte of the old keys in the database or its files', async () => {
      await desk.event(admin);
      const old = (await db.kysely.selectFrom('admin_keys').selectAll().executeTakeFirstOrThrow()).wrapped;
      const [sealed] = await db.kysely.selectFrom('event_keys').select('sealed_for_operator').execute();
      const files = async (): Promise<Buffer> => {
        // PostgreSQL manages its own files; the retention tests prove that dead rows leave them.
        if (engine.name === 'postgres') return Buffer.alloc(0);
        const { file } = engine.location(db);
        return Buffer.concat([await readFile(file), await readFile(`${file}-wal`)]);
      };
      if (engine.name === 'sqlite') expect((await files()).includes(old)).toBe(true);
      expect((await change(ADMIN.password, NEXT)).statusCode).toBe(204);
      for (const bytes of [old, sealed!.sealed_for_operator]) {
        expect((await files()).includes(bytes)).toBe(false);
        expect(await dump(db)).not.toContain(Buffer.from(bytes).toString('hex'));
      }
    });

    it('says in German at which field something is wrong, and changes nothing', async () => {
      const texts = [
        [await change('falsch', NEXT), { current_password: 'Das aktuelle Passwort stimmt nicht.' }],
        [await change(ADMIN.password, 'zu kurz'), { new_password: 'Das neue Passwort braucht mindestens 12 Zeichen.' }],
        [await change(ADMIN.password, ADMIN.password), { new_password: 'Bitte wählen Sie ein anderes Passwort als bisher.' }],
      ] as const;
      for (const [answer, fields] of texts) {
        expect(answer.statusCode).toBe(400);
        expect(answer.json<{ fields: object }>().fields).toEqual(fields);
      }
      expect((await desk.send('GET', '/admin/events', { cookies: admin })).statusCode).toBe(200);
      expect((await login(ADMIN.username, ADMIN.password)).statusCode).toBe(200);
    });

    it('is refused after ten wrong passwords from one address', async () => {
      for (let n = 0; n < 10; n++) expect((await change('falsch', NEXT, admin, '192.0.2.50')).statusCode).toBe(400);
      expect((await change(ADMIN.password, NEXT, admin, '192.0.2.50')).statusCode).toBe(429);
      expect((await change(ADMIN.password, NEXT)).statusCode).toBe(204);
    });

    it('is not refused for guesses of others at the same address', async () => {
      for (let n = 0; n < 10; n++) expect((await login(ADMIN.username, 'falsch', '192.0.2.51')).statusCode).toBe(401);
      expect((await change(ADMIN.password, NEXT, admin, '192.0.2.51')).statusCode).toBe(204);
    });

    it('lets one of two changes at once win, and its password works', async () => {
      const event = await desk.event(admin);
      const [one, two] = await Promise.all([change(ADMIN.password, `${NEXT} 1`), change(ADMIN.password, `${NEXT} 2`, admin, '192.0.2.8')]);
      // The loser's session has ended (401) or its current password is wrong (400), as its check came after or before the commit.
      const [winner, loser] = one.statusCode === 204 ? [`${NEXT} 1`, two] : [`${NEXT} 2`, one];
      expect([400, 401]).toContain(loser.statusCode);
      expect(await commands(jarOf(await login(ADMIN.username, winner)), event)).toBe(true);
    });

    it('is refused where another change came between its question and its answer', async () => {
      const event = await desk.event(admin);
      let overtaking: ReturnType<typeof change> | undefined;
      beforeWrapping = () => (overtaking = change(ADMIN.password, `${NEXT} 2`, admin, '192.0.2.8'));
      expect((await change(ADMIN.password, `${NEXT} 1`)).statusCode).toBe(401);
      expect((await overtaking)?.statusCode).toBe(204);
      expect((await login(ADMIN.username, `${NEXT} 1`)).statusCode).toBe(401);
      expect(await commands(jarOf(await login(ADMIN.username, `${NEXT} 2`)), event)).toBe(true);
    });

    it('loses no event that is created meanwhile', async () => {
      const creating = Promise.all(Array.from({ length: 4 }, () => desk.event(admin)));
      const other = await openDesk({ db: await engine.again(db), clock: { now: () => now } });
      const before = await creating;
      const late: Promise<{ id: string; code: string }>[] = [];
      const second = await add('berta');
      beforeWrapping = async () => {
        for (let n = 0; n < 4; n++) late.push(other.event(second.jar));
      };
      expect((await change(ADMIN.password, NEXT)).statusCode).toBe(204);
      const here = jarOf(await login(ADMIN.username, NEXT));
      for (const event of [...before, ...(await Promise.all(late))]) expect(await commands(here, event)).toBe(true);
      expect(late).toHaveLength(4);
      await other.close();
    });

    it('killed before any of its steps, leaves one password that works with every key', async () => {
      const event = await desk.event(admin);
      const second = await add('berta');
      const code = await desk.admins.createRecoveryCode(await prove(ADMIN.username, ADMIN.password));
      let [current, next] = [ADMIN.password, NEXT];
      let [kept, changed] = [0, 0];
      const round = async (stopAt: number): Promise<number> => {
        const job = { ...engine.location(db), stopAt, username: ADMIN.username, current, next };
        const child = spawn(process.execPath, [FIXTURE, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] });
        const [said, [exit, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
        expect([exit, signal]).toEqual(stopAt === NEVER ? [0, null] : [null, 'SIGKILL']);
        const works = await Promise.all([
          desk.admins.authenticate(ADMIN.username, current, { address: '192.0.2.98' }),
          desk.admins.authenticate(ADMIN.username, next, { address: '192.0.2.97' }),
        ]);
        expect(works.filter((proved) => proved !== null)).toHaveLength(1);
        const jar = jarOf(await login(ADMIN.username, works[0] ? current : next));
        expect([stopAt, await commands(jar, event), await commands(second.jar, event)]).toEqual([stopAt, true, true]);
        if (works[0]) kept++;
        else {
          changed++;
          [current, next] = [next, current];
        }
        // Each round would use up the limit of wrong passwords.
        await db.kysely.deleteFrom('failures').execute();
        return Number(said);
      };
      const steps = await round(NEVER);
      expect(steps).toBeGreaterThan(10);
      const all = Array.from({ length: steps }, (_, n) => n + 1);
      // The steps before the commit leave the same rows.
      const stops = runsKind('system') ? all : all.filter((step) => [1, steps >> 1, steps - 1, steps].includes(step));
      for (const stopAt of stops) await round(stopAt);
      // The last step, the wiping, and the end come after the commit.
      expect([kept, changed]).toEqual([stops.length - 1, 2]);
      expect(await recover(code, ADMIN.username, NEXT)).toBe(true);
    });
  });

  describe('of which there are several', () => {
    it("reset hosts' passwords each, also after one of them renewed the operator's key pair", async () => {
      const event = await desk.event(admin);
      const second = await add('Berta');
      expect(second.password).toMatch(/^[A-Z2-9]{5}(-[A-Z2-9]{5}){3}$/);
      expect(await commands(second.jar, event)).toBe(true);
      expect((await change(ADMIN.password, NEXT)).statusCode).toBe(204);
      expect(await commands(second.jar, event)).toBe(true);
      expect(await commands(jarOf(await login('Berta', second.password)), event)).toBe(true);
    });

    it('are listed, and have names of their own', async () => {
      await add('Berta');
      const list = await desk.send('GET', '/admin/admins', { cookies: admin });
      expect(list.json()).toMatchObject({
        admins: [
          { username: ADMIN.username, own: true },
          { username: 'Berta', own: false },
        ],
      });
      const again = await desk.send('POST', '/admin/admins', { cookies: admin, body: { username: ' Berta ' } });
      expect([again.statusCode, again.json<{ fields: object }>().fields]).toEqual([
        400,
        { username: 'Diesen Benutzernamen gibt es schon.' },
      ]);
      expect((await desk.send('POST', '/admin/admins', { cookies: admin, body: { username: ' ' } })).statusCode).toBe(400);
    });

    it('are removed by each other, with their sessions and their way to the keys, but not by themselves', async () => {
      const event = await desk.event(admin);
      const { id, jar, password } = await add('Berta');
      const own = (await desk.admins.list()).find(({ username }) => username === ADMIN.username)!.id;
      const { admin: oldKey } = await desk.visitor({ cookies: admin });
      const remove = (target: string, cookies = admin) => desk.send('DELETE', `/admin/admins/${target}`, { cookies });
      expect((await remove(own)).json()).toMatchObject({ code: 'own_admin' });
      expect((await remove(generateHostPassword())).json()).toMatchObject({ code: 'admin_not_found' });

      expect((await remove(id)).statusCode).toBe(204);
      const { entries } = (await desk.send('GET', '/admin/audit', { cookies: admin })).json<{
        entries: { action: string; account: string }[];
      }>();
      const about = entries.flatMap(({ action, account }) => (account ? [`${action} ${account}`] : []));
      expect(about.slice(0, 2)).toEqual(['admin.removed Berta', 'admin.added Berta']);
      expect((await desk.send('GET', '/admin/events', { cookies: jar })).statusCode).toBe(401);
      expect((await login('Berta', password)).statusCode).toBe(401);
      expect((await desk.visitor({ cookies: admin })).admin).not.toBe(oldKey);
      expect(await commands(admin, event)).toBe(true);
    });

    it('leave one when two remove each other at once', async () => {
      const second = await add('Berta');
      const own = (await desk.admins.list()).find(({ username }) => username === ADMIN.username)!.id;
      const answers = await Promise.all([
        desk.send('DELETE', `/admin/admins/${second.id}`, { cookies: admin }),
        desk.send('DELETE', `/admin/admins/${own}`, { cookies: second.jar }),
      ]);
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 401]);
      expect(await desk.admins.list()).toHaveLength(1);
    });
  });

  describe('with a recovery code', () => {
    it('get a new password when all are lost; the code works once, however it is typed', async () => {
      const event = await desk.event(admin);
      const code = await desk.admins.createRecoveryCode(await prove(ADMIN.username, ADMIN.password));
      expect(code).toMatch(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){5}$/);
      expect(await dump(db)).not.toContain(code.replaceAll('-', ''));
      expect((await change(ADMIN.password, `${NEXT} 0`)).statusCode).toBe(204);

      expect(await recover(`${code.slice(0, -1)}?`, ADMIN.username, NEXT)).toBe(false);
      await expect(recover(code, 'niemand', NEXT)).rejects.toMatchObject({ code: 'admin_not_found' });
      expect(await recover(` ${code.toLowerCase().replaceAll('-', ' ')}`, ADMIN.username, NEXT)).toBe(true);
      expect(await commands(jarOf(await login(ADMIN.username, NEXT)), event)).toBe(true);
      expect((await login(ADMIN.username, `${NEXT} 0`)).statusCode).toBe(401);
      expect(await recover(code, ADMIN.username, `${NEXT} 2`)).toBe(false);
    });

    it('of which only the last one works', async () => {
      const by = await prove(ADMIN.username, ADMIN.password);
      const [first, second] = [await desk.admins.createRecoveryCode(by), await desk.admins.createRecoveryCode(by)];
      expect(await recover(first, ADMIN.username, NEXT)).toBe(false);
      expect(await recover(second, ADMIN.username, NEXT)).toBe(true);
    });
  });

  it('whose key is still the operator’s own keep everything, and get one of their own with the next password', async () => {
    const event = await desk.event(admin);
    // Store the key as earlier versions did.
    const { admin: operatorKey } = await desk.visitor({ cookies: admin });
    const { public_key } = await db.kysely.selectFrom('operator_keys').select('public_key').executeTakeFirstOrThrow();
    const { id } = (await desk.admins.list())[0]!;
    const keys = { publicKey: public_key, privateKey: Buffer.from(operatorKey!, 'hex') };
    const wrapped = await createQuickVault().wrapWithPassword(keys, ADMIN.password, { kind: 'admin', owner: id, subject: 'operator' });
    await db.kysely.updateTable('admin_keys').set({ public_key, wrapped, sealed_operator_key: null }).execute();

    const jar = await desk.admin();
    expect(await commands(jar, event)).toBe(true);
    admin = jar;
    const second = await add('Berta');
    expect(await commands(second.jar, event)).toBe(true);
    expect((await change(ADMIN.password, NEXT, jar)).statusCode).toBe(204);
    expect(await commands(jarOf(await login(ADMIN.username, NEXT)), event)).toBe(true);
    expect(await commands(second.jar, event)).toBe(true);
  });
});
