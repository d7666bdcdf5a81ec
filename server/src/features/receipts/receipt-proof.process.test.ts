import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Receipt as ReceiptSchema, receiptText, type Receipt } from '@feierbild/contract/receipt.ts';
import { describe, expect, it } from 'vitest';
import { receiptCommands } from '../../cli/receipts.ts';
import { enginesForRules } from '../../database/testing.ts';
import { signingKeyId, signingPublicKey, signText } from '../../vault/signing.ts';
import { isReceiptSigned } from './receipts.ts';
import { DUE } from '../retention/testing/premises.ts';
import { receiptsOf } from './testing.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

const SCRIPT = join(import.meta.dirname, '../../../../web/public/verify_receipt.py');
const FORMAT = join(import.meta.dirname, '../../../../docs/receipt-format.md');
const python = ['/usr/bin/python3', 'python3'].find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
const [command] = receiptCommands as [(typeof receiptCommands)[number]];

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
  const { at, ask, tokenOf, publicKeys, filled } = receiptsOf(engine);

  it.skipIf(python === null)(`is verified by the shipped script alone${python ? '' : ' (skipped: no python3)'}`, async () => {
    const event = await filled();
    at.clock.time = DUE;
    await at.node().retention.run();
    const { receipt } = await ask(event.code, { token: await tokenOf(event) });
    const [key] = await publicKeys();
    const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-receipt-'));
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

  const folder = await mkdtemp(join(RUN_FOLDER, 'feierbild-receipt-'));
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
