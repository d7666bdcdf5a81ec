import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR } from '@feierbild/contract/constants.ts';
import { Receipt as ReceiptSchema, receiptText, type Receipt } from '@feierbild/contract/receipt.ts';
import { describe, expect, it } from 'vitest';
import { receiptCommands } from '../../cli/receipts.ts';
import type { Db } from '../../database/open.ts';
import { enginesForRules } from '../../database/testing.ts';
import type { AdminVisitor } from '../../http/visitor.ts';
import { signingKeyId, signingPublicKey, signText } from '../../vault/signing.ts';
import { DUE, PARTY, premisesOf } from '../retention/testing/premises.ts';
import { createLog } from '../../lib/log.ts';
import { wireFeatures } from '../../wiring.ts';
import { drawPhoto, openApp } from '../testing.ts';
import { isReceiptSigned } from './receipts.ts';

const SCRIPT = join(import.meta.dirname, '../../../../web/public/verify_receipt.py');
const FORMAT = join(import.meta.dirname, '../../../../docs/receipt-format.md');
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
const [command] = receiptCommands as [(typeof receiptCommands)[number]];
const MONTHS_12 = 365 * DAY;
const NOON = DUE - DAY + 12 * HOUR;

/** Returns base64 of the same bytes with an unused bit set. */
function unsaid(base64: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const last = base64.replace(/=+$/, '').length - 1;
  const changed = base64.slice(0, last) + digits[digits.indexOf(base64[last] ?? '') + 1] + base64.slice(last + 1);
  expect(Buffer.from(changed, 'base64')).toEqual(Buffer.from(base64, 'base64'));
  return changed;
}

/** Returns files that hold all of a receipt's signed fields, and what nobody signed beside them. */
function forgeries(receipt: Receipt): string[] {
  const text = JSON.stringify(receipt);
  return [
    text.replace('{"event"', '{"event":"AAAAAAAA","event"'),
    text.replace('{"event"', '{"ev\\u0065nt":"AAAAAAAA","event"'),
    text.replace('"photos"', '"photos":1,"photos"'),
    `${text}${' '.repeat(10_000)}"Alle Sicherungen sind vernichtet"`,
    JSON.stringify({ ...receipt, anmerkung: 'Alle Sicherungen sind vernichtet' }),
    JSON.stringify({ ...receipt, deleted: { ...receipt.deleted, kopien: 0 } }),
    JSON.stringify({ ...receipt, deleted: { ...receipt.deleted, photos: String(receipt.deleted.photos) } }),
  ];
}

describe.each(enginesForRules())('the receipt of a deletion on $name', (engine) => {
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
  /** Makes an event with two photos; returns their size, too. */
  async function filled() {
    const made = await at.app.event({ ...PARTY, is_active: 1 });
    const files = [await drawPhoto(), await drawPhoto()];
    for (const file of files) expect((await at.app.upload(made.code, file)).status).toBe(201);
    return { ...made, bytes: files.reduce((sum, { length }) => sum + length, 0) };
  }

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
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-receipt-'));
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

  it.skipIf(python === null)(`is verified by the shipped script alone${python ? '' : ' (skipped: no python3)'}`, async () => {
    const event = await filled();
    at.clock.time = DUE;
    await at.node().retention.run();
    const { receipt } = await ask(event.code, { token: await tokenOf(event) });
    const [key] = await publicKeys();
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-receipt-'));
    const check = (changed: unknown, by = key?.public_key ?? ''): number | null => {
      writeFileSync(join(folder, 'receipt.json'), JSON.stringify(changed));
      // -I and an empty folder keep this repository's code away.
      return spawnSync(python ?? '', ['-I', SCRIPT, 'receipt.json', by], { cwd: folder }).status;
    };
    expect(check(receipt)).toBe(0);
    const said = (...args: string[]): string[] => {
      const { status, stdout, stderr } = spawnSync(python ?? '', ['-I', SCRIPT, ...args], {
        cwd: folder,
        encoding: 'utf8',
        env: { LC_ALL: 'C' },
      });
      expect(status).toBe(stdout.startsWith('ECHT') ? 0 : 1);
      expect(stdout + stderr).not.toMatch(/Traceback|Error/);
      return [stdout.split('\n')[0] ?? '', stderr.trim()];
    };
    const by = key?.public_key ?? '';
    expect(said('receipt.json', by)).toEqual(['ECHT: Dieses Löschprotokoll ist so unterschrieben worden, wie es hier steht.', '']);
    expect(said('fehlt.json', by)).toEqual(['', 'NICHT GEPRÜFT: Die Datei ist nicht da oder nicht lesbar.']);
    for (const wrong of ['', 'x', 'AAAA', by.slice(0, -4)])
      expect(said('receipt.json', wrong)).toEqual([
        '',
        'NICHT GEPRÜFT: Der angegebene Schlüssel ist kein öffentlicher Schlüssel in Base64.',
      ]);
    for (const text of ['', '[]', 'null', '{}', '"a"', '['.repeat(200_000), JSON.stringify({ ...receipt, deleted: 3 }), '\uFEFF{}']) {
      writeFileSync(join(folder, 'anderes.json'), text);
      expect(said('anderes.json', by)).toEqual(['', 'NICHT GEPRÜFT: Die Datei ist kein Löschprotokoll.']);
    }
    for (const text of forgeries(receipt)) {
      writeFileSync(join(folder, 'anderes.json'), text);
      expect([text, ...said('anderes.json', by)]).toEqual([text, '', 'NICHT GEPRÜFT: Die Datei ist kein Löschprotokoll.']);
    }
    writeFileSync(join(folder, 'anderes.json'), JSON.stringify({ ...receipt, event: 'AAAAAAAA' }));
    expect(said('anderes.json', by)).toEqual(['FALSCH: Die Unterschrift passt nicht zu diesem Löschprotokoll.', '']);
    expect(said()[1]).toMatch(/^Prüft ein Löschprotokoll: python3 verify_receipt\.py DATEI SCHLÜSSEL/);
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
    // A set unused bit of base64, and a field that occurs twice with one unsigned value.
    expect(check({ ...receipt, signature: unsaid(receipt.signature) })).toBe(1);
    const { event: code, keys_destroyed_at } = receipt;
    expect(check({ ...receipt, event: 'AAAAAAAA', deleted: { ...receipt.deleted, event: code } })).toBe(1);
    expect(check({ ...receipt, keys_destroyed_at: '2020-01-01T00:00:00.000Z', deleted: { ...receipt.deleted, keys_destroyed_at } })).toBe(
      1,
    );
    await rm(folder, { recursive: true });
  });
});

it('has the form that docs/receipt-format.md gives, with its example', async () => {
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

  // Each bit of the file is flipped, as the command reads it.
  const file = Buffer.from(JSON.stringify(receipt));
  const accepted = Array.from({ length: file.length * 8 }, (_, bit) => bit).filter((bit) => {
    const flipped = Buffer.from(file);
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    try {
      return isReceiptSigned(ReceiptSchema.parse(JSON.parse(flipped.toString())), key);
    } catch {
      return false;
    }
  });
  expect(accepted).toEqual([]);
  expect(isReceiptSigned({ ...receipt, signature: unsaid(receipt.signature) }, key)).toBe(false);

  const folder = await mkdtemp(join(tmpdir(), 'feierbild-receipt-'));
  const verify = async (text: string) => {
    writeFileSync(join(folder, 'receipt.json'), text);
    const given = { args: [join(folder, 'receipt.json')], options: new Map([['key', Buffer.from(key).toString('base64')]]) };
    const operator = { terminal: { print: () => undefined } } as unknown as Parameters<typeof command.run>[1];
    return command.run(given, operator);
  };
  await verify(JSON.stringify(receipt, null, 2));
  for (const text of forgeries(receipt)) await expect(verify(text), text).rejects.toThrow('ist kein Löschprotokoll.');
  await rm(folder, { recursive: true });
});
