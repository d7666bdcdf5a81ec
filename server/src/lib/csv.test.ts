import { expect, it } from 'vitest';
import { readCsv, writeCsv } from './csv.ts';

const cells = (text: string | Buffer): string[][] => readCsv(Buffer.from(text)).map((row) => row.cells);

it.each([
  ['semicolons', 'a;b\r\n1;2\r\n'],
  ['commas', 'a,b\n1,2'],
  ['tabs', 'a\tb\r1\t2\r'],
  ['UTF-8 with its mark', '\uFEFFa;b\n1;2\n'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFa\tb\n1\t2\n', 'utf16le')],
])('tables are read with %s', (_, text) => {
  expect(cells(text)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

it('Windows-1252 is read as Excel writes it', () => {
  expect(cells(Buffer.from('Größe;\x80\n', 'latin1'))).toEqual([['Größe', '€']]);
});

it('quotes keep separators, lines and quotes, and rows know their line', () => {
  expect(readCsv(Buffer.from('a;"x;""y""\r\nz"\r\n\r\n ; \r\n"b";c"d\n'))).toEqual([
    { line: 1, cells: ['a', 'x;"y"\r\nz'] },
    { line: 5, cells: ['b', 'c"d'] },
  ]);
});

it('a quote that is never closed ends with the file', () => {
  expect(cells('a;"b\nc;d')).toEqual([['a', 'b\nc;d']]);
  expect(cells(`"${'"'.repeat(500_001)}`)).toHaveLength(1);
});

it.each(['=1+1', '+49 30 1', '-5', '@SUM(A1)', '\t=1', '  =cmd', '＝1'])('what would be a formula is none, and comes back: %j', (text) => {
  const written = writeCsv([[text, `a"b;c\nd`, "'s"]]);
  expect(Buffer.from(written).toString()).toBe(`\uFEFF"'${text}";"a""b;c\nd";"'s"\r\n`);
  expect(cells(Buffer.from(written))).toEqual([[text.trimEnd(), 'a"b;c\nd', "'s"]]);
});
