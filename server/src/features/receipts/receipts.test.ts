import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { receiptText, type Receipt } from '@feierbild/contract/receipt.ts';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { signingKeyId, signingPublicKey, signText } from '../../vault/signing.ts';
import { DAY, DUE, HOUR, PARTY, premisesOf } from '../retention/testing/premises.ts';
import { drawPhoto } from '../testing.ts';
import { isReceiptSigned } from './receipts.ts';

const SCRIPT = join(import.meta.dirname, '../../../../web/public/verify_receipt.py');
const FORMAT = join(import.meta.dirname, '../../../../docs/receipt-format.md');
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
const MONTHS_12 = 365 * DAY;
const NOON = DUE - DAY + 12 * HOUR;

describe.each(engines())('the receipt of a deletion on $name', (engine) => {
  const at = premisesOf(engine);

  const ask = async (ref: string, { token, cookie }: { token?: string; cookie?: string } = {}) => {
    const response = await fetch(`${at.app.url}/api/events/${ref}/receipt${token ? `?token=${token}` : ''}`, {
      headers: cookie ? { cookie } : {},
    });
    const body = (await response.json()) as Receipt & { code?: string };
    return { status: response.status, code: body.code, receipt: body };
  };
  const linkOf = async (ref: string, cookie: string): Promise<string> => {
    const response = await fetch(`${at.app.url}/api/events/${ref}`, { headers: { cookie } });
    return ((await response.json()) as { receipt_link: string }).receipt_link;
  };
  const tokenOf = (event: { id: string; code: string }) => at.app.receipts.linkTo(event).then((link) => link.split('#')[1] as string);
  const publicKeys = async () => {
    const { keys } = (await (await fetch(`${at.app.url}/api/receipt-keys`)).json()) as { keys: { key_id: string; public_key: string }[] };
    return keys;
  };
  /** An event with two photos; what they weigh. */
  async function filled() {
    const made = await at.app.event({ ...PARTY, is_active: 1 });
    const files = [await drawPhoto(), await drawPhoto()];
    for (const file of files) expect((await at.app.upload(made.code, file)).status).toBe(201);
    return { ...made, bytes: files.reduce((sum, { length }) => sum + length, 0) };
  }

  it('says what was deleted, when the keys were destroyed and when backups hold nothing more, to whoever has the link, for 12 months', async () => {
    const event = await filled();
    const other = await filled();
    const link = await linkOf(event.code, event.cookie);
    expect(link).toMatch(new RegExp(`^/loeschprotokoll/${event.code}#[\\w-]{22}$`));
    const token = link.split('#')[1] as string;
    // Before: the host and the link learn that there is none yet, others nothing.
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

    // Another run changes nothing of it; after the event's row it is there until its own time is over.
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

  it('is one, and right, wherever the purge is cut off', { timeout: 120_000 }, async () => {
    for (let steps = 1, ended = false; !ended; steps++) {
      const event = await filled();
      at.clock.time = DUE;
      let left = steps;
      // Nothing is done once the step before it was the last.
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

  it.skipIf(python === null)(`is verified by the shipped script alone${python ? '' : ' (skipped: no python3)'}`, async () => {
    const event = await filled();
    at.clock.time = DUE;
    await at.node().retention.run();
    const { receipt } = await ask(event.code, { token: await tokenOf(event) });
    const [key] = await publicKeys();
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-receipt-'));
    const check = (changed: unknown, by = key?.public_key ?? ''): number | null => {
      writeFileSync(join(folder, 'receipt.json'), JSON.stringify(changed));
      // -I and an empty folder: nothing of ours is near.
      return spawnSync(python ?? '', ['-I', SCRIPT, 'receipt.json', by], { cwd: folder }).status;
    };
    expect(check(receipt)).toBe(0);
    const signature = Buffer.from(receipt.signature, 'base64');
    for (const bit of [0, 255, 300, 511]) {
      const flipped = Buffer.from(signature);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(check({ ...receipt, signature: flipped.toString('base64') })).toBe(1);
    }
    expect(check({ ...receipt, deleted: { ...receipt.deleted, photos: 3 } })).toBe(1);
    expect(check({ ...receipt, event: 'AAAAAAAA' })).toBe(1);
    expect(check(receipt, generateKeyPairSync('ed25519').publicKey.export({ format: 'raw-public' }).toString('base64'))).toBe(1);
    expect(check({}, 'AA==')).toBe(1);
    await rm(folder, { recursive: true });
  });
});

it('has the form that docs/receipt-format.md gives, with its example', () => {
  const blocks = [...readFileSync(FORMAT, 'utf8').matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind, text = '']) => [kind, text] as const);
  const find = (kind: string): string => blocks.find(([one]) => one === kind)?.[1] ?? '';
  const receipt = JSON.parse(find('json')) as Receipt;
  expect(receiptText(receipt)).toBe(find('text'));
  const seed = Buffer.from(Array.from({ length: 32 }, (_, n) => n));
  const key = signingPublicKey(seed);
  expect(readFileSync(FORMAT, 'utf8')).toContain(Buffer.from(key).toString('base64'));
  expect([signingKeyId(key), Buffer.from(signText(seed, receiptText(receipt))).toString('base64')]).toEqual([
    receipt.key_id,
    receipt.signature,
  ]);
  expect(isReceiptSigned(receipt, key)).toBe(true);
});
