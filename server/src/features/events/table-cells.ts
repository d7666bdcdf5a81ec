import { berlinDay, isDay } from '@feierbild/contract/berlin.ts';
import { DAY } from '@feierbild/contract/constants.ts';
import type { TableQuestion } from '@feierbild/contract/event-table.ts';
import { mailAddressIn } from '@feierbild/contract/mail-schemas.ts';

/** A cell's meaning, or the question that decides about it, with the meaning for each answer. */
export type CellMeaning<T> = { value: T } | { asks: TableQuestion; meanings: Record<string, T> };

const WEEKDAY = /^(?:mo|di|mi|do|fr|sa|so|tu|we|th|su)\p{L}*[.,\s]+(?=\d|\p{L}+\.? \d)/iu;
const WEEKDAY_BEHIND = / ?\(\p{L}{2,10}\.?\)$/u;
/** A time after a day; spreadsheets add midnight. */
const TIME = /[\sT,]+\d{1,2}(?::\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*(?:Uhr|[ap]\.?m\.?))?|(?:\.\d{2})?\s*(?:Uhr|[ap]\.?m\.?))$/i;
/** An instant as JSON, databases and calendars write it. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:(?:Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)$/i;
const BASIC_TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(Z?)$/i;
/**
 * Names of the months in German, Austrian German and English, in Excel and without umlauts; cells may cut them to three letters or more.
 * Other words with these first letters are months in other languages.
 */
const MONTHS = [
  ['januar', 'january', 'jänner', 'jaenner'],
  ['februar', 'february', 'feber'],
  ['märz', 'march', 'mrz', 'maerz'],
  ['april'],
  ['mai', 'may'],
  ['juni', 'june'],
  ['juli', 'july'],
  ['august'],
  ['september'],
  ['oktober', 'october'],
  ['november'],
  ['dezember', 'december'],
];
const MONTH_LETTERS = 3;
const MOST_MONTHS = 12;
const MONTH_FIRST = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u;
/** Excel's mark of a text; a title may begin with it. */
const TEXT_MARK = /^'/;
/** Longest cell that is searched for a day or a number; the search in a longer one would take long. */
const LONGEST = 100;
/** Day 0 of Excel's serial numbers, the days by which old Macs begin later, and the serial numbers of this century. */
const SERIAL_START = Date.UTC(1899, 11, 30);
const SERIAL_MAC_DAYS = 1462;
const SERIAL = /^(?:3[6-9]|[4-6]\d|7[0-2])\d{3}(?:[.,]\d+)?$/;

/** Returns a day in any notation as `2027-06-12`. Other texts stay as they are; the form refuses them. */
export function dayIn(text: string): CellMeaning<string> {
  const written = text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(TEXT_MARK, '')
    .replace(BASIC_TIME, '$1-$2-$3T$4:$5:$6$7');
  if (written.length > LONGEST) return { value: text };
  const [, date, time, hours = '+00', minutes = '00'] = INSTANT.exec(written) ?? [];
  const instant = Date.parse(`${date}T${time}${hours}:${minutes}`);
  if (!Number.isNaN(instant)) return { value: berlinDay(instant) };
  const day = written
    .replace(WEEKDAY, '')
    .replace(WEEKDAY_BEHIND, '')
    .replace(TIME, '')
    .replace(/\s*Uhr$/i, '')
    .trim();
  const value = plainDay(day);
  if (value !== null) return { value };
  const [, one = '', other = '', year = ''] = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/.exec(day) ?? [];
  // In some countries `27-06-12` begins with the year, shortened to two digits.
  if (/^\d{2}-\d+-\d{2}$/.test(day) && Number(one) > MOST_MONTHS && dateOf(one, other, year)) return { value: text };
  const [dayFirst, monthFirst] = [dateOf(year, other, one), dateOf(year, one, other)];
  if (dayFirst && monthFirst && dayFirst !== monthFirst) return { asks: 'dates', meanings: { day: dayFirst, month: monthFirst } };
  const only = dayFirst ?? monthFirst;
  if (only) return { value: only };
  if (!SERIAL.test(day)) return { value: text };
  const counted = (days: number): string => new Date(SERIAL_START + days * DAY).toISOString().slice(0, 10);
  const days = Number.parseInt(day, 10);
  return { asks: 'serials', meanings: { 1900: counted(days), 1904: counted(days + SERIAL_MAC_DAYS) } };
}

/** Returns the day of an unambiguous text; else null. */
function plainDay(text: string): string | null {
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text) ?? /^(20\d{2})()(\d{2})(\d{2})$/.exec(text);
  if (iso) return dateOf(iso[1], iso[3], iso[4]);
  const german = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4}|\d{2})$/.exec(text);
  if (german) return dateOf(german[3], german[2], german[1]);
  const named = /^(\d{1,2})(?:\.|st|nd|rd|th)?[ -]?(\p{L}+)\.?,?[ -](\d{4}|\d{2})$/u.exec(text.replace(MONTH_FIRST, '$2 $1 $3'));
  const month = named?.[2]?.toLowerCase() ?? '';
  const at = month.length < MONTH_LETTERS ? -1 : MONTHS.findIndex((names) => names.some((name) => name.startsWith(month)));
  return named && at >= 0 ? dateOf(named[3], String(at + 1), named[1]) : null;
}

function dateOf(year = '', month = '', day = ''): string | null {
  const date = `${year.length === 2 ? '20' : ''}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(date) ? date : null;
}

/**
 * Returns whether a cell contains an error of its program: of Excel in German or English, of LibreOffice or Numbers, or of a column that
 * was too narrow.
 */
export function isFailedCell(text: string): boolean {
  return /^(?:#{2,}|#(?:NV|N\/A|WERT!|VALUE!|BEZUG!|REF!|NAME\?|DIV\/0!|ZAHL!|NUM!|NULL!|ÜBERLAUF!|SPILL!|CALC!|FELD!|FIELD!)|(?:Err|Fehler):\d{3})$/i.test(
    text,
  );
}

/** Returns whether a number was cut to its first digits, as Excel writes one of more than eleven digits: `2,02711E+11`. */
export function isCutNumber(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+(?:1[1-9]|[2-9]\d)$/i.test(text);
}

/** Returns a storage limit in GB; null for unlimited, NaN for a text that is no number. */
export function limitIn(text: string): CellMeaning<number | null> {
  if (text.length > LONGEST) return { value: Number.NaN };
  const [, number = '', unit = 'GB'] = /^(.*?)\s*(GB|TB)?$/is.exec(text.trim().replace(TEXT_MARK, '')) ?? [];
  if (/^(?:un(?:be)?grenzt|unlimitiert|unlimited|ohne Grenze|∞)$/i.test(number)) return { value: null };
  const times = unit.toUpperCase() === 'TB' ? 1000 : 1;
  const value = (digits: string): number => Number(digits) * times;
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(number))
    return { asks: 'numbers', meanings: { thousands: value(number.replace(/[.,]/, '')), decimals: value(number.replace(',', '.')) } };
  if (/^\d+(?:[.,]\d+)?$/.test(number)) return { value: value(number.replace(',', '.')) };
  const [, thousands, decimals = '0'] =
    /^(\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/.exec(number) ??
    /^(\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/.exec(number) ??
    /^(\d{1,3}(?:[\s'’]\d{3})+)(?:[.,](\d+))?$/.exec(number) ??
    [];
  return { value: thousands === undefined ? Number.NaN : value(`${thousands.replaceAll(/\D/g, '')}.${decimals}`) };
}

/**
 * Returns the address in one of the usual notations, with the name beside it; either may be in brackets. Outlook adds quotes or
 * `[mailto:…]`, and a semicolon at the end; a link may have a subject.
 */
export function addressIn(text: string): { email: string; name: string } {
  const alone = text
    .trim()
    .replace(/[;,.]$/, '')
    .trimEnd();
  const bracketed = alone
    .replace(/\[mailto:([^[\]]*)\]$/i, '<$1>')
    .replace(/^([^\s()@]+@[^\s()@]+)\s*\(([^()]*)\)$/, '$2 <$1>')
    .replace(/^([^()@]*)\(([^\s()@]+@[^\s()@]+)\)$/, '$1<$2>');
  const [, name = '', inner = alone] = /^(.*?)<([^<>]*)>$/s.exec(bracketed) ?? [];
  // Two addresses would be one invitation, without a notice.
  if (name.includes('@')) return { email: alone, name: '' };
  return {
    email: mailAddressIn(
      inner
        .trim()
        .replace(/^'(.*?)'?$/s, '$1')
        .replace(/^mailto:([^?]*).*$/is, '$1'),
    ),
    name: name
      .trim()
      .replace(/^["']|["']$/g, '')
      .trim(),
  };
}
