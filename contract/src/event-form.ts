import { z } from 'zod';
import { GUEST_PASSWORD_MAX, GUEST_PASSWORD_MIN, TITLE_LENGTH } from './constants.ts';
import { EventNotes } from './event-notes.ts';
import { isEventDay } from './event-status.ts';
import { HostContact } from './mail-schemas.ts';
import { typedText } from './typed-text.ts';

/** Builds the schema of a day. The date part alone counts: the text from `T` on is dropped. */
const day = (missing: string) =>
  z
    .string({ error: missing })
    .transform((text) => text.split('T')[0] ?? '')
    .refine((text) => text !== '', { error: missing, abort: true })
    .refine(isEventDay, { error: 'Bitte geben Sie ein gültiges Datum ein.' });

const guestPassword = z
  .string()
  .transform((text) => text.normalize('NFC'))
  .refine((text) => text === '' || ([...text].length >= GUEST_PASSWORD_MIN && [...text].length <= GUEST_PASSWORD_MAX), {
    error: `Das Passwort braucht ${GUEST_PASSWORD_MIN} bis ${GUEST_PASSWORD_MAX} Zeichen.`,
  })
  .nullish();

const flag = (initial: boolean) => z.boolean({ error: 'Bitte wählen Sie ein oder aus.' }).default(initial);

/** The admin's event form: the body of create and update. */
export const EventForm = z
  .object({
    title: typedText(TITLE_LENGTH, {
      missing: 'Bitte geben Sie einen Titel ein.',
      tooLong: `Der Titel darf höchstens ${TITLE_LENGTH} Zeichen lang sein.`,
    }),
    subtitle: typedText(TITLE_LENGTH, { tooLong: `Der Untertitel darf höchstens ${TITLE_LENGTH} Zeichen lang sein.` })
      .nullish()
      .transform((text) => text ?? ''),
    start_date: day('Bitte geben Sie ein Startdatum ein.'),
    end_date: day('Bitte geben Sie ein Enddatum ein.'),
    is_active: flag(false),
    with_nsfw_check: flag(false),
    with_random_slideshow: flag(false),
    with_fotobox: flag(false),
    fotobox_upload_password: guestPassword,
    with_user_upload: flag(true),
    with_slideshow: flag(true),
    with_videos: flag(false),
    with_upload_password: flag(false),
    with_release: flag(false),
    user_upload_password: guestPassword,
    /** GB; missing, null or empty means unlimited. */
    storage_limit: z
      .union([z.number(), z.literal(''), z.literal('unlimited'), z.null()], { error: 'Bitte geben Sie eine Zahl in GB ein.' })
      .optional()
      .transform((limit) => (typeof limit === 'number' ? limit : null))
      .refine((limit) => limit === null || (Number.isFinite(limit) && limit > 0 && limit <= 1_000_000), {
        error: 'Bitte geben Sie eine Zahl größer als 0 ein.',
      }),
    /** Address for mail to the host; a new event's host gets an invitation. Null removes the address; without it an edit leaves it. */
    host: HostContact.nullish(),
    /** An edit without a note leaves the stored one. */
    ...EventNotes.partial().shape,
    /** Set by editors who do not see the passwords: passwords that are missing stay. */
    keep_passwords: z.boolean().optional(),
    /** The version that the edit is based on. */
    version: z.number().int().optional(),
    /** Confirms a change after `purge_unconfirmed`. */
    confirm_purge: z.boolean().optional(),
    /** Confirms a change after `limit_unconfirmed`. */
    confirm_limit: z.boolean().optional(),
  })
  .superRefine((form, context) => {
    const fail = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (form.end_date < form.start_date) fail('end_date', 'Enddatum muss nach dem Startdatum liegen');
    const given = !form.keep_passwords;
    if (given && form.with_upload_password && !form.user_upload_password)
      fail('user_upload_password', 'Bitte geben Sie ein Upload-Passwort ein.');
    if (given && form.with_fotobox && !form.fotobox_upload_password)
      fail('fotobox_upload_password', 'Bitte geben Sie ein Fotobox-Passwort ein.');
    if (
      form.with_upload_password &&
      form.with_fotobox &&
      form.user_upload_password &&
      form.user_upload_password === form.fotobox_upload_password
    )
      fail('fotobox_upload_password', 'Das Fotobox-Passwort muss sich vom Upload-Passwort unterscheiden.');
  });
export type EventForm = z.output<typeof EventForm>;
export type EventFormInput = z.input<typeof EventForm>;
