import { createHash } from 'node:crypto';
import { berlinDay, isDay } from '@feierbild/contract/berlin.ts';
import type { ImportedRow } from '@feierbild/contract/calls/events.ts';
import { CSV_ROWS_MAX } from '@feierbild/contract/constants.ts';
import { EventForm, type AdminEvent, type EventFormInput } from '@feierbild/contract/entities.ts';
import { eventStatus } from '@feierbild/contract/event-status.ts';
import { PLAIN_EVENT, type EventTemplate } from '@feierbild/contract/templates.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { readCsv, writeCsv, type CsvRow } from '../../lib/csv.ts';
import { Refusal } from '../../lib/errors.ts';
import { germanIssue } from '../../lib/german-issues.ts';

/** What a column of a table is about. */
type Field =
  | 'title'
  | 'subtitle'
  | 'start_date'
  | 'end_date'
  | 'template'
  | 'storage_limit'
  | 'host_email'
  | 'host_name'
  | 'customer'
  | 'order_number'
  | 'note'
  | 'user_upload_password'
  | 'fotobox_upload_password';

/** The columns that are read, by what they may be called; of others nothing is taken. Without case, spaces and signs. */
const NAMES: Record<Field, string[]> = {
  title: ['Titel', 'Event', 'Veranstaltung'],
  subtitle: ['Untertitel'],
  start_date: ['Beginn', 'Start', 'Startdatum', 'Datum', 'Tag', 'Von'],
  end_date: ['Ende', 'Enddatum', 'Bis'],
  template: ['Vorlage', 'Paket'],
  storage_limit: ['Speicher in GB', 'Speicherplatz in GB', 'Speicher', 'GB'],
  host_email: ['E-Mail', 'Mail', 'Mailadresse', 'E-Mail-Adresse'],
  host_name: ['Gastgeber', 'Name', 'Name des Gastgebers'],
  customer: ['Kunde', 'Kundin', 'Firma'],
  order_number: ['Auftragsnummer', 'Auftrag', 'Auftrags-Nr.', 'Bestellnummer'],
  note: ['Notiz', 'Notizen', 'Bemerkung'],
  user_upload_password: ['Passwort für Gäste', 'Upload-Passwort'],
  fotobox_upload_password: ['Passwort der Fotobox', 'Fotobox-Passwort'],
};
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
const FIELDS = new Map(Object.entries(NAMES).flatMap(([field, names]) => names.map((name) => [plain(name), field as Field])));

const numberText = (value: number): string => String(value).replace('.', ',');
const GB_SHOWN = 1000;
/** `17.05.2026`, which spreadsheets in Germany take for a day. */
const dayCell = (day: string): string => day.split('-').toReversed().join('.');
const instantCell = (instant: string | null | undefined): string => (instant ? dayCell(berlinDay(Date.parse(instant))) : '');

/** The columns that are written. Those that `NAMES` knows are read again as they are. */
const COLUMNS: [name: string, cell: (event: AdminEvent, now: number) => string][] = [
  ['Titel', ({ title }) => title],
  ['Untertitel', ({ subtitle }) => subtitle],
  ['Beginn', ({ start_date }) => dayCell(start_date)],
  ['Ende', ({ end_date }) => dayCell(end_date)],
  ['Code', ({ code }) => code],
  ['Status', (event, now) => (event.purged_at === null ? eventStatus(event, now).label : 'gelöscht')],
  ['Kunde', ({ customer }) => customer],
  ['Auftragsnummer', ({ order_number }) => order_number],
  ['Notiz', ({ note }) => note],
  ['Gastgeber', ({ host }) => host?.name ?? ''],
  ['E-Mail', ({ host }) => host?.email ?? ''],
  ['Zuerst angemeldet', ({ user }) => instantCell(user?.first_login_at)],
  ['Speicher in GB', ({ storage_limit }) => (storage_limit === 'unlimited' ? 'unbegrenzt' : numberText(storage_limit))],
  ['Belegt in GB', ({ storage: { total } }) => numberText(Math.round(total * GB_SHOWN) / GB_SHOWN)],
  ['Fotos', ({ storage: { photos } }) => String(photos.count)],
  ['Videos', ({ storage: { videos } }) => String(videos.count)],
  ['Geräte', ({ device_count }) => String(device_count)],
  ['ZIP geladen', ({ zip_downloaded_at }) => instantCell(zip_downloaded_at)],
  ['Letzter Tag der Fotos', ({ deletion_date }) => dayCell(deletion_date)],
];

/** The list of events as a table, without any password. */
export function writeEvents(events: AdminEvent[], now: number): Bytes {
  return writeCsv([COLUMNS.map(([name]) => name), ...events.map((event) => COLUMNS.map(([, cell]) => cell(event, now)))]);
}

/** By what an event is known again in a table. */
type Named = Pick<AdminEvent, 'title' | 'start_date' | 'end_date' | 'order_number'>;
const nameOf = ({ title, start_date, end_date, order_number }: Named): string =>
  JSON.stringify([title, start_date, end_date, order_number]);

interface Known {
  templates: EventTemplate[];
  /** The events that are there. */
  events: (Named & { code: string })[];
  /** Goes into the keys of rows: another one makes a row new that was created, and deleted, before. */
  since: string;
}

/** The events of a table, each as the body that creates it or with its mistakes. Throws Refusal invalid_input where it is no such table. */
export function readEvents(bytes: Bytes, { templates, events, since }: Known): { ignored: string[]; rows: ImportedRow[] } {
  // One more than may be.
  const [head, ...rest] = readCsv(bytes, 1 + CSV_ROWS_MAX + 1);
  const fields = head?.cells.map((name) => FIELDS.get(plain(name)));
  if (!head || !fields?.includes('title') || !fields.includes('start_date'))
    throw notRead('In der ersten Zeile stehen die Namen der Spalten; „Titel“ und „Beginn“ braucht es.');
  if (rest.length > CSV_ROWS_MAX) throw notRead(`Bitte höchstens ${CSV_ROWS_MAX} Events in einer Datei.`);
  // Once: a file may have as many columns as fit into it. Of two for one field the first counts.
  const places = new Map(fields.map((field, n) => [field, n] as const).toReversed());
  /** As the file calls it. */
  const columnOf = (field: Field): string => head.cells[places.get(field) ?? -1] ?? NAMES[field][0] ?? field;
  const there = new Map(events.map((event) => [nameOf(event), event.code]));
  /** Lines by what they create. */
  const lines = new Map<string, number>();

  function readRow({ line, cells }: CsvRow): ImportedRow {
    const cell = (field: Field): string => cells[places.get(field) ?? -1] ?? '';
    const mistakes = new Map<Field, string>();
    const template = templates.find(({ name }) => plain(name) === plain(cell('template')));
    if (!template && cell('template') !== '')
      mistakes.set('template', `Diese Vorlage gibt es nicht. Es gibt: ${templates.map(({ name }) => name).join(', ')}.`);
    if (cell('host_name') !== '' && cell('host_email') === '')
      mistakes.set('host_email', 'Zum Namen des Gastgebers fehlt die E-Mail-Adresse.');
    const body = bodyOf(cell, template);
    const parsed = EventForm.safeParse(body, { error: germanIssue });
    for (const { path, message } of parsed.error?.issues ?? []) {
      const field = fieldAt(path);
      // What follows from the first day is said of that.
      const follows = field === 'end_date' && cell('end_date') === '';
      if (!mistakes.has(field) && !follows) mistakes.set(field, message);
    }
    const named = { title: cell('title'), start_date: body.start_date, end_date: body.end_date, order_number: cell('order_number') };
    const earlier = lines.get(nameOf(named));
    if (earlier !== undefined) mistakes.set('title', `Dieses Event steht schon in Zeile ${earlier}.`);
    else lines.set(nameOf(named), line);
    const key = createHash('sha256')
      .update(JSON.stringify([since, body]))
      .digest('base64url');
    return {
      line,
      title: named.title,
      start_date: named.start_date,
      end_date: named.end_date,
      template: template?.name ?? '',
      customer: cell('customer'),
      order_number: named.order_number,
      host_email: cell('host_email'),
      mistakes: [...mistakes].map(([field, text]) => ({ column: columnOf(field), text })),
      known: there.get(nameOf(named)) ?? null,
      key: `csv-${key}`,
      event: body,
    };
  }
  const ignored = head.cells.filter((name, n) => name !== '' && fields[n] === undefined);
  return { ignored, rows: rest.map(readRow) };
}

function bodyOf(cell: (field: Field) => string, template: EventTemplate | undefined) {
  const { name: _name, storage_limit, ...begun } = { ...PLAIN_EVENT, name: '', storage_limit: null, ...template };
  const [user_upload_password, fotobox_upload_password] = [cell('user_upload_password'), cell('fotobox_upload_password')];
  const email = cell('host_email');
  const start_date = dayIn(cell('start_date'));
  return {
    ...begun,
    title: cell('title'),
    subtitle: cell('subtitle') || begun.subtitle,
    start_date,
    end_date: cell('end_date') === '' ? start_date : dayIn(cell('end_date')),
    storage_limit: cell('storage_limit') === '' ? storage_limit : limitIn(cell('storage_limit')),
    with_upload_password: begun.with_upload_password || user_upload_password !== '',
    user_upload_password: user_upload_password || null,
    with_fotobox: begun.with_fotobox || fotobox_upload_password !== '',
    fotobox_upload_password: fotobox_upload_password || null,
    host: email === '' ? null : { email, name: cell('host_name') },
    customer: cell('customer'),
    order_number: cell('order_number'),
    note: cell('note'),
  } satisfies EventFormInput;
}

/** `12.6.2027` and `12.06.27` as `2027-06-12`; anything else as it is, for the form to judge. */
function dayIn(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})$/.exec(text) ?? [];
  const date = `${year.length === 2 ? '20' : ''}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDay(date) ? date : text;
}

/** GB; null: unlimited; NaN for no number. */
function limitIn(text: string): number | null {
  const number = text.replace(/\s?GB$/i, '');
  if (plain(number) === 'unbegrenzt') return null;
  return /^\d+([.,]\d+)?$/.test(number) ? Number(number.replace(',', '.')) : Number.NaN;
}

/** The column that an issue of the form is about. */
function fieldAt([first, second]: PropertyKey[]): Field {
  if (first === 'host') return second === 'name' ? 'host_name' : 'host_email';
  return Object.hasOwn(NAMES, first ?? '') ? (first as Field) : 'title';
}

const notRead = (text: string): Refusal => new Refusal('invalid_input', { fields: { file: text } });
