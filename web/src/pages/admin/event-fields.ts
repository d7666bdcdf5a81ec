import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { FIRST_DAY, isEventDay, joinableWindow, LAST_DAY } from '@feierbild/contract/event-status.ts';
import type { EventTemplate } from '@feierbild/contract/event-templates.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { formatDay, formatNumber } from '../../lib/format.ts';
import { EMPTY_FORM, SWITCHES, withTemplate, type FormState, type SwitchName } from './form-model.ts';
import type { Group, PathField } from './settings/path-form.ts';

interface FormSight {
  form: FormState;
  /** The event that is edited; null while one is created. */
  event: AdminEvent | null;
  /** Whether the user is no assistant: assistants create no host's password, and do not see guests' passwords. */
  isAdmin: boolean;
  templates: EventTemplate[];
}

const toggle = (path: SwitchName): PathField => ({ path, label: SWITCHES[path], kind: 'switch' });

/** Describes the fields of an event's form, which depend on its input. */
export function eventFields({ form, event, isAdmin, templates }: FormSight): Group[] {
  const used = event?.storage_stats.total_size ?? 0;
  const days = { kind: 'date', max: LAST_DAY, required: true } as const;
  const password = (by: 'with_upload_password' | 'with_fotobox', path: keyof FormState, label: string, hint = ''): PathField[] => {
    // The stored password is not shown.
    const isKept = event?.[by] === true && !isAdmin;
    return form[by] ? [{ path, label, kind: 'unsaved', maxLength: 64, hint: isKept ? 'Leer lassen: Das bisherige bleibt.' : hint }] : [];
  };
  return [
    {
      fields: [
        { path: 'title', label: 'Titel', required: true },
        { path: 'subtitle', label: 'Untertitel' },
      ],
    },
    {
      beside: true,
      fields: [
        { path: 'start_date', label: 'Startdatum', min: FIRST_DAY, ...days },
        { path: 'end_date', label: 'Enddatum', min: isEventDay(form.start_date) ? form.start_date : FIRST_DAY, ...days },
      ],
    },
    {
      legend: 'Gastgeber',
      fields: [
        {
          path: 'host_email',
          label: 'E\u2011Mail',
          kind: 'email',
          hint: event
            ? 'Für Einladung und Erinnerungen.'
            : 'Mit der Adresse geht die Einladung gleich hinaus, wenn der Mailversand eingerichtet ist.',
        },
        form.host_email === ''
          ? {
              path: 'with_access',
              label: 'Zugang gleich anlegen',
              kind: 'switch',
              hint: 'Das Passwort erscheint nach dem Erstellen, zum Ausdrucken.',
              hidden: event !== null || !isAdmin,
            }
          : { path: 'host_name', label: 'Name', kind: 'unsaved', hint: 'So spricht die Mail an, zum Beispiel „Lena und Tom“.' },
      ],
    },
    {
      legend: 'Nur für Sie',
      beside: true,
      fields: [
        { path: 'customer', label: 'Kunde', kind: 'unsaved' },
        { path: 'order_number', label: 'Auftragsnummer', kind: 'unsaved' },
        { path: 'note', label: 'Notiz', kind: 'text', hint: 'Weder Gastgeber noch Gäste sehen das. Es wird mit den Fotos gelöscht.' },
      ],
    },
    { fields: [{ path: 'is_active', label: `${SWITCHES.is_active} (${automatic(form)})`, kind: 'switch' }] },
    {
      legend: 'Speicher',
      fields: [
        {
          path: 'storage_limit',
          label: 'Speicherplatz in GB',
          kind: 'number',
          hint: `Leer bedeutet unbegrenzt.${used > 0 ? ` Belegt sind ${formatBytes(used)}.` : ''}`,
          presets: sizesIn(templates).map((value) => ({ value, label: `${formatNumber(Number(value))} GB` })),
        },
      ],
    },
    {
      legend: 'Gäste',
      fields: [
        toggle('with_user_upload'),
        toggle('with_upload_password'),
        ...password('with_upload_password', 'user_upload_password', 'Passwort für Gäste'),
        toggle('with_videos'),
        { path: 'with_nsfw_check', label: 'NSFW-Filter', kind: 'switch', hint: 'In der Beta ohne Wirkung' },
      ],
    },
    {
      legend: 'Slideshow und Fotobox',
      fields: [
        toggle('with_slideshow'),
        toggle('with_random_slideshow'),
        toggle('with_release'),
        toggle('with_fotobox'),
        ...password(
          'with_fotobox',
          'fotobox_upload_password',
          'Passwort der Fotobox',
          // Programs encode such characters differently.
          'Am besten ohne Umlaute und Sonderzeichen: Nicht jede Fotobox schreibt sie gleich.',
        ),
      ],
    },
  ];
}

/** Returns the templates' limits, each once. */
function sizesIn(templates: EventTemplate[]): string[] {
  return [...new Set(templates.map((template) => withTemplate(EMPTY_FORM, template).storage_limit))].filter(Boolean);
}

/** Describes the period in which the event is active by its dates alone. */
function automatic({ start_date, end_date }: FormState): string {
  if (!isEventDay(start_date) || !isEventDay(end_date) || end_date < start_date)
    return 'sonst automatisch von 2 Tagen vor bis 30 Tage nach dem Event';
  const { opens, closes } = joinableWindow({ start_date, end_date });
  return `sonst automatisch von ${formatDay(berlinDay(opens))} bis ${formatDay(berlinDay(closes - 1))}`;
}
