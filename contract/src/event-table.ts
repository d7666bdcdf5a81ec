/** The possible meanings of a column in a table of events, each with its name in our own tables. */
export const TABLE_FIELDS = {
  title: 'Titel',
  subtitle: 'Untertitel',
  start_date: 'Beginn',
  end_date: 'Ende',
  template: 'Vorlage',
  storage_limit: 'Speicher in GB',
  host_email: 'E-Mail',
  host_name: 'Gastgeber',
  customer: 'Kunde',
  order_number: 'Auftragsnummer',
  note: 'Notiz',
  user_upload_password: 'Passwort für Gäste',
  fotobox_upload_password: 'Passwort der Fotobox',
} as const;
export type TableField = keyof typeof TABLE_FIELDS;

/** The questions that a table may leave open, each with its possible answers. */
export const TABLE_QUESTIONS = {
  /** The encoding of a file without a byte order mark. */
  letters: ['windows', 'mac', 'dos'],
  /** The first part of `1/5/27`. */
  dates: ['day', 'month'],
  /** The year from which Excel has counted days. */
  serials: ['1900', '1904'],
  /** The meaning of the sign in `1.000`. */
  numbers: ['thousands', 'decimals'],
} as const;
export type TableQuestion = keyof typeof TABLE_QUESTIONS;
export type TableAnswers = { [Q in TableQuestion]?: (typeof TABLE_QUESTIONS)[Q][number] | undefined };
