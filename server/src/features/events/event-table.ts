import { createHash } from 'node:crypto';
import { berlinDay, isDay } from '@feierbild/contract/berlin.ts';
import type { ImportedRow, TableRead } from '@feierbild/contract/event-table-schemas.ts';
import { CSV_ROWS_MAX } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { EventForm, type EventFormInput } from '@feierbild/contract/event-form.ts';
import { TABLE_FIELDS, type TableAnswers, type TableField, type TableQuestion } from '@feierbild/contract/event-table.ts';
import { eventStatus } from '@feierbild/contract/event-status.ts';
import { PLAIN_EVENT, type EventTemplate } from '@feierbild/contract/event-templates.ts';
import type { Bytes } from '../../lib/bytes.ts';
import { lettersIn, readCsv, writeCsv, type CsvRow } from '../../lib/csv.ts';
import { Refusal } from '../../lib/errors.ts';
import { germanIssue } from '../../lib/german-issues.ts';
import { addressIn, dayIn, isCutNumber, isFailedCell, limitIn, type CellMeaning } from './table-cells.ts';

/** Most columns in the answer, and most characters of a column's example. */
const COLUMNS_MAX = 60;
const EXAMPLE_LENGTH = 60;

/** Other accepted names of columns, compared without case, spaces and punctuation. */
const SYNONYMS: Record<TableField, string[]> = {
  title: ['Event', 'Veranstaltung', 'Eventname', 'Event-Titel', 'Name des Events', 'Bezeichnung', 'Brautpaar'],
  subtitle: ['Unterzeile'],
  start_date: [
    'Start',
    'Startdatum',
    'Datum',
    'Tag',
    'Von',
    'Anfang',
    'Beginnt am',
    'Datum von',
    'Event-Datum',
    'Termin',
    'Hochzeitsdatum',
    'Hochzeitstag',
    'Veranstaltungsdatum',
    'Datum der Veranstaltung',
    'Datum der Feier',
  ],
  end_date: ['Enddatum', 'Bis', 'Endet am', 'Datum bis'],
  template: ['Paket'],
  storage_limit: ['Speicherplatz in GB', 'Speicher', 'Speicherplatz', 'GB'],
  host_email: ['Mail', 'Mailadresse', 'E-Mail-Adresse', 'E-Mail des Gastgebers', 'Mail des Gastgebers'],
  host_name: ['Name', 'Name des Gastgebers', 'Ansprechpartner', 'Ansprechpartnerin'],
  customer: ['Kundin', 'Firma', 'Auftraggeber', 'Kundenname'],
  order_number: ['Auftrag', 'Auftrags-Nr.', 'Bestellnummer', 'Vorgang', 'Vorgangsnummer'],
  note: ['Notizen', 'Bemerkung', 'Bemerkungen'],
  user_upload_password: ['Upload-Passwort'],
  fotobox_upload_password: ['Fotobox-Passwort'],
};
/** Rows in which the names of the columns are searched: people write a title above them. */
const HEAD_WITHIN = 10;
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '');
const FIELDS = new Map(
  (Object.keys(TABLE_FIELDS) as TableField[]).flatMap((field) =>
    [TABLE_FIELDS[field], ...SYNONYMS[field]].map((name) => [plain(name), field] as const),
  ),
);
const END_BEFORE_START = 'Das Ende liegt vor dem Beginn. Ein Event an einem einzigen Tag hat für beides denselben Tag.';
const ONE_ADDRESS = 'Bitte eine einzige E-Mail-Adresse je Event.';
/** Files of other kinds, by their first bytes, with the text of the refusal. */
const OTHERS: [begins: string, text: string][] = [
  [
    'PK\x03\x04',
    'Das ist eine Excel-Mappe. Bitte speichern Sie sie in Excel als „CSV UTF-8 (durch Trennzeichen getrennt)“, und lesen Sie diese Datei ein.',
  ],
  [
    '\xd0\xcf\x11\xe0',
    'Das ist eine alte Excel-Mappe. Bitte speichern Sie sie in Excel als „CSV UTF-8 (durch Trennzeichen getrennt)“, und lesen Sie diese Datei ein.',
  ],
  ['%PDF', 'Das ist ein PDF. Eingelesen werden Tabellen im Format CSV.'],
];

const numberText = (value: number): string => String(value).replace('.', ',');
const GB_SHOWN = 1000;
/** Formats a day as `17.05.2026`, which spreadsheets in Germany recognise. */
const dayCell = (day: string): string => day.split('-').toReversed().join('.');
const instantCell = (instant: string | null | undefined): string => (instant ? dayCell(berlinDay(Date.parse(instant))) : '');

/** The columns that are written; columns of the form can be read again unchanged. */
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

/** Writes the list of events as a table, without any password. */
export function writeEvents(events: AdminEvent[], now: number): Bytes {
  return writeCsv([COLUMNS.map(([name]) => name), ...events.map((event) => COLUMNS.map(([, cell]) => cell(event, now)))]);
}

/** The fields by which a row is recognised as an existing event. */
type Named = Pick<AdminEvent, 'title' | 'start_date' | 'end_date' | 'order_number'>;
/** Returns a key of these fields, which ignores how the form or another program writes spaces and umlauts. */
const nameOf = ({ title, start_date, end_date, order_number }: Named): string =>
  JSON.stringify([oneLine(title), start_date, end_date, oneLine(order_number)].map((text) => text.normalize('NFC')));

interface Known {
  templates: EventTemplate[];
  /** The existing events. */
  events: (Named & { code: string })[];
  /**
   * A part of the rows' keys. It changes when an event is changed or deleted, so that a row whose event was deleted or renamed counts as
   * new.
   */
  since: string;
}

/** Returns the index of the row with the columns' names: the first with title and start, else the first with more than a title. */
function headOf(rows: CsvRow[]): number {
  const first = rows.slice(0, HEAD_WITHIN).map(({ cells }) => ({
    fields: cells.map((name) => FIELDS.get(plain(name))),
    filled: cells.filter(Boolean).length,
  }));
  const named = first.findIndex(({ fields }) => fields.includes('title') && fields.includes('start_date'));
  return Math.max(0, named < 0 ? first.findIndex(({ fields, filled }) => filled > 1 || fields.some(Boolean)) : named);
}

/** The sender's statements about a table: the meaning of each column in order, and the answers to its questions. */
export interface Told {
  columns?: (TableField | null)[] | undefined;
  answers: TableAnswers;
}

/**
 * Reads the events of a table, each as the body that creates it, or with its mistakes; the table's columns; and its open questions. An
 * ambiguous cell becomes a question. Throws Refusal `invalid_input` for any other file.
 */
export function readEvents(bytes: Bytes, { templates, events, since }: Known, { columns: told, answers }: Told): TableRead {
  const begins = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  for (const [other, text] of OTHERS) if (begins.startsWith(other)) throw notRead(text);
  const letters = lettersIn(bytes);
  // Reads one row more than is allowed, to notice longer files.
  const all = readCsv(bytes, HEAD_WITHIN + CSV_ROWS_MAX + 1, answers.letters);
  const [head, ...rest] = all.slice(headOf(all));
  if (!head || rest.length === 0 || head.cells.length < 2 || head.cells.some((name) => name.includes('\0')))
    throw notRead('In der ersten Zeile stehen die Namen der Spalten, in den anderen je ein Event; „Titel“ und „Beginn“ braucht es.');
  if (rest.length > CSV_ROWS_MAX) throw notRead(`Bitte höchstens ${CSV_ROWS_MAX} Events in einer Datei.`);
  const found = head.cells.map((name, n) => (told ? (told[n] ?? null) : (FIELDS.get(plain(name)) ?? null)));
  // If two columns map to one field, the first one counts.
  const fields = found.map((field, n) => (field !== null && found.indexOf(field) === n ? field : null));
  const columns = head.cells.slice(0, COLUMNS_MAX).map((name, n) => ({
    name,
    example: (rest.find(({ cells }) => cells[n])?.cells[n] ?? '').slice(0, EXAMPLE_LENGTH),
    field: fields[n] ?? null,
  }));
  const open = new Map<TableQuestion, TableRead['questions'][number]>();
  const ask = (question: TableQuestion, example: string, meanings: Record<string, string>): void => {
    const options = Object.entries(meanings).map(([value, text]) => ({ value, text }));
    if (!open.has(question)) open.set(question, { question, example, options, answer: answers[question] ?? null });
  };
  if (letters) ask('letters', letters.windows, { ...letters });
  const isReady = fields.includes('title') && fields.includes('start_date') && (letters === null || answers.letters !== undefined);
  const ignored = head.cells.filter((name, n) => name !== '' && fields[n] === null);
  return { columns, ignored, rows: isReady ? readRows() : [], questions: [...open.values()] };

  function readRows(): ImportedRow[] {
    const places = new Map(fields.map((field, n) => [field, n] as const));
    const there = new Map(events.map((event) => [nameOf(event), event.code]));
    /** Lines of the table by the event that they create. */
    const lines = new Map<string, number>();
    /** Returns the column's name in the file. */
    const columnOf = (field: TableField): string => head?.cells[places.get(field) ?? -1] || TABLE_FIELDS[field];
    return rest.map(({ line, cells }) => {
      const read = readRow((field) => cells[places.get(field) ?? -1] ?? '', { templates, answers, ask });
      const { body, mistakes, template } = read;
      const { title, start_date, end_date, order_number } = body;
      const name = nameOf({ title, start_date, end_date, order_number });
      const earlier = lines.get(name);
      if (earlier !== undefined) mistakes.set('title', `Dieses Event steht schon in Zeile ${earlier}.`);
      else lines.set(name, line);
      const key = createHash('sha256')
        .update(JSON.stringify([since, body]))
        .digest('base64url');
      return {
        line,
        title,
        start_date,
        end_date,
        template,
        customer: body.customer,
        order_number,
        host_email: body.host?.email ?? '',
        mistakes: [...mistakes].map(([field, text]) => ({ column: columnOf(field), text })),
        known: there.get(name) ?? null,
        key: `csv-${key}`,
        event: body,
      };
    });
  }
}

interface Reading extends Pick<Known, 'templates'> {
  answers: TableAnswers;
  ask(question: TableQuestion, example: string, meanings: Record<string, string>): void;
}

/** Returns the form that creates a row's event, and the row's mistakes. */
function readRow(cell: (field: TableField) => string, { templates, answers, ask }: Reading) {
  const mistakes = new Map<TableField, string>();
  for (const field of Object.keys(TABLE_FIELDS) as TableField[])
    if (isFailedCell(cell(field)))
      mistakes.set(field, `Hier steht „${cell(field)}“ statt des Inhalts: Bitte sehen Sie in der Tabelle nach.`);
  if (isCutNumber(cell('order_number')))
    mistakes.set('order_number', 'Hier fehlen die letzten Ziffern. Bitte geben Sie der Spalte in der Tabelle das Format „Text“.');
  const template = templates.find(({ name }) => plain(name) === plain(cell('template')));
  if (!template && cell('template') !== '')
    mistakes.set('template', `Diese Vorlage gibt es nicht. Es gibt: ${templates.map(({ name }) => name).join(', ')}.`);
  const host = addressIn(cell('host_email'));
  if (cell('host_name') !== '' && host.email === '') mistakes.set('host_email', 'Zum Namen des Gastgebers fehlt die E-Mail-Adresse.');
  if (
    host.email
      .split('@')
      .slice(1, -1)
      .some((between) => /[,;\s]/.test(between))
  )
    mistakes.set('host_email', ONE_ADDRESS);

  /** Returns the cell's meaning, or its text if the question about it is open. */
  function meant<T>(field: TableField, found: CellMeaning<T>, shown: (value: T) => string): T | string {
    if ('value' in found) return found.value;
    const text = cell(field);
    ask(found.asks, text, Object.fromEntries(Object.entries(found.meanings).map(([answer, value]) => [answer, shown(value)])));
    const chosen = found.meanings[answers[found.asks] ?? ''];
    if (chosen !== undefined) return chosen;
    mistakes.set(field, `Bitte sagen Sie oben, was „${text}“ heißt.`);
    return text;
  }
  const dayOf = (field: TableField): string => meant(field, dayIn(cell(field)), dayCell);
  const start_date = dayOf('start_date');
  const end_date = cell('end_date') === '' ? start_date : dayOf('end_date');
  const limit = meant('storage_limit', limitIn(cell('storage_limit')), (gb) => `${numberText(gb ?? 0)} GB`);

  const { name: _name, storage_limit, ...begun } = { ...PLAIN_EVENT, name: '', storage_limit: null, ...template };
  const [user_upload_password, fotobox_upload_password] = [cell('user_upload_password'), cell('fotobox_upload_password')];
  const body = {
    ...begun,
    title: oneLine(cell('title')),
    subtitle: oneLine(cell('subtitle')) || begun.subtitle,
    start_date,
    end_date,
    storage_limit: cell('storage_limit') === '' ? storage_limit : typeof limit === 'string' ? Number.NaN : limit,
    with_upload_password: begun.with_upload_password || user_upload_password !== '',
    user_upload_password: user_upload_password || null,
    with_fotobox: begun.with_fotobox || fotobox_upload_password !== '',
    fotobox_upload_password: fotobox_upload_password || null,
    host: host.email === '' ? null : { email: host.email, name: oneLine(cell('host_name')) || host.name },
    customer: oneLine(cell('customer')),
    order_number: oneLine(cell('order_number')),
    note: cell('note'),
  } satisfies EventFormInput;

  const parsed = EventForm.safeParse(body, { error: germanIssue });
  for (const { path, message, code } of parsed.error?.issues ?? []) {
    const field = fieldAt(path);
    // An end that is wrong only because of the first day gets no text of its own.
    const follows = field === 'end_date' && (cell('end_date') === '' || mistakes.has('start_date'));
    if (mistakes.has(field) || follows) continue;
    mistakes.set(field, field === 'end_date' && code === 'custom' && isDay(end_date) ? END_BEFORE_START : message);
  }
  return { body, mistakes, template: template?.name ?? '' };
}

const oneLine = (text: string): string => text.replaceAll(/[\s\u0085]+/g, ' ');

/** Returns the column that an issue of the form is about. */
function fieldAt([first, second]: PropertyKey[]): TableField {
  if (first === 'host') return second === 'name' ? 'host_name' : 'host_email';
  return Object.hasOwn(TABLE_FIELDS, first ?? '') ? (first as TableField) : 'title';
}

const notRead = (text: string): Refusal => new Refusal('invalid_input', { fields: { file: text } });
