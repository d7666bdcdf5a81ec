import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { generateHostPassword } from '../../lib/generated-passwords.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { ADMIN, dump, jarOf, type Desk, type Jar } from '../accounts/testing.ts';
import { adminsOf, NEXT } from './testing/admins.ts';

describe.each(enginesForRules())('administrators on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  const { login, change, commands, prove, recover, add } = adminsOf(engine, (opened) => ({ db, desk, admin } = opened));

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
    const second = await add('Berta', jar);
    expect(await commands(second.jar, event)).toBe(true);
    expect((await change(ADMIN.password, NEXT, jar)).statusCode).toBe(204);
    expect(await commands(jarOf(await login(ADMIN.username, NEXT)), event)).toBe(true);
    expect(await commands(second.jar, event)).toBe(true);
  });
});
