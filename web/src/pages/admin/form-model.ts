import { DAY } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import type { EventFormInput } from '@feierbild/contract/event-form.ts';
import { deletionDay, isEventDay } from '@feierbild/contract/event-status.ts';
import { PLAIN_EVENT, type EventTemplate } from '@feierbild/contract/event-templates.ts';
import { formatNumber } from '../../lib/format.ts';
import { germanNumber } from '../../lib/german-number.ts';
import { admin as texts } from '../../texts.ts';

/** The form of a new event. */
export const EMPTY_FORM = {
  ...PLAIN_EVENT,
  title: '',
  start_date: '',
  end_date: '',
  fotobox_upload_password: '',
  user_upload_password: '',
  storage_limit: '',
  host_email: '',
  host_name: '',
  customer: '',
  order_number: '',
  note: '',
  /** For new events: whether the host's password is made at once. */
  with_access: false,
};

/** Labels of an event's switches. */
export const SWITCHES = {
  with_user_upload: 'Upload durch Gäste',
  with_upload_password: 'Upload-Passwort',
  with_videos: 'Videos',
  with_slideshow: 'Slideshow',
  with_random_slideshow: 'Zufällige Reihenfolge',
  with_release: 'Neue Fotos erst nach Freigabe',
  with_fotobox: 'Fotobox',
  is_active: 'Dauerhaft aktiv',
} as const;
export type SwitchName = keyof typeof SWITCHES;

/** The form as typed: texts stay texts until they are sent. */
export type FormState = typeof EMPTY_FORM;

const NO_DAY = 'Bitte geben Sie ein gültiges Datum ein.';
const datePart = (date: string): string => date.split('T')[0] ?? '';

/** Fills the form from an event; only the part of a date before `T` counts. */
export function formOf(event: AdminEvent): FormState {
  const shown = Object.keys(EMPTY_FORM).map((name) => [
    name,
    (event as Partial<FormState>)[name as keyof FormState] ?? EMPTY_FORM[name as keyof FormState],
  ]);
  return {
    ...(Object.fromEntries(shown) as FormState),
    start_date: datePart(event.start_date),
    end_date: datePart(event.end_date),
    host_email: event.host?.email ?? '',
    host_name: event.host?.name ?? '',
    storage_limit: event.storage_limit === 'unlimited' ? '' : limitText(event.storage_limit),
  };
}

/** Fills a new form from another event, without its title, dates and host. */
export function likeOf(event: AdminEvent): FormState {
  const { title, subtitle, start_date, end_date, host_email, host_name, customer, order_number, note, is_active } = EMPTY_FORM;
  const own = { title, subtitle, start_date, end_date, host_email, host_name, customer, order_number, note, is_active };
  return { ...formOf(event), ...own };
}

/** Fills in a template's values; fields that the template lacks stay as they were typed. */
export function withTemplate(form: FormState, { name: _name, storage_limit, subtitle, ...switches }: EventTemplate): FormState {
  return {
    ...form,
    ...switches,
    subtitle: subtitle || form.subtitle,
    storage_limit: storage_limit === null ? '' : limitText(storage_limit),
  };
}

const limitText = (gigabytes: number): string => String(gigabytes).replace('.', ',');

/** Makes the body of the call. An empty limit is undefined (unlimited); a password is sent only if its switch is on. */
export function bodyOf({ host_email, host_name, ...form }: Omit<FormState, 'with_access'>): EventFormInput {
  const limit = form.storage_limit.trim();
  return {
    ...form,
    fotobox_upload_password: form.with_fotobox ? form.fotobox_upload_password : undefined,
    user_upload_password: form.with_upload_password ? form.user_upload_password : undefined,
    storage_limit: limit === '' ? undefined : germanNumber(limit),
    host: host_email.trim() === '' ? null : { email: host_email.trim(), name: host_name },
  };
}

/** Finds mistakes before anything is sent: German sentences by field. The start counts from 00:00:00, the end to 23:59:59. */
export function checkForm(form: FormState): Record<string, string> {
  const mistakes: Record<string, string> = {};
  if (form.title.trim() === '') mistakes.title = 'Bitte geben Sie einen Titel ein.';
  if (form.start_date === '') mistakes.start_date = 'Bitte geben Sie ein Startdatum ein.';
  else if (!isEventDay(form.start_date)) mistakes.start_date = NO_DAY;
  if (form.end_date === '') mistakes.end_date = 'Bitte geben Sie ein Enddatum ein.';
  else if (!isEventDay(form.end_date)) mistakes.end_date = NO_DAY;
  else if (form.start_date !== '' && `${form.end_date}T23:59:59` <= `${form.start_date}T00:00:00`) mistakes.end_date = texts.endBeforeStart;
  if (form.storage_limit.trim() !== '' && !(germanNumber(form.storage_limit) >= 0)) {
    mistakes.storage_limit = 'Bitte geben Sie eine Zahl in GB ein.';
  }
  return mistakes;
}

/** Years until the beginning above which the year is probably mistyped. */
const FAR_YEARS = 5;
/** Length in days above which a year is probably mistyped. */
const LONG_DAYS = 31;

/**
 * Asks about dates that are allowed but probably mistyped; null if they are usual, or as `stored`. If the event's `photos` (a
 * count) would be deleted at once, the server asks instead.
 */
export function doubtOf(form: FormState, stored: FormState, photos: number, today: string): string | null {
  if (form.start_date === stored.start_date && form.end_date === stored.end_date) return null;
  if (!isEventDay(form.start_date) || !isEventDay(form.end_date)) return null;
  if (form.end_date < today) {
    const serverAsks = photos > 0 && deletionDay(form) < today;
    return serverAsks ? null : 'Mit diesem Enddatum ist das Event schon vorbei.';
  }
  const days = (Date.parse(form.end_date) - Date.parse(form.start_date)) / DAY + 1;
  if (days > LONG_DAYS) return `Mit diesem Enddatum dauert das Event ${formatNumber(days)} Tage.`;
  const years = Number(form.start_date.slice(0, 4)) - Number(today.slice(0, 4));
  return years > FAR_YEARS ? `Mit diesem Startdatum beginnt das Event erst in ${years} Jahren.` : null;
}

/** Compares a typed code with the event's; spaces around it do not count. `mismatch` is set only from 8 typed characters on. */
export function checkTypedCode(typed: string, code: string): { matches: boolean; mismatch: boolean } {
  const matches = typed.trim() === code;
  return { matches, mismatch: !matches && typed.length >= 8 };
}
