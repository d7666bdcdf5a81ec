import { expect, it } from 'vitest';
import { lettersIn, readCsv, writeCsv } from './csv.ts';

const cells = (text: string | Buffer): string[][] => readCsv(Buffer.from(text)).map((row) => row.cells);

it.each([
  ['semicolons', 'a;b\r\n1;2\r\n'],
  ['commas', 'a,b\n1,2'],
  ['tabs', 'a\tb\r1\t2\r'],
  ['strokes', 'a|b\n1|2\n'],
  ['UTF-8 with its mark', '\uFEFFa;b\n1;2\n'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFa\tb\n1\t2\n', 'utf16le')],
  ['UTF-16 the other way round', Buffer.from('\uFEFFa;b\n1;2\n', 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from('a;b\n1;2\n', 'utf16le')],
  ['the separator that it names', 'sep=|\r\na|b\r\n1|2\r\n'],
  ['the separator that it names, quoted', '"sep=;"\na;b\n1;2\n'],
  ['another sign in its cells than between them', '"a";"b"\n"1";"2"\n'],
  ['what keeps a text a text', 'a;b\n="1";"=""2"""\n'],
  ['spaces before its quotes', '"a", "b"\n"1",  "2"\n'],
  ['an empty row first', '\r\n,\na,b\n1,2\n'],
  ['two marks', '\uFEFF\uFEFF"a";"b"\n1;2\n'],
  ['the separator that it names, padded with empty columns', 'sep=;;;\na;b\n1;2\n'],
  ['the separator that it names, in lines of old Macs', 'sep=,\ra,b\r1,2\r'],
  ['spaces that do not break', 'a\u00a0;\u00a0b\n1;\u00a02\u00a0\n'],
])('tables are read with %s', (_, text) => {
  expect(cells(text)).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

it('Windows-1252 is read as Excel writes it', () => {
  expect(cells(Buffer.from('Größe;\x80\n', 'latin1'))).toEqual([['Größe', '€']]);
});

it('the mark of UTF-8 before what is none belongs to no cell', () => {
  expect(cells(Buffer.from('\xef\xbb\xbfTitel;Gr\xf6\xdfe\n', 'latin1'))).toEqual([['Titel', 'Größe']]);
});

it('a comma in quotes behind a space separates nothing', () => {
  expect(cells('"a", "b, c"\n')).toEqual([['a', 'b, c']]);
});

it('quotes keep separators, lines and quotes, and rows are counted as spreadsheets count', () => {
  expect(readCsv(Buffer.from('a;"x;""y""\r\nz"\r\n\r\n ; \r\n"b";c"d\n'))).toEqual([
    { line: 1, cells: ['a', 'x;"y"\r\nz'] },
    { line: 4, cells: ['b', 'c"d'] },
  ]);
});

it('a quote that is never closed ends with the file', () => {
  expect(cells('a;"b\nc;d')).toEqual([['a', 'b\nc;d']]);
  expect(cells(`"${'"'.repeat(500_001)}`)).toHaveLength(1);
});

it.each(['=1+1', '+49 30 1', '-5', '@SUM(A1)', '\t=1', '  =cmd', '＝1', "'=1", "'' -5"])(
  'what would be a formula is none, and comes back: %j',
  (text) => {
    const written = writeCsv([[text, `a"b;c\nd`, "'s"]]);
    expect(Buffer.from(written).toString()).toBe(`\uFEFF"'${text}";"a""b;c\nd";"'s"\r\n`);
    expect(cells(Buffer.from(written))).toEqual([[text.trimEnd(), 'a"b;c\nd', "'s"]]);
  },
);

it('a Mac’s letters are no secret: what is another word in them is told in both', () => {
  const mac = Buffer.from('Titel;Beginn\nGr\x9a\xa7te Feier;1.5.2027\n', 'latin1');
  expect(lettersIn(mac)).toEqual({ windows: 'Grš§te', mac: 'Größte', dos: 'GrÜºte' });
  expect(readCsv(mac, Infinity, 'mac')[1]?.cells).toEqual(['Größte Feier', '1.5.2027']);
  expect(lettersIn(Buffer.from('Titel;Beginn\nM\xfcllers Gr\xf6\xdfe, 5 \x80;\x841\x93\n', 'latin1'))).toBeNull();
  expect(lettersIn(Buffer.from('Größe'))).toBeNull();
});

it.each([
  ['M\x81ller', { windows: 'M\x81ller', mac: 'MÅller', dos: 'Müller' }],
  ['J\x84ger', { windows: 'J„ger', mac: 'JÑger', dos: 'Jäger' }],
  ['Kr\x94ger', { windows: 'Kr”ger', mac: 'Krîger', dos: 'Kröger' }],
  ['\x99zlem', { windows: '™zlem', mac: 'ôzlem', dos: 'Özlem' }],
  ['Wei\xe1', { windows: 'Weiá', mac: 'Wei·', dos: 'Weiß' }],
])('neither are those of DOS: %j', (name, read) => {
  const dos = Buffer.from(`Titel;Beginn\n${name};1.5.2027\n`, 'latin1');
  expect(lettersIn(dos)).toEqual(read);
  expect(readCsv(dos, Infinity, 'dos')[1]?.cells).toEqual([read.dos, '1.5.2027']);
});

it('quotes of Windows stand at other places than umlauts', () => {
  for (const text of [
    '\x84Fest\x93',
    '\x93Fest\x94',
    'Fest\x94; \x84a',
    '2 \x80',
    'Brand\x99',
    '\x8eana',
    'G\xfcl\xe7in \xc1rpa',
    'caf\xe9',
    'Kov\xe1cs;M\xfcller',
    '\xd6zlem;Nov\xe1k',
  ])
    expect(lettersIn(Buffer.from(text, 'latin1')), text).toBeNull();
});

it('DOS has a sign for each byte', () => {
  const [row] = readCsv(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), 1, 'dos');
  expect(row?.cells.join('')).not.toContain('undefined');
  const signs = Buffer.from(Array.from({ length: 128 }, (_, n) => 128 + n));
  expect(readCsv(Buffer.concat([Buffer.from('x'), signs, Buffer.from('x')]), 1, 'dos')[0]?.cells[0]).toHaveLength(130);
});

it.each([
  [
    'empty columns at its end',
    'a;b;;;\n1;2;;;\n',
    [
      ['a', 'b', '', '', ''],
      ['1', '2', '', '', ''],
    ],
  ],
  [
    'quotes inside of a text',
    'a;b\nLena "Leni" M.;2\n',
    [
      ['a', 'b'],
      ['Lena "Leni" M.', '2'],
    ],
  ],
  [
    'lines in a cell',
    'a;b\r\n"1\r\n1";2\r\n',
    [
      ['a', 'b'],
      ['1\r\n1', '2'],
    ],
  ],
  [
    'commas in a table of semicolons',
    'a, c;b\n1,5;2\n',
    [
      ['a, c', 'b'],
      ['1,5', '2'],
    ],
  ],
  [
    'formulas',
    'a;b\n=A1+1;=SUMME(A1;A2)\n',
    [
      ['a', 'b'],
      ['=A1+1', '=SUMME(A1', 'A2)'],
    ],
  ],
  [
    'a stroke in a head of semicolons',
    'a|c;b\n1;2\n',
    [
      ['a|c', 'b'],
      ['1', '2'],
    ],
  ],
  ['a title above their head', 'Feste\n\na,b\n1,2\n', [['Feste'], ['a', 'b'], ['1', '2']]],
  ['nothing but its head', 'a;b', [['a', 'b']]],
])('tables are read with %s', (_, text, rows) => {
  expect(cells(text)).toEqual(rows);
});

it('costs as little as it is long to find an old umlaut behind a long cell', () => {
  const began = performance.now();
  expect(lettersIn(Buffer.from(`${'A'.repeat(30_000)};M\x9fller;x`, 'latin1'))).toMatchObject({ mac: 'Müller' });
  expect(performance.now() - began).toBeLessThan(500);
});
