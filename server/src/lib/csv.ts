import { isUtf8 } from 'node:buffer';
import type { TABLE_QUESTIONS } from '@feierbild/contract/event-table.ts';
import type { Bytes } from './bytes.ts';
import { decodeText } from './decode-text.ts';

/**
 * Text that spreadsheets take for a formula (OWASP, „CSV Injection“), with the full-width forms; also behind apostrophes, one of which is
 * lost when the table is read.
 */
const FORMULA = /^'*\s*[=+\-@\t\r＝＋－＠]/;
const MARKED = new RegExp(`^'${FORMULA.source.slice(1)}`);

/** The form that keeps spreadsheets from converting a text. */
const KEPT = /^="([^"]*)"$/;
/** The line that tells Excel the separator; it is no row. */
const SEPARATOR = /^"?sep=(.)"?[;,\t]*(?:\r\n?|\n)/i;
/** Byte order marks of UTF-8. Programs that join files write two, others write one before text in Windows-1252. */
const MARKS = /^(?:\uFEFF|ï»¿)+/;
/** Umlauts and ß of old Macs and of DOS, beside letters; in Windows-1252 these bytes are other signs, or accents. */
const OLD_UMLAUT = /[A-Za-z][\x80\x81\x84-\x86\x8a\x9a\x9f\xa7]|[\x80\x81\x85\x86\x8a\x94\x99\x9a\x9f\xa7][A-Za-z]/;
/** DOS's ß is á in Windows-1252: „Straße“ in a table without umlauts of Windows, „Kovács“ in one with them. */
const DOS_SHARP_S = /[A-Za-z]\xe1/;
const WINDOWS_UMLAUT = /[A-Za-z][\xe4\xf6\xfc\xdf]|[\xc4\xd6\xdc][a-z]/;
/** Code page 850 (DOS, Western Europe) from 0x80 on, as Excel writes it for „CSV (MS-DOS)“. */
const DOS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Encoding of a file that does not declare one. */
export type Letters = (typeof TABLE_QUESTIONS.letters)[number];

/** A row of a table with its number in spreadsheets, which count a row once, however many lines it has. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/**
 * Writes a table for spreadsheets in Germany: UTF-8 with a byte order mark, semicolons, every cell quoted, an apostrophe before formulas.
 */
export function writeCsv(rows: string[][]): Bytes {
  const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return Buffer.from(`\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(';')}\r\n`).join('')}`, 'utf8');
}

/**
 * Reads a table (RFC 4180) as programs write it: in UTF-8, UTF-16 or an old encoding. The separator is the declared one, else the most
 * frequent of semicolon, comma, tab and vertical bar in the first line with any. Skips empty rows, trims cells, ends after `most` rows.
 */
export function readCsv(bytes: Bytes, most = Infinity, letters: Letters = 'windows'): CsvRow[] {
  const whole = textOf(bytes, letters).replace(MARKS, '');
  const [said = '', named] = SEPARATOR.exec(whole) ?? [];
  const text = whole.slice(said.length);
  const separator = named ?? separatorOf(text);
  const rows: CsvRow[] = [];
  let line = 1;
  let cells: string[] = [];
  for (let at = 0; at <= text.length && rows.length < most; at++) {
    let cell = '';
    // Some programs write a space behind the separator.
    const spaces = /[ \u00a0]*/y;
    spaces.lastIndex = at;
    spaces.test(text);
    if (text[spaces.lastIndex] === '"') at = spaces.lastIndex;
    // Two quotes in a quoted text stand for one.
    while (text[at] === '"') {
      const closing = text.indexOf('"', at + 1);
      const end = closing < 0 ? text.length : closing;
      cell += text.slice(at + 1, end);
      at = end + 1;
      if (text[at] === '"') cell += '"';
    }
    const from = at;
    while (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') at++;
    cell = (cell + text.slice(from, at)).trim();
    const kept = KEPT.exec(cell)?.[1] ?? cell;
    cells.push(MARKED.test(kept) ? kept.slice(1) : kept);
    if (at < text.length && text[at] === separator) continue;
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    if (cells.some(Boolean)) rows.push({ line, cells });
    line++;
    cells = [];
  }
  return rows;
}

/** Finds a word of a file that differs between these encodings; null: the file has one reading only. */
export function lettersIn(bytes: Bytes): Record<Letters, string> | null {
  const latin = Buffer.from(bytes).toString('latin1');
  const umlaut = OLD_UMLAUT.exec(latin) ?? (WINDOWS_UMLAUT.test(latin) ? null : DOS_SHARP_S.exec(latin));
  if (!umlaut || wideOf(bytes) !== null || isUtf8(bytes)) return null;
  // All these encodings have one character for each byte.
  let start = umlaut.index;
  while (start > 0 && !/[\s;,|"]/.test(latin.charAt(start - 1))) start--;
  const word = (letters: Letters): string => /^[^\s;,|"]*/.exec(textOf(bytes, letters).slice(start))?.[0] ?? '';
  return { windows: word('windows'), mac: word('mac'), dos: word('dos') };
}

function textOf(bytes: Bytes, letters: Letters): string {
  const wide = wideOf(bytes);
  if (wide !== null) return new TextDecoder(wide).decode(bytes);
  if (letters === 'windows' || isUtf8(bytes)) return decodeText(bytes);
  if (letters === 'mac') return new TextDecoder('macintosh').decode(bytes);
  return Array.from(bytes, (byte) => DOS[byte - 128] ?? String.fromCharCode(byte)).join('');
}

/** Recognizes UTF-16 by its mark, or by Latin letters whose second bytes are zero. */
function wideOf([first, second, third, fourth]: Bytes): string | null {
  if ((first === 0xff && second === 0xfe) || (first && second === 0 && third && fourth === 0)) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function separatorOf(text: string): string {
  const lines = text.replaceAll(/"[^"]*"/g, '""').split(/[\r\n]/);
  // Apple's Numbers also writes the rows above a table; a title there has no separator.
  const head = lines.find((line) => /[;\t,|]/.test(line) && /[^\s;,|]/.test(line)) ?? '';
  const times = (separator: string): number => head.split(separator).length;
  return [';', '\t', ',', '|'].reduce((most, one) => (times(one) > times(most) ? one : most));
}
