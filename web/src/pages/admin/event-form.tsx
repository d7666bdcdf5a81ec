import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import type { EventFormInput } from '@feierbild/contract/event-form.ts';
import type { EventTemplate } from '@feierbild/contract/event-templates.ts';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { isRefusal } from '../../api/client.ts';
import { withText } from '../../api/with-text.ts';
import { formatBytes } from '../../lib/format-bytes.ts';
import { newSendKey } from '../../lib/use-send-key.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Outdated } from '../../ui/outdated.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useForm } from '../../ui/use-form.ts';
import { countsIn, kindsIn, photosAndVideos } from '../../video/counts.ts';
import styles from './admin.module.css';
import { eventFields } from './event-fields.ts';
import { PathFields } from './settings/path-fields.tsx';
import { bodyOf, checkForm, doubtOf, EMPTY_FORM, formOf, likeOf, withTemplate, type FormState } from './form-model.ts';
import { renamed } from './renamed.ts';

interface EventFormProps {
  /** The event to edit; null to create one. */
  event: AdminEvent | null;
  /** The event whose values a new one begins with. */
  like?: AdminEvent | undefined;
  /** The templates for a new event. */
  templates: EventTemplate[];
  isAdmin: boolean;
  onClose(): void;
  /** Sends the form, which shows its ApiError. `withAccess`: the host gets a password; `key` is the same however often it is sent. */
  onSubmit(body: EventFormInput, withAccess: boolean, key: string): Promise<void>;
  /** Reads the event after somebody else has changed it; null if it is gone. */
  onReload(event: AdminEvent): Promise<AdminEvent | null>;
}

/** Questions before a save: the dates are unusual, photos would be deleted at once, the limit is below the used storage. */
type Question = 'doubt' | 'purge' | 'limit';
/** The asked questions, each with whether it was confirmed. */
type Answers = Partial<Record<Question, boolean>>;
/** The fields whose change withdraws a question. */
const ABOUT: Record<Question, (keyof FormState)[]> = {
  doubt: ['start_date', 'end_date'],
  purge: ['end_date'],
  limit: ['storage_limit'],
};

/** Shown if something else was typed after a lost answer. */
const CREATED =
  'Das Event wurde schon angelegt, wie es vorher hier stand. Bitte schließen Sie dieses Formular, und ändern Sie es in der Liste.';

/** The dialog that creates and edits events. */
export function EventForm({ event: opened, like, templates, isAdmin, onClose, onSubmit, onReload }: EventFormProps) {
  const element = useRef<HTMLFormElement>(null);
  /** The event as last loaded; null while one is created. */
  const [event, setEvent] = useState(opened);
  const stored = useMemo(() => (event ? formOf(event) : like ? likeOf(like) : newForm(templates)), [event, like, templates]);
  /** The name of the chosen template. */
  const [template, setTemplate] = useState(opened || like ? '' : (templates[0]?.name ?? ''));
  const [answers, setAnswers] = useState<Answers>({});
  const withdraw = (name: keyof FormState): void =>
    setAnswers((before) => Object.fromEntries(Object.entries(before).filter(([asked]) => !ABOUT[asked as Question].includes(name))));
  const form = useForm<FormState>(stored, withdraw);
  const { typed, setTyped } = form;
  const [today] = useState(() => berlinDay(Date.now()));
  const counts = event ? countsIn(event) : { photos: 0, videos: 0 };
  const doubt = doubtOf(typed, stored, counts.photos + counts.videos, today);
  const [outdated, setOutdated] = useState(false);
  /** The Idempotency-Key: after a lost answer, the next press makes no second event. */
  const [key] = useState(newSendKey);

  useEffect(() => {
    element.current?.querySelector('[data-question]')?.scrollIntoView({ block: 'nearest' });
  }, [answers, outdated]);

  const ask = (question: Question): void => setAnswers((before) => ({ ...before, [question]: false }));

  async function save(): Promise<void> {
    if (answers.doubt === undefined && doubt !== null) return ask('doubt');
    const { with_access, ...sent } = typed;
    const body = {
      ...bodyOf(sent),
      ...(event && { version: event.version, ...(!isAdmin && { keep_passwords: true }) }),
      confirm_purge: answers.purge,
      confirm_limit: answers.limit,
    };
    try {
      await onSubmit(body, with_access && sent.host_email === '', key);
    } catch (error) {
      if (isRefusal(error, 'purge_unconfirmed')) ask('purge');
      else if (isRefusal(error, 'limit_unconfirmed')) ask('limit');
      else if (isRefusal(error, 'event_changed')) setOutdated(true);
      else throw withText(renamed(error, { host: 'host_email' }), 'idempotency_reused', CREATED);
    }
  }

  async function loadNewer(): Promise<void> {
    const fresh = event && (await onReload(event));
    if (!fresh) return onClose();
    setEvent(fresh);
    setTyped(formOf(fresh));
    form.check({});
    setOutdated(false);
    setAnswers({});
  }

  const question = (asked: Question, kind: 'warning' | 'error', yes: string, text: ReactNode): ReactNode =>
    answers[asked] !== undefined && (
      <Notice kind={kind}>
        {text}
        <Switch label={yes} checked={answers[asked]} onChange={(on) => setAnswers((before) => ({ ...before, [asked]: on }))} />
      </Notice>
    );
  const kinds = kindsIn(counts);
  const used = event && formatBytes(event.storage_stats.total_size);

  return (
    <FormDialog
      wide
      ref={element}
      title={opened ? 'Event bearbeiten' : 'Event erstellen'}
      // After a reload `stored` is newer than the form's first values.
      form={{ ...form, changed: JSON.stringify(typed) !== JSON.stringify(stored) }}
      onSubmit={form.onSubmit(save, () => checkForm(typed))}
      onClose={onClose}
      submit={!event ? 'Event erstellen' : answers.purge === undefined ? 'Speichern' : `${kinds} sofort löschen und speichern`}
      look={answers.purge === undefined ? 'primary' : 'danger'}
      disabled={Object.values(answers).includes(false) || outdated}
      asked={
        <>
          {outdated && (
            <Outdated
              title="Jemand anders hat dieses Event inzwischen geändert."
              busy={form.busy}
              onLoad={() => void form.run(loadNewer)}
            />
          )}
          {question(
            'purge',
            'error',
            `Ja, die ${kinds} sofort löschen`,
            <>
              <strong>Mit diesem Enddatum sind die 30 Tage schon vorbei.</strong>
              <span>
                {counts.photos === 1 && counts.videos === 0 ? 'Ein Foto' : photosAndVideos(counts)} von „{event?.title}“: Beim Speichern
                gelöscht und für den Gastgeber verloren.
              </span>
            </>,
          )}
          {question(
            'limit',
            'warning',
            'Ja, keine Fotos mehr annehmen',
            <>
              <strong>Belegt sind schon {used}, mehr als diese Grenze.</strong>
              <span>Was da ist, bleibt; jedes neue Foto wird dann abgelehnt.</span>
            </>,
          )}
          {question('doubt', 'warning', 'Ja, das Datum stimmt', <strong>{doubt}</strong>)}
        </>
      }
    >
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
      <PathFields groups={eventFields({ form: typed, event, isAdmin, templates })} form={form} />
    </FormDialog>
  );
}

/** Fills a new form from the first template: without one the storage, which is sold, would have no limit. */
const newForm = ([first]: EventTemplate[]): FormState => (first ? withTemplate(EMPTY_FORM, first) : EMPTY_FORM);
