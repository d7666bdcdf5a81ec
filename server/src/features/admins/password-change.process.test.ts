import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import { runsKind } from '../../testing/kinds.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { ADMIN, dump, jarOf, openDesk, type Desk, type Jar } from '../accounts/testing.ts';
import { adminsOf, clock, NEXT } from './testing/admins.ts';

const FIXTURE = join(import.meta.dirname, 'testing/password-change.fixture.ts');
/** The step of a process that is not killed. */
const NEVER = 0;

describe.each(enginesForRules())('changing the own password on $name', (engine) => {
  let db: Db;
  let desk: Desk;
  let admin: Jar;
  const { wrapping, login, change, commands, prove, recover, add } = adminsOf(engine, (opened) => ({ db, desk, admin } = opened));

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
    wrapping.before = () => (overtaking = change(ADMIN.password, `${NEXT} 2`, admin, '192.0.2.8'));
    expect((await change(ADMIN.password, `${NEXT} 1`)).statusCode).toBe(401);
    expect((await overtaking)?.statusCode).toBe(204);
    expect((await login(ADMIN.username, `${NEXT} 1`)).statusCode).toBe(401);
    expect(await commands(jarOf(await login(ADMIN.username, `${NEXT} 2`)), event)).toBe(true);
  });

  it('loses no event that is created meanwhile', async () => {
    const creating = Promise.all(Array.from({ length: 4 }, () => desk.event(admin)));
    const other = await openDesk({ db: await engine.again(db), clock: clock });
    const before = await creating;
    const late: Promise<{ id: string; code: string }>[] = [];
    const second = await add('berta');
    wrapping.before = async () => {
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
