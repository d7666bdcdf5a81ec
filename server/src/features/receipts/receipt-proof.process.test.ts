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

/** Python that runs the script for each pair of a file and a key in one process, and ends it as Python does: starts take most of the time. */
const MANY = `
import io, json, runpy, sys
_, script = sys.argv
streams, answers = (sys.stdout, sys.stderr), []
for arguments in json.load(sys.stdin):
    sys.argv = [script, *arguments]
    said = sys.stdout, sys.stderr = [io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in streams]
    status = 0
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as end:
        status = 1 if isinstance(end.code, str) else end.code
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    for stream in said:
        stream.flush()
    answers.append(dict(zip(("status", "stdout", "stderr"), [status, *(stream.buffer.getvalue().decode() for stream in said)])))
sys.stdout, sys.stderr = streams
print(json.dumps(answers))
`;
const GENUINE = ['ECHT: Dieses Löschprotokoll ist so unterschrieben worden, wie es hier steht.', ''];
const FALSE = ['FALSCH: Die Unterschrift passt nicht zu diesem Löschprotokoll.', ''];
const NO_RECEIPT = ['', 'NICHT GEPRÜFT: Die Datei ist kein Löschprotokoll.'];
const NO_KEY = ['', 'NICHT GEPRÜFT: Der angegebene Schlüssel ist kein öffentlicher Schlüssel in Base64.'];

interface Answer {
  status: number | null;
  stdout: string;
  stderr: string;
}
/** Returns the first line of a script's output, and its errors. */
function answerOf({ status, stdout, stderr }: Answer): string[] {
  expect(status).toBe(stdout.startsWith('ECHT') ? 0 : 1);
  expect(stdout + stderr).not.toMatch(/Traceback|Error/);
  return [stdout.split('\n')[0] ?? '', stderr.trim()];
}

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
    const by = key?.public_key ?? '';
    const file = (name: string, content: unknown): string => {
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
      return name;
    };
    // -I and an empty folder keep this repository's code away.
    const python3 = (args: string[], input = '') =>
      spawnSync(python ?? '', ['-I', ...args], { cwd: folder, encoding: 'utf8', env: { LC_ALL: 'C' }, input });
    const said = (...args: string[]): string[] => answerOf(python3([SCRIPT, ...args]));

    expect(said(file('receipt.json', receipt), by)).toEqual(GENUINE);
    expect(said(file('anderes.json', { ...receipt, event: 'AAAAAAAA' }), by)).toEqual(FALSE);
    expect(said(file('anderes.json', { ...receipt, deleted: { ...receipt.deleted, photos: 3 } }), by)).toEqual(FALSE);
    expect(said(file('anderes.json', '[]'), by)).toEqual(NO_RECEIPT);
    expect(said('fehlt.json', by)).toEqual(['', 'NICHT GEPRÜFT: Die Datei ist nicht da oder nicht lesbar.']);
    expect(said('receipt.json', 'x')).toEqual(NO_KEY);
    expect(said()[1]).toMatch(/^Prüft ein Löschprotokoll: python3 verify_receipt\.py DATEI SCHLÜSSEL/);

    const stranger = generateKeyPairSync('ed25519').publicKey.export({ format: 'raw-public' }).toString('base64');
    const { event: code, keys_destroyed_at } = receipt;
    const flips = [0, 255, 300, 511].map((bit) => {
      const flipped = Buffer.from(receipt.signature, 'base64');
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      return { ...receipt, signature: flipped.toString('base64') };
    });
    const texts = ['', 'null', '{}', '"a"', '['.repeat(200_000), JSON.stringify({ ...receipt, deleted: 3 }), '\uFEFF{}'];
    const cases: [content: unknown, key: string, expected: string[]][] = [
      [receipt, by, GENUINE],
      ...['', 'AAAA', by.slice(0, -4)].map((wrong): [unknown, string, string[]] => [receipt, wrong, NO_KEY]),
      [{}, 'AA==', NO_KEY],
      [receipt, stranger, ['', 'NICHT GEPRÜFT: Das Löschprotokoll ist mit einem anderen Schlüssel unterschrieben.']],
      ...[...texts, ...forgeries(receipt)].map((text): [unknown, string, string[]] => [text, by, NO_RECEIPT]),
      ...flips.map((flipped): [unknown, string, string[]] => [flipped, by, FALSE]),
      // A set unused bit of base64, and a field that occurs twice with one unsigned value.
      [{ ...receipt, signature: unsaid(receipt.signature) }, by, ['', 'NICHT GEPRÜFT: Die Unterschrift in der Datei ist beschädigt.']],
      [{ ...receipt, event: 'AAAAAAAA', deleted: { ...receipt.deleted, event: code } }, by, NO_RECEIPT],
      [{ ...receipt, keys_destroyed_at: '2020-01-01T00:00:00.000Z', deleted: { ...receipt.deleted, keys_destroyed_at } }, by, NO_RECEIPT],
    ];
    const asked = cases.map(([content, by], n) => [file(`${n}.json`, content), by]);
    const { status, stdout, stderr } = python3(['-c', MANY, SCRIPT], JSON.stringify(asked));
    expect([status, stderr]).toEqual([0, '']);
    const answers = (JSON.parse(stdout) as Answer[]).map(answerOf);
    expect(answers).toHaveLength(cases.length);
    for (const [n, [content, , expected]] of cases.entries()) expect([content, answers[n]]).toEqual([content, expected]);
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
