import type { Bytes } from './bytes.ts';

/** What spreadsheets take for the beginning of a formula (OWASP, „CSV Injection“), the full-width forms among them. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;
const MARKED = new RegExp(`^'${FORMULA.source.slice(1)}`);

/** A row of a table with the line of the file on which it begins, from 1. */
export interface CsvRow {
  line: number;
  cells: string[];
}

/** A table for spreadsheets in Germany: UTF-8 with its mark, semicolons, every cell quoted; what would be a formula begins with an apostrophe. */
export function writeCsv(rows: string[][]): Bytes {
  const cellOf = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  return Buffer.from(`\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(';')}\r\n`).join('')}`, 'utf8');
}

/**
 * Reads a table (RFC 4180) as programs write it: in UTF-8, UTF-16 or Windows-1252, with semicolons, commas or tabs, whichever its first line
 * has most. Rows without any text are left out; the cells are without the spaces around them. Ends once it has `most` rows.
 */
export function readCsv(bytes: Bytes, most = Infinity): CsvRow[] {
  const text = textOf(bytes);
  const separator = separatorOf(text);
  const plain = new RegExp(`[^${separator}\\r\\n]*`, 'y');
  const rows: CsvRow[] = [];
  let line = 1;
  let row: CsvRow = { line, cells: [] };
  for (let at = 0; at <= text.length && rows.length < most; at++) {
    let cell = '';
    // Two quotes in a quoted text are one of the text.
    while (text[at] === '"') {
      const closing = text.indexOf('"', at + 1);
      const end = closing < 0 ? text.length : closing;
      const quoted = text.slice(at + 1, end);
      line += quoted.split('\n').length - 1;
      cell += quoted;
      at = end + 1;
      if (text[at] === '"') cell += '"';
    }
    plain.lastIndex = at;
    const [rest = ''] = plain.exec(text) ?? [];
    at += rest.length;
    cell = (cell + rest).trim();
    row.cells.push(MARKED.test(cell) ? cell.slice(1) : cell);
    if (text[at] === separator) continue;
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    line++;
    if (row.cells.some(Boolean)) rows.push(row);
    row = { line, cells: [] };
  }
  return rows;
}

function textOf(bytes: Bytes): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function separatorOf(text: string): string {
  const [head = ''] = text.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1);
  const times = (separator: string): number => head.split(separator).length;
  return [';', '\t', ','].reduce((most, one) => (times(one) > times(most) ? one : most));
}
