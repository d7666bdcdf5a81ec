import { describe, expect, it } from 'vitest';
import { addressIn, dayIn, limitIn } from './table-cells.ts';

it('costs as little as it is long, whatever a cell has', () => {
  const began = performance.now();
  expect(dayIn('T'.repeat(30_000))).toEqual({ value: 'T'.repeat(30_000) });
  expect(limitIn(`1${' '.repeat(30_000)}x`)).toEqual({ value: Number.NaN });
  expect(addressIn(`${'@'.repeat(30_000)} (`).name).toBe('');
  expect(addressIn(`${'a@'.repeat(30_000)}(`).name).toBe('');
  expect(performance.now() - began).toBeLessThan(500);
});

describe('a day in a table', () => {
  it.each([
    '1.5.2027',
    '01.05.2027',
    '1.5.27',
    '1. 5. 2027',
    '1. 5.27',
    '01.05.2027 00:00',
    '01.05.2027 00:00:00',
    '01.05.2027, 18:00 Uhr',
    '2027-05-01',
    '2027-5-1',
    '2027/05/01',
    '20270501',
    '2027-05-01T00:00:00',
    '2027-05-01 00:00:00',
    '2027-05-01T00:00:00Z',
    // Midnight in Germany as a program writes it in UTC.
    '2027-04-30T22:00:00.000Z',
    '2027-05-01T00:00:00+02:00',
    'Sa, 01.05.2027',
    'Sa. 1.5.2027',
    'Samstag, 1. Mai 2027',
    'Samstag 1.5.2027',
    '1. Mai 2027',
    '1.\u00a0Mai\u00a02027',
    '1 may 2027',
    // Notations of databases and calendars, of Google and Outlook in English, and of dates copied in Windows.
    '2027-04-30 22:00:00+00',
    '2027-04-30 22:00:00 +0000',
    '2027-04-30 22:00:00 UTC',
    '20270430T220000Z',
    '20270501T180000',
    'May 1, 2027',
    'Saturday, May 1, 2027',
    'May 1, 2027 6:00 PM',
    '1st May 2027',
    '\u200e01.\u200e05.\u200e2027',
    '01.05.2027 (Sa)',
    '01.05.2027 18.00 Uhr',
    '01.05.2027, 18 Uhr',
    // Excel's mark of a text.
    "'01.05.2027",
    "'2027-05-01",
  ])('is the first of May: %s', (text) => {
    expect(dayIn(text)).toEqual({ value: '2027-05-01' });
  });

  it.each([
    ['31. Dez. 2027', '2027-12-31'],
    ['3. März 27', '2027-03-03'],
    ['3. Maerz 2027', '2027-03-03'],
    ['03. Mrz 2027', '2027-03-03'],
    ['3-Mrz-27', '2027-03-03'],
    ['12-Jun-2027', '2027-06-12'],
    ['9. Jänner 2027', '2027-01-09'],
    ['13/5/2027', '2027-05-13'],
    ['5/13/27', '2027-05-13'],
    ['5/5/27', '2027-05-05'],
    ['6/13/2027 4:00:00\u202fPM', '2027-06-13'],
    ['13/5/2027 6 p.m.', '2027-05-13'],
    ['31.2.2027', '31.2.2027'],
    ['irgendwann', 'irgendwann'],
    ['2.7', '2.7'],
    ['12345', '12345'],
    ['Mai 2027', 'Mai 2027'],
    ['3. Sept. 2027', '2027-09-03'],
    ['3. Jan 2027', '2027-01-03'],
    ['3 Feber 2027', '2027-02-03'],
    // A Finnish November, a place, an ambiguous month, and days that begin with the year in some countries.
    ['12. marraskuuta 2027', '12. marraskuuta 2027'],
    ['12. Marktplatz 2027', '12. Marktplatz 2027'],
    ['3. Ju 2027', '3. Ju 2027'],
    ['27-06-12', '27-06-12'],
    ['13-05-27', '13-05-27'],
    ['31-06-27', '31-06-27'],
    ['', ''],
  ])('is what it says, or stays as it is: %s', (text, value) => {
    expect(dayIn(text)).toEqual({ value });
  });

  it.each(['1/5/27', '1/5/2027', '01-05-2027', '1/5/2027 12:00:00 AM'])('is asked for where it can be two: %s', (text) => {
    expect(dayIn(text)).toEqual({ asks: 'dates', meanings: { day: '2027-05-01', month: '2027-01-05' } });
  });

  it.each(['46508', '46508,75'])('is asked for where Excel counts it: %s', (text) => {
    expect(dayIn(text)).toEqual({ asks: 'serials', meanings: { 1900: '2027-05-01', 1904: '2031-05-02' } });
  });
});

describe('an amount of storage in a table', () => {
  it.each([
    ['5', 5],
    ['5 GB', 5],
    ['2,5', 2.5],
    ['2.5gb', 2.5],
    ['0.500', 0.5],
    ['1000', 1000],
    ['1.000,5', 1000.5],
    ['1,000.5', 1000.5],
    ['1 000', 1000],
    ['1\u00a0000 GB', 1000],
    ['1.000.000', 1_000_000],
    ['1 TB', 1000],
    ["'5", 5],
    ['unbegrenzt', null],
    ['viel', Number.NaN],
    ['5 Euro', Number.NaN],
    ['1.00.0', Number.NaN],
  ])('%s is %s GB', (text, value) => {
    expect(limitIn(text)).toEqual({ value });
  });

  it('is asked for where it can be two', () => {
    expect(limitIn('1.000 GB')).toEqual({ asks: 'numbers', meanings: { thousands: 1000, decimals: 1 } });
    expect(limitIn('12,500')).toEqual({ asks: 'numbers', meanings: { thousands: 12_500, decimals: 12.5 } });
  });
});

it.each([
  ['a@b.de', { email: 'a@b.de', name: '' }],
  ['Anna <a@b.de>', { email: 'a@b.de', name: 'Anna' }],
  ['"Anna & Tom" <a@b.de>', { email: 'a@b.de', name: 'Anna & Tom' }],
  ['<a@b.de>', { email: 'a@b.de', name: '' }],
  ['mailto:a@b.de', { email: 'a@b.de', name: '' }],
  ['mailto:a@b.de?subject=x', { email: 'a@b.de', name: '' }],
  ['Anna <mailto:a@b.de?subject=Fest%20am%201.5.>', { email: 'a@b.de', name: 'Anna' }],
  ['a@b.de (Anna)', { email: 'a@b.de', name: 'Anna' }],
  ['Anna & Tom (a@b.de)', { email: 'a@b.de', name: 'Anna & Tom' }],
  ['a@b.de.', { email: 'a@b.de', name: '' }],
  ['Anna <a@b.de>.', { email: 'a@b.de', name: 'Anna' }],
  ['a@b.de (Anna), c@d.de (Tom)', { email: 'a@b.de (Anna), c@d.de (Tom)', name: '' }],
  ['anna@müller.de', { email: 'anna@xn--mller-kva.de', name: '' }],
  ['Anna <a@b.de>;', { email: 'a@b.de', name: 'Anna' }],
  ['a@b.de,', { email: 'a@b.de', name: '' }],
  ["'a@b.de", { email: 'a@b.de', name: '' }],
  ["'a@b.de'", { email: 'a@b.de', name: '' }],
  ["'Anna' <'a@b.de'>", { email: 'a@b.de', name: 'Anna' }],
  ['Anna [mailto:a@b.de]', { email: 'a@b.de', name: 'Anna' }],
  ['a@b.de; c@d.de', { email: 'a@b.de; c@d.de', name: '' }],
  ['Anna <a@b.de>, Tom <c@d.de>', { email: 'Anna <a@b.de>, Tom <c@d.de>', name: '' }],
  ['a@b.de <c@d.de>', { email: 'a@b.de <c@d.de>', name: '' }],
  ['Anna', { email: 'Anna', name: '' }],
  ['', { email: '', name: '' }],
])('an address in a table is read as people write it: %s', (text, read) => {
  expect(addressIn(text)).toEqual(read);
});
