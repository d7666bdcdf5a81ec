import { berlinDay, isDay } from '@feierbild/contract/berlin.ts';
import { DAY } from '@feierbild/contract/constants.ts';
import type { TableQuestion } from '@feierbild/contract/event-table.ts';
import { mailAddressIn } from '@feierbild/contract/mail-schemas.ts';

/** A cell's meaning, or the question that decides about it, with the meaning for each answer. */
export type CellMeaning<T> = { value: T } | { asks: TableQuestion; meanings: Record<string, T> };

const WEEKDAY = /^(?:mo|di|mi|do|fr|sa|so|tu|we|th|su)\p{L}*[.,\s]+(?=\d|\p{L}+\.? \d)/iu;
const WEEKDAY_BEHIND = / ?\(\p{L}{2,10}\.?\)$/u;
/** Spreadsheets add midnight to a day. */
const TIME = /[\sT,]+\d{1,2}(?::\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*(?:Uhr|[ap]\.?m\.?))?|(?:\.\d{2})?\s*(?:Uhr|[ap]\.?m\.?))$/i;
/** Of JSON, databases and calendars. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(?:(?:Z|UTC|GMT)|([+-]\d{2})(?::?(\d{2}))?)$/i;
const BASIC_TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(Z?)$/i;
/** As Germans, Englishmen, Austrians, Excel and those without umlauts call them; cut to three letters or more. A word that only begins so is another month elsewhere. */
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
/** Of Excel: what follows is a text. A title may begin so. */
const TEXT_MARK = /^'/;
/** What is longer is no day and no number, and would be searched for long. */
const LONGEST = 100;
/** Excel's days before the one that it counts as the first, and how much later Macs once began; those of this century. */
const SERIAL_START = Date.UTC(1899, 11, 30);
const SERIAL_MAC_DAYS = 1462;
const SERIAL = /^(?:3[6-9]|[4-6]\d|7[0-2])\d{3}(?:[.,]\d+)?$/;

/** A day as `2027-06-12`, however it is written; what is none stays as it is, for the form to judge. */
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
  // `27-06-12`: some countries begin with the year, and cut it, too.
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

/** One that can be read in one way only; else null. */
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
 * Whether a cell says that its program could not fill it: an error of Excel in German or English, of LibreOffice or Numbers, or a column that was
 * too narrow for what is in it.
 */
export function isFailedCell(text: string): boolean {
  return /^(?:#{2,}|#(?:NV|N\/A|WERT!|VALUE!|BEZUG!|REF!|NAME\?|DIV\/0!|ZAHL!|NUM!|NULL!|ÜBERLAUF!|SPILL!|CALC!|FELD!|FIELD!)|(?:Err|Fehler):\d{3})$/i.test(
    text,
  );
}

/** Whether a number was cut to its first digits, as Excel writes one of more than eleven: `2,02711E+11`. */
export function isCutNumber(text: string): boolean {
  return /^\d(?:[.,]\d+)?E\+(?:1[1-9]|[2-9]\d)$/i.test(text);
}

/** GB; null: unlimited; NaN for no number. */
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
 * An address as mail programs and people write it, with the name beside it, either of them in brackets; Outlook puts quotes or `[mailto:…]` around
 * it, and a semicolon behind; a link has a subject.
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
  // Of two addresses one would be invited without a word.
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
