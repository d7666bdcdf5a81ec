import { readFile } from 'node:fs/promises';
import { text as allOf } from 'node:stream/consumers';
import { Receipt } from '@feierbild/contract/receipt.ts';
import { isReceiptSigned } from '../features/receipts/receipts.ts';
import { typedPath } from '../config/config.ts';
import { Failure, STDIN, type Command } from './command.ts';
import { count, size } from '../lib/german.ts';
import { berlinTime } from './german.ts';

/** Limit of a receipt's file, far above its size. */
const MAX_CHARACTERS = 10_000;

/** Commands for receipts of deletions. */
export const receiptCommands: Command[] = [
  {
    name: 'receipt verify',
    parameters: '<Datei> [--key <Schlüssel>]',
    summary: 'prüft ein Löschprotokoll (JSON): mit den Schlüsseln dieser Datenbank oder dem genannten von /datenschutz',
    async run({ args: [file = ''], options }, { features, terminal }) {
      const receipt = await readReceipt(file);
      const given = options.get('key');
      const keys = given === undefined ? (await (await features()).receipts.publicKeys()).map(({ public_key }) => public_key) : [given];
      if (!keys.some((key) => isReceiptSigned(receipt, Buffer.from(key, 'base64'))))
        throw new Failure(
          `FALSCH: ${file} wurde nicht so unterschrieben${given === undefined ? ', jedenfalls nicht von diesem Dienst' : ''}.`,
        );
      const { event, deleted, keys_destroyed_at, backups_gone_by, key_id } = receipt;
      const held = [count(deleted.photos, 'Foto', 'Fotos'), count(deleted.videos, 'Video', 'Videos'), size(deleted.bytes)].join(', ');
      terminal.print(`Echt: Event ${event}, gelöscht mit ${held}.`);
      terminal.print(
        `Schlüssel vernichtet am ${berlinTime(Date.parse(keys_destroyed_at))}, in keiner Sicherung mehr ab ${berlinTime(Date.parse(backups_gone_by))}.`,
      );
      terminal.print(`Unterschrieben mit dem Schlüssel ${key_id}.`);
    },
  },
];

/** A name in JSON, with its colon. */
const NAME = /"(?:[^"\\]|\\.)*"\s*:/g;

/** Reads a receipt from a file, or („-“) from the input. Throws Failure. */
async function readReceipt(file: string): Promise<Receipt> {
  const read = file === STDIN ? allOf(process.stdin) : readFile(typedPath(file), 'utf8');
  const text = await read.catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${file} ist nicht lesbar (${error.code}).`);
  });
  try {
    if (text.length > MAX_CHARACTERS) throw new Error('too long');
    const receipt = Receipt.parse(JSON.parse(text));
    // JSON.parse keeps the last of equal names, and a reader of the file may take the first.
    if (text.match(NAME)?.length !== Object.keys({ ...receipt, ...receipt.deleted }).length) throw new Error('a field stands twice');
    return receipt;
  } catch {
    throw new Failure(`${file} ist kein Löschprotokoll.`);
  }
}
