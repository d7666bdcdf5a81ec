import { joinableWindow } from '@feierbild/contract/event-status.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { AdminEvent, EventFormInput } from '@feierbild/contract/entities.ts';
import type { EventTemplate } from '@feierbild/contract/templates.ts';
import { useEffect, useMemo, useRef, useState, type FormEvent } from 'react';
import { ApiError, isRefusal } from '../../api/client.ts';
import { formatBytes, formatDay } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './admin.module.css';
import {
  bodyOf,
  checkForm,
  doubtOf,
  EMPTY_FORM,
  FIRST_DAY,
  formOf,
  isEventDay,
  LAST_DAY,
  likeOf,
  SWITCHES,
  withTemplate,
  type FormState,
  type SwitchName,
} from './form-model.ts';
import { countsIn, kindsIn, photosAndVideos } from '../../video/counts.ts';

/** By the switches that ask for them. */
const PASSWORDS = { with_upload_password: 'Passwort für Gäste', with_fotobox: 'Passwort der Fotobox' };
const NO_EFFECT = 'In der Beta ohne Wirkung';

interface EventFormProps {
  /** The event to edit; null to create one. */
  event: AdminEvent | null;
  /** What the new event shall be like. */
  like?: AdminEvent | undefined;
  /** What a new one may begin with. */
  templates: EventTemplate[];
  /** Others create no host's password, and do not see those of guests. */
  isAdmin: boolean;
  onClose(): void;
  /** Sends the form; an ApiError is shown here. `withAccess`: the host's password is to be shown. */
  onSubmit(body: EventFormInput, withAccess: boolean): Promise<void>;
  /** The event as it is now, or null where it is gone: somebody else has changed it. */
  onReload(event: AdminEvent): Promise<AdminEvent | null>;
}

/** What is asked before it is saved: the dates are unusual, photos would be deleted at once, the limit is below what is used. */
type Question = 'doubt' | 'purge' | 'limit';
/** Of the questions that are asked, which are confirmed. */
type Answers = Partial<Record<Question, boolean>>;
/** A change of these withdraws the question. */
const ABOUT: Record<Question, (keyof FormState)[]> = {
  doubt: ['start_date', 'end_date'],
  purge: ['end_date'],
  limit: ['storage_limit'],
};

/** The dialog that creates and edits events. */
export function EventForm({ event: opened, like, templates, isAdmin, onClose, onSubmit, onReload }: EventFormProps) {
  const element = useRef<HTMLFormElement>(null);
  /** The event as last loaded; null while one is created. */
  const [event, setEvent] = useState(opened);
  const stored = useMemo(() => (event ? formOf(event) : like ? likeOf(like) : EMPTY_FORM), [event, like]);
  /** The name of the chosen one. */
  const [template, setTemplate] = useState('');
  const unseen = event !== null && !isAdmin;
  const [withAccess, setWithAccess] = useState(false);
  const [answers, setAnswers] = useState<Answers>({});
  const withdraw = (name: keyof FormState): void =>
    setAnswers((before) => Object.fromEntries(Object.entries(before).filter(([asked]) => !ABOUT[asked as Question].includes(name))));
  const { typed: form, setTyped, setMistakes, field, change, check, run, failure, busy } = useForm<FormState>(stored, withdraw);
  /** Number of refusals; each one moves the focus to the field to change. */
  const [refusals, setRefusals] = useState(0);
  const [today] = useState(() => berlinDay(Date.now()));
  const counts = event ? countsIn(event) : { photos: 0, videos: 0 };
  const question = doubtOf(form, stored, counts.photos + counts.videos, today);
  const [outdated, setOutdated] = useState(false);
  const used = event && event.storage_stats.total_size > 0 ? ` Belegt sind ${formatBytes(event.storage_stats.total_size)}.` : '';
  const earliest = isEventDay(form.start_date) ? form.start_date : FIRST_DAY;

  useEffect(() => {
    if (refusals === 0) return;
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    const question = element.current?.querySelector('[data-question]');
    if (field) field.focus();
    else question?.scrollIntoView({ block: 'nearest' });
  }, [refusals]);

  const toggle = (name: SwitchName | 'with_nsfw_check') => ({
    checked: form[name],
    onChange: (value: boolean) => change(name, value),
  });
  const password = (name: keyof typeof PASSWORDS) => ({
    label: PASSWORDS[name],
    autoComplete: 'off',
    maxLength: 64,
    // One that is stored and not shown.
    hint: unseen && event[name] ? 'Leer lassen: Das bisherige bleibt.' : undefined,
  });
  const named = (name: SwitchName) => ({ label: SWITCHES[name], ...toggle(name) });
  const ask = (question: Question): void => setAnswers((before) => ({ ...before, [question]: false }));
  const answer = (asked: Question) => ({
    checked: answers[asked] === true,
    onChange: (yes: boolean) => setAnswers((before) => ({ ...before, [asked]: yes })),
  });

  function leave(): void {
    const changed = JSON.stringify(form) !== JSON.stringify(stored);
    if (!changed || window.confirm('Die Eingaben sind noch nicht gespeichert. Trotzdem schließen?')) onClose();
  }

  function submit(submitted: FormEvent): void {
    submitted.preventDefault();
    const refuse = (): void => setRefusals((count) => count + 1);
    const fine = check(checkForm(form));
    const asks = answers.doubt === undefined && question !== null;
    if (asks) ask('doubt');
    if (fine && !asks) void run(save).then(refuse);
    else refuse();
  }

  async function save(): Promise<void> {
    try {
      const { purge: confirm_purge, limit: confirm_limit } = answers;
      const body = {
        ...bodyOf(form),
        ...(unseen && { keep_passwords: true }),
        ...(event && { version: event.version }),
        confirm_purge,
        confirm_limit,
      };
      await onSubmit(body, withAccess && form.host_email === '');
    } catch (error) {
      if (error instanceof ApiError) setMistakes({ ...error.fields, host_email: error.fields.host ?? '' });
      if (isRefusal(error, 'purge_unconfirmed')) ask('purge');
      else if (isRefusal(error, 'limit_unconfirmed')) ask('limit');
      else if (isRefusal(error, 'event_changed')) setOutdated(true);
      else throw error;
    }
  }

  async function loadNewer(): Promise<void> {
    const fresh = event && (await onReload(event));
    if (!fresh) return onClose();
    setEvent(fresh);
    setTyped(formOf(fresh));
    setMistakes({});
    setOutdated(false);
    setAnswers({});
  }

  return (
    <Dialog wide title={opened ? 'Event bearbeiten' : 'Event erstellen'} onClose={leave}>
      <form ref={element} className={styles.form} onSubmit={submit} noValidate>
        {!opened && templates.length > 0 && (
          <fieldset className={styles.group}>
            <legend>Vorlage</legend>
            <div className={styles.presets}>
              {templates.map((one) => (
                <Button
                  key={one.name}
                  look="secondary"
                  aria-pressed={template === one.name}
                  onClick={() => {
                    setTyped((before) => withTemplate(before, one));
                    setTemplate(one.name);
                  }}
                >
                  {one.name}
                </Button>
              ))}
            </div>
          </fieldset>
        )}
        <Field label="Titel" required {...field('title')} />
        <Field label="Untertitel" {...field('subtitle')} />
        <div className={styles.pair}>
          <Field label="Startdatum" type="date" required min={FIRST_DAY} max={LAST_DAY} {...field('start_date')} />
          <Field label="Enddatum" type="date" required min={earliest} max={LAST_DAY} {...field('end_date')} />
        </div>
        <fieldset className={styles.group}>
          <legend>Gastgeber</legend>
          <Field
            label="E&#8209;Mail"
            type="email"
            autoComplete="off"
            hint={
              event
                ? 'Für Einladung und Erinnerungen.'
                : 'Mit der Adresse geht die Einladung gleich hinaus, wenn der Mailversand eingerichtet ist.'
            }
            {...field('host_email')}
          />
          {!event && isAdmin && form.host_email === '' && (
            <Switch
              label="Zugang gleich anlegen"
              hint="Das Passwort erscheint nach dem Erstellen, zum Ausdrucken."
              checked={withAccess}
              onChange={setWithAccess}
            />
          )}
          {form.host_email !== '' && (
            <Field label="Name" autoComplete="off" hint="So spricht die Mail an, zum Beispiel „Lena und Tom“." {...field('host_name')} />
          )}
        </fieldset>
        <fieldset className={styles.group}>
          <legend>Nur für Sie</legend>
          <div className={styles.pair}>
            <Field label="Kunde" autoComplete="off" {...field('customer')} />
            <Field label="Auftragsnummer" autoComplete="off" {...field('order_number')} />
          </div>
          <Field label="Notiz" rows={3} hint="Weder Gastgeber noch Gäste sehen das. Es wird mit den Fotos gelöscht." {...field('note')} />
        </fieldset>
        <Switch label={`${SWITCHES.is_active} (${automatic(form)})`} {...toggle('is_active')} />
        <fieldset className={styles.group}>
          <legend>Speicher</legend>
          <Field label="Speicherplatz in GB" inputMode="decimal" hint={`Leer bedeutet unbegrenzt.${used}`} {...field('storage_limit')} />
          <div className={styles.presets}>
            {sizesIn(templates).map((size) => (
              <Button key={size} look="secondary" onClick={() => change('storage_limit', size)}>
                {size} GB
              </Button>
            ))}
          </div>
        </fieldset>
        <fieldset className={styles.group}>
          <legend>Gäste</legend>
          <Switch {...named('with_user_upload')} />
          <Switch {...named('with_upload_password')} />
          {form.with_upload_password && <Field {...password('with_upload_password')} {...field('user_upload_password')} />}
          <Switch {...named('with_videos')} />
          <Switch label="NSFW-Filter" hint={NO_EFFECT} {...toggle('with_nsfw_check')} />
        </fieldset>
        <fieldset className={styles.group}>
          <legend>Slideshow und Fotobox</legend>
          <Switch {...named('with_slideshow')} />
          <Switch {...named('with_random_slideshow')} />
          <Switch {...named('with_release')} />
          <Switch {...named('with_fotobox')} />
          {form.with_fotobox && <Field {...password('with_fotobox')} {...field('fotobox_upload_password')} />}
        </fieldset>
        <div data-question className={styles.questions}>
          {failure && <Notice kind="error">{failure}</Notice>}
          {outdated && (
            <Notice kind="error">
              <strong>Jemand anders hat dieses Event inzwischen geändert.</strong>
              <span>Gespeichert ist noch nichts. Was Sie eingegeben haben, steht noch im Formular, bis Sie den neuen Stand laden.</span>
              <span>
                <Button look="secondary" busy={busy} onClick={() => void run(loadNewer)}>
                  Neuen Stand laden
                </Button>
              </span>
            </Notice>
          )}
          {answers.purge !== undefined && event && (
            <Notice kind="error">
              <strong>Mit diesem Enddatum sind die 30 Tage schon vorbei.</strong>
              <span>
                {counts.photos === 1 && counts.videos === 0 ? 'Ein Foto' : photosAndVideos(counts)} von „{event.title}“: Beim Speichern
                unwiderruflich gelöscht.
              </span>
              <Switch label={`Ja, die ${kindsIn(counts)} sofort löschen`} {...answer('purge')} />
            </Notice>
          )}
          {answers.limit !== undefined && event && (
            <Notice kind="warning">
              <strong>Belegt sind schon {formatBytes(event.storage_stats.total_size)}, mehr als diese Grenze.</strong>
              <span>Was da ist, bleibt; jedes neue Foto wird dann abgelehnt.</span>
              <Switch label="Ja, keine Fotos mehr annehmen" {...answer('limit')} />
            </Notice>
          )}
          {answers.doubt !== undefined && (
            <Notice kind="warning">
              <strong>{question}</strong>
              <Switch label="Ja, das Datum stimmt" {...answer('doubt')} />
            </Notice>
          )}
        </div>
        <DialogActions>
          <Button look="secondary" onClick={leave}>
            Abbrechen
          </Button>
          <Button
            type="submit"
            look={answers.purge === undefined ? 'primary' : 'danger'}
            busy={busy}
            disabled={Object.values(answers).includes(false) || outdated}
          >
            {submitLabel(event, answers.purge !== undefined)}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Limits that the templates have, each once. */
function sizesIn(templates: EventTemplate[]): string[] {
  return [...new Set(templates.map((template) => withTemplate(EMPTY_FORM, template).storage_limit))].filter(Boolean);
}

function submitLabel(event: AdminEvent | null, purge: boolean): string {
  if (event && purge) return `${kindsIn(countsIn(event))} sofort löschen und speichern`;
  return event ? 'Speichern' : 'Event erstellen';
}

/** When the event is active by its dates alone. */
function automatic({ start_date, end_date }: FormState): string {
  if (!isEventDay(start_date) || !isEventDay(end_date) || end_date < start_date)
    return 'sonst automatisch von 2 Tagen vor bis 30 Tage nach dem Event';
  const { opens, closes } = joinableWindow({ start_date, end_date });
  return `sonst automatisch von ${formatDay(berlinDay(opens))} bis ${formatDay(berlinDay(closes - 1))}`;
}
