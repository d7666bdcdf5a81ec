import { randomBytes } from 'node:crypto';
import { DAY, HOUR, MINUTE, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { TABLES, TABLE_NAMES } from '../../database/tables.ts';
import { fillTables, type Mark } from '../../database/testing/fill.ts';
import { engines } from '../../database/testing.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { createRetention } from './retention.ts';
import { DUE, premisesOf } from './testing/premises.ts';
import { keysOnDisk } from './testing/keys-on-disk.ts';

const NOON = DUE - DAY + 12 * HOUR;

describe.each(engines())('destroyed keys on $name', (engine) => {
  const at = premisesOf(engine);
  const { coveredOf, keysOf, found, keyFiles, addPhotos } = keysOnDisk(engine, at);

  it('leaves no byte of a purged event’s keys in the database’s files', async () => {
    const kept = await at.event({ start_date: '2026-06-01', end_date: '2026-06-01' });
    const gone = [await at.event(), await at.event()];
    // Photos of the events alternate, so that the database's pages mix deleted and kept keys.
    const turn = [kept, ...gone, kept, ...gone].map(({ id }) => id);
    await addPhotos(Array.from({ length: 100 }, () => turn).flat());
    const goneKeys = await keysOf(gone.map(({ id }) => id));
    const keptKeys = await keysOf([kept.id]);
    const covers = await coveredOf(gone.map(({ id }) => id));
    expect([goneKeys.length, covers.length]).toEqual([2 * (4 + 200), 2 * 2 * 200]);
    expect(await found(goneKeys)).toBe(goneKeys.length);
    at.clock.time = DUE;
    await at.node().retention.run();
    expect(await found(goneKeys)).toBe(0);
    expect(await found(keptKeys)).toBe(keptKeys.length);
    // Keys under the destroyed secret never lay there without their cover.
    expect(await found(covers)).toBe(0);
  });

  it('leaves no mark of any column in the database’s files, once its row is gone, but where the list says that it may', async () => {
    const { marks, relations } = await fillTables(at.db);
    // Delivered messages are emptied.
    await at.db.kysely.updateTable('outbox').set({ payload: null, answer: null }).execute();
    await at.db.kysely.deleteFrom('receipts').execute();
    // A mail about the deletion would keep its host's address until it is delivered.
    await at.db.kysely.deleteFrom('mail_server').execute();
    at.clock.time = DUE;
    const { retention, lines } = at.node();
    await retention.run(undefined, { thorough: true });
    expect(lines.map(({ message, step }) => [message, step])).toEqual([['event purged', undefined]]);
    expect(await at.app.row(relations.event_id as string)).toMatchObject({ purged_at: DUE });
    const ofEvent = (mark: Mark): boolean => TABLES[mark.table].purged !== null || mark.table === 'outbox' || mark.column === 'welcome';
    const soon = marks.filter((mark) => ofEvent(mark) && isErased(mark));
    expect(soon.length).toBeGreaterThan(15);
    expect(await leftOf(soon)).toEqual([]);
    // The other rows expire later, or an operator deletes them.
    at.clock.time = DUE + RECORDS_KEPT;
    for (const table of TABLE_NAMES.toReversed()) {
      if (!['settings', 'leases', 'due_rewrites'].includes(table)) await sql`delete from ${sql.table(table)}`.execute(at.db.kysely);
    }
    await retention.run(undefined, { thorough: true });
    const later = marks.filter((mark) => isErased(mark));
    // A receipt with the code had rows of its own, which contain nothing else.
    expect((await leftOf(later)).filter((name) => name !== 'events.code')).toEqual([]);

    /** SQLite overwrites all deleted rows. */
    function isErased({ table }: Mark): boolean {
      return !['settings', 'leases'].includes(table) && (engine.name === 'sqlite' || TABLES[table].left === 'rewritten');
    }
    async function leftOf(some: Mark[]): Promise<string[]> {
      const files = await keyFiles(TABLE_NAMES);
      return some.flatMap(({ table, column, bytes }) => (files.includes(bytes.subarray(-16)) ? `${table}.${column}` : []));
    }
  });

  it('leaves no byte of keys that went otherwise, at any hour: an event deleted, a purge killed, a host’s old password', async () => {
    const [deleted, killed, reset, kept] = [await at.app.event(), await at.event(), await at.event(), await at.event()];
    await addPhotos([deleted, kept, killed, kept].map(({ id }) => id));
    const goneKeys = await keysOf([deleted.id, killed.id]);
    const keptKeys = await keysOf([kept.id]);
    const [old] = await at.db.kysely.selectFrom('host_keys').select('wrapped').where('event_id', '=', reset.id).execute();
    goneKeys.push(Buffer.from(old!.wrapped));
    at.clock.time = NOON;
    const { events, retention, lines } = at.node();
    await events.remove({ username: 'admin' } as AdminVisitor, deleted.id, '192.0.2.1');
    // The process ended before it had removed the files.
    await events.purgeRows(killed.id);
    await events.purgeBytes(killed.id);
    await at.db.kysely
      .updateTable('host_keys')
      .set({ wrapped: randomBytes(100) })
      .where('event_id', '=', reset.id)
      .execute();
    await retention.run();
    expect(lines).toEqual([]);
    expect(await found(goneKeys)).toBe(0);
    expect(await found(keptKeys)).toBe(keptKeys.length);
  });

  it.runIf(engine.name === 'sqlite')(
    'leaves none right after an event is purged or deleted, and soon none of a deleted photo',
    async () => {
      const [purged, deleted, kept] = [await at.event(), await at.app.event(), await at.event()];
      await addPhotos([purged.id, kept.id, deleted.id, kept.id]);
      const parts = at.node();
      const purgedKeys = await keysOf([purged.id]);
      const deletedKeys = await keysOf([deleted.id]);
      await parts.events.purgeRows(purged.id);
      await parts.events.purgeBytes(purged.id);
      expect(await found(purgedKeys)).toBe(0);
      await parts.events.remove({ username: 'admin' } as AdminVisitor, deleted.id, '192.0.2.1');
      expect(await found(deletedKeys)).toBe(0);

      const retention = createRetention({ ...parts, eraseMs: 20 });
      retention.start();
      await expect.poll(retention.lastSuccess).not.toBeNull();
      const [photo] = await at.db.kysely.selectFrom('photo_keys').selectAll().execute();
      await at.db.kysely.deleteFrom('photos').where('id', '=', photo!.photo_id).execute();
      await expect.poll(() => found([Buffer.from(photo!.sealed_for_event)])).toBe(0);
      const typed = await typedCode(kept);
      at.clock.time += 16 * MINUTE;
      await expect.poll(() => found([typed])).toBe(0);
      parts.end();
      await retention.ended();
    },
  );

  /** Makes a code for a television; returns the event's key as the code wraps it. */
  async function typedCode({ id, code, cookie }: Awaited<ReturnType<typeof at.event>>): Promise<Buffer> {
    expect((await at.app.call('POST', `/api/events/${code}/wall/code`, { cookie })).status).toBe(200);
    const row = at.db.kysely.selectFrom('wall_codes').select('wrapped').where('event_id', '=', id);
    return Buffer.from((await row.executeTakeFirstOrThrow()).wrapped);
  }

  it.each([
    ['whose quarter of an hour is over', 16 * MINUTE],
    ['that a clock made which was ahead', -DAY],
  ])('leaves no byte of a television’s code %s', async (_, later) => {
    const wrapped = await typedCode(await at.event());
    expect(await found([wrapped])).toBe(1);
    at.clock.time += later;
    await at.node().retention.run();
    expect(await at.count('wall_codes')).toBe(0);
    expect(await found([wrapped])).toBe(0);
  });

  it('leaves no byte of the keys of uploads that ended or expired after the night', async () => {
    const { id } = await at.event();
    await addPhotos([id, id]);
    const [upload] = await at.db.kysely.selectFrom('upload_keys').selectAll().execute();
    await at.db.kysely.updateTable('uploads').set({ expires_at: 1 }).where('id', '=', upload!.upload_id).execute();
    await at.node().retention.run(undefined, { thorough: true });
    expect(await at.count('upload_keys')).toBe(1);
    expect(await found([Buffer.from(upload!.wrapped)])).toBe(0);
  });

  describe.runIf(engine.name === 'postgres')('with a reader in the way', () => {
    async function purgedKeys() {
      const { id } = await at.event();
      await addPhotos([id]);
      const keys = await keysOf([id]);
      at.clock.time = NOON;
      const purge = async (): Promise<void> => {
        const { events } = at.node();
        await events.purgeRows(id);
        await events.purgeBytes(id);
      };
      return { keys, purge };
    }

    it('holds nobody up for long behind a table that is in use, and does it later', async () => {
      const { keys, purge } = await purgedKeys();
      const dump = await engine.again(at.db);
      const { retention, lines } = at.node();
      await dump.transaction(async (trx) => {
        await sql`lock table event_secrets in access share mode`.execute(trx);
        await purge();
        const running = retention.run();
        const waits = async () => (await sql`select 1 from pg_locks where not granted`.execute(at.db.kysely)).rows.length;
        await expect.poll(waits, { interval: 20 }).toBe(1);
        // The query waits behind the rewrite, and comes through although the table is still in use.
        await at.db.kysely.selectFrom('event_secrets').select('id').execute();
        await running;
      });
      expect(lines).toEqual([expect.objectContaining({ step: 'wipe', message: 'retention failed' })]);
      expect(await found(keys)).toBeGreaterThan(0);
      await retention.run();
      expect(await found(keys)).toBe(0);
    });

    it('does it again where somebody had an older view of the database, who keeps the deleted rows alive', async () => {
      const { keys, purge } = await purgedKeys();
      const { retention, lines } = at.node();
      await at.db.snapshot(async (trx) => {
        await trx.selectFrom('leases').selectAll().execute();
        await purge();
        await retention.run();
      });
      expect(lines).toEqual([expect.objectContaining({ step: 'wipe', message: 'retention failed' })]);
      expect(await found(keys)).toBeGreaterThan(0);
      await retention.run();
      expect(await found(keys)).toBe(0);
    });

    it('is not asked by the demo, which goes every two hours', async () => {
      const { id } = await at.app.event({ demo: 1 } as object);
      await at.node().retention.run(undefined, { thorough: true });
      await at.app.events.removeDemo(id);
      expect(await at.db.kysely.selectFrom('due_rewrites').select('urgent').where('urgent', '=', 1).execute()).toEqual([]);
      expect(await at.count('due_rewrites')).toBeGreaterThan(0);
    });
  });
});
