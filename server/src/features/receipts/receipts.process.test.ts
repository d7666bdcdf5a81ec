import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY, HOUR } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { createLog } from '../../lib/log.ts';
import { wireFeatures } from '../../wiring.ts';
import { openApp } from '../testing.ts';
import { isReceiptSigned } from './receipts.ts';
import { DUE } from '../retention/testing/premises.ts';
import { receiptsOf } from './testing.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const MONTHS_12 = 365 * DAY;
const NOON = DUE - DAY + 12 * HOUR;

describe.each(enginesForRules())('the receipt of a deletion on $name', (engine) => {
  const { at, ask, linkOf, tokenOf, publicKeys, filled } = receiptsOf(engine);

  it('says by its link, for 12 months, what was deleted, when the keys were destroyed and when backups hold nothing more', async () => {
    const event = await filled();
    const other = await filled();
    const link = await linkOf(event.code, event.cookie);
    expect(link).toMatch(new RegExp(`^/loeschprotokoll/${event.code}#[\\w-]{22}$`));
    const token = link.split('#')[1] as string;
    // Before the deletion the host and the link learn that there is no receipt yet, others nothing.
    expect(await ask(event.code, event)).toMatchObject({ status: 409, code: 'receipt_pending' });
    expect(await ask(event.code, { token })).toMatchObject({ status: 409, code: 'receipt_pending' });
    expect(await ask(event.code, other)).toMatchObject({ status: 401, code: 'login_required' });

    at.clock.time = DUE;
    await at.node().retention.run();
    const { status, receipt } = await ask(event.code, { token });
    const [key] = await publicKeys();
    expect([status, receipt]).toEqual([
      200,
      {
        event: event.code,
        deleted: { photos: 2, videos: 0, bytes: event.bytes },
        keys_destroyed_at: new Date(DUE).toISOString(),
        backups_gone_by: new Date(DUE + 14 * DAY).toISOString(),
        key_id: key?.key_id,
        signature: expect.any(String),
      },
    ]);
    expect(isReceiptSigned(receipt, Buffer.from(key?.public_key ?? '', 'base64'))).toBe(true);
    expect((await ask(event.id, { token })).receipt).toEqual(receipt);
    expect(await ask(event.code)).toMatchObject({ status: 401, code: 'login_required' });
    for (const wrong of [await tokenOf(other), token.slice(1), 'ä'])
      expect(await ask(event.code, { token: wrong })).toMatchObject({ status: 404, code: 'receipt_not_found' });

    // Another run does not change the receipt; it outlives the event's row, until its own time is over.
    at.clock.time = DUE + MONTHS_12 - 1;
    await at.app.clockGuard.confirm();
    await at.node().retention.run();
    expect((await ask(event.id, { token })).receipt).toEqual(receipt);
    at.clock.time = DUE + MONTHS_12;
    await at.app.clockGuard.confirm();
    await at.node().retention.run();
    expect(await ask(event.id, { token })).toMatchObject({ status: 404, code: 'receipt_not_found' });
    expect(await at.count('receipts')).toBe(0);
  });

  it('is there for an event that an administrator deletes, whose row is gone at once', async () => {
    const event = await filled();
    at.clock.time = NOON;
    const { events, retention, receipts } = at.node();
    await events.remove({ username: 'admin' } as AdminVisitor, event.id, '192.0.2.1');
    const token = await tokenOf(event);
    expect(await ask(event.code, { token })).toMatchObject({ status: 409, code: 'receipt_pending' });
    expect(await receipts.list()).toEqual([{ event: event.code, begun_at: new Date(NOON).toISOString(), receipt: null }]);
    at.clock.time += HOUR;
    await retention.run();
    const { receipt } = await ask(event.code, { token });
    expect(receipt).toMatchObject({ deleted: { photos: 2, bytes: event.bytes }, keys_destroyed_at: new Date(NOON + HOUR).toISOString() });
    expect(await receipts.list()).toMatchObject([{ receipt }]);
  });

  it('counts what the event held when its deletion began: photos that were deleted before are in none', async () => {
    const event = await filled();
    const [photo] = await at.db.kysely.selectFrom('photos').select(['id', 'size']).where('event_id', '=', event.id).execute();
    const removed = await at.app.call('DELETE', `/api/photos/${photo?.id}`, { cookie: event.cookie });
    expect(removed.ok).toBe(true);
    at.clock.time = DUE;
    await at.node().retention.run();
    const { receipt } = await ask(event.code, { token: await tokenOf(event) });
    expect(receipt.deleted).toEqual({ photos: 1, videos: 0, bytes: event.bytes - (photo?.size ?? 0) });
  });

  it('is one where several nodes run at once, the same on each, and by a key that all of them name', async () => {
    const event = await filled();
    at.clock.time = DUE;
    const nodes = [at.node(), at.node(), at.node()];
    await Promise.all(nodes.map(({ retention }) => retention.run()));
    await Promise.all(nodes.map(({ receipts }) => receipts.signDue()));
    const asked = { token: await tokenOf(event), visitor: { host: null, admin: null } };
    const read = await Promise.all(nodes.map(({ receipts }) => receipts.read(event.code, asked)));
    for (const receipt of read) expect(receipt).toEqual(read[0]);
    const keys = await Promise.all(nodes.map(({ receipts }) => receipts.publicKeys()));
    for (const known of keys) expect(known).toEqual([{ key_id: read[0]?.key_id, public_key: expect.any(String) }]);
  });

  it('stays true to its key where the key is changed, until the last receipt by the old one is gone', async () => {
    const [first, second] = [await filled(), await at.app.event({ start_date: '2026-05-18', end_date: '2026-05-18' })];
    at.clock.time = DUE;
    await at.node().retention.run();
    await at.db.kysely.deleteFrom('settings').where('name', '=', 'receipt_key').execute();
    // A process starts after that.
    const node = at.node();
    at.clock.time = DUE + DAY;
    await node.retention.run();
    const visitor = { host: null, admin: null };
    const [old, fresh] = [
      await node.receipts.read(first.code, { token: await tokenOf(first), visitor }),
      await node.receipts.read(second.code, { token: await tokenOf(second), visitor }),
    ];
    const keys = await node.receipts.publicKeys();
    expect(keys.map(({ key_id }) => key_id)).toEqual([fresh.key_id, old.key_id]);
    const keyOf = (id: string) => Buffer.from(keys.find(({ key_id }) => key_id === id)?.public_key ?? '', 'base64');
    expect([isReceiptSigned(old, keyOf(old.key_id)), isReceiptSigned(fresh, keyOf(fresh.key_id))]).toEqual([true, true]);
    expect(isReceiptSigned(old, keyOf(fresh.key_id))).toBe(false);
    at.clock.time = DUE + MONTHS_12;
    await at.app.clockGuard.confirm();
    await node.retention.run();
    expect((await node.receipts.publicKeys()).map(({ key_id }) => key_id)).toEqual([fresh.key_id]);
  });

  it('is made anew where a backup brings the event back, with the time at which that was gone; the link stays', async () => {
    const event = await filled();
    const token = await tokenOf(event);
    const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-receipt-'));
    await at.node().backup.take(folder);
    at.clock.time = DUE;
    await at.node().retention.run();
    const before = (await ask(event.code, { token })).receipt;

    const there = await openApp({ db: await engine.open(), decoder: at.app.decoder, clock: at.clock });
    try {
      await there.db.kysely.deleteFrom('settings').execute();
      await there.backup.restore(folder);
      const node = wireFeatures(there.config, createLog('silent'), there);
      const asked = { token, visitor: { host: null, admin: null } };
      await expect(node.receipts.read(event.code, asked)).rejects.toMatchObject({ code: 'receipt_pending' });
      at.clock.time = DUE + HOUR;
      await node.retention.run();
      const again = await node.receipts.read(event.code, asked);
      expect([again.deleted, again.keys_destroyed_at]).toEqual([before.deleted, new Date(DUE + HOUR).toISOString()]);
      const [key] = await node.receipts.publicKeys();
      expect(isReceiptSigned(again, Buffer.from(key?.public_key ?? '', 'base64'))).toBe(true);
    } finally {
      await there.close();
    }
    await rm(folder, { recursive: true });
  });

  it('waits for the photo store and for those who hold the keys’ bytes, and says the time at which these were gone', async () => {
    const [away, held] = [await filled(), await filled()];
    at.clock.time = DUE;
    at.stuck.add(away.id);
    const held1 = { ...at.db, wipe: async () => Promise.reject(new Error('a reader holds the log')) };
    await at.node(held1).retention.run();
    for (const event of [away, held]) expect((await ask(event.code, { token: await tokenOf(event) })).code).toBe('receipt_pending');

    at.clock.time += HOUR;
    await at.node().retention.run();
    expect((await ask(away.code, { token: await tokenOf(away) })).code).toBe('receipt_pending');
    const second = new Date(DUE + HOUR).toISOString();
    expect((await ask(held.code, { token: await tokenOf(held) })).receipt.keys_destroyed_at).toBe(second);

    at.clock.time += HOUR;
    at.stuck.clear();
    await at.node().retention.run();
    expect((await ask(away.code, { token: await tokenOf(away) })).receipt).toMatchObject({
      keys_destroyed_at: second,
      deleted: { photos: 2 },
    });
  });

  it('is one, and right, wherever the purge is cut off', async () => {
    for (let steps = 1, ended = false; !ended; steps++) {
      const event = await filled();
      at.clock.time = DUE;
      let left = steps;
      // The step after the last allowed one fails, and so do all others.
      const alive =
        <A extends unknown[], T>(work: (...given: A) => Promise<T>) =>
        (...given: A): Promise<T> =>
          left-- > 0 ? work(...given) : Promise.reject(new Error('cut off'));
      const db = { ...at.db, transaction: alive(at.db.transaction) as Db['transaction'], wipe: alive(at.db.wipe) };
      const { events, receipts } = at.node(db);
      const cutOff = (async () => {
        await events.purgeRows(event.id);
        await events.purgeBytes(event.id);
        await receipts.wiping(() => db.wipe());
        await receipts.signDue();
      })();
      ended = await cutOff.then(
        () => true,
        () => false,
      );
      const before = await ask(event.code, { token: await tokenOf(event) });
      expect(before).toMatchObject(ended ? { status: 200 } : { status: 409 });
      const whole = at.node();
      await whole.events.purgeRows(event.id);
      await whole.events.purgeBytes(event.id);
      await whole.receipts.wiping(() => at.db.wipe());
      await whole.receipts.signDue();
      const { receipt } = await ask(event.code, { token: await tokenOf(event) });
      expect([steps, receipt.deleted]).toEqual([steps, { photos: 2, videos: 0, bytes: event.bytes }]);
      if (ended) expect(steps).toBeGreaterThan(6);
    }
  });
});
