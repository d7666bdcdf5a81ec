import { joinableWindow } from '@feierbild/contract/event-status.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { AdminEvent, EventFormInput } from '@feierbild/contract/entities.ts';
import { useId, useState, type FormEvent } from 'react';
import { ApiError, messageOf } from '../../api/client.ts';
import { formatDay, plural } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import styles from './admin.module.css';
import { bodyOf, checkForm, EMPTY_FORM, FIRST_DAY, formOf, isEventDay, LAST_DAY, type FormState } from './form-model.ts';

const PRESETS = ['5', '15', '50'];
const NO_EFFECT = 'In der Beta ohne Wirkung';

interface EventFormProps {
  show: boolean;
  /** The event to edit; null to create one. */
  event: AdminEvent | null;
  onClose(): void;
  /** Sends the form; an ApiError is shown here. */
  onSubmit(body: EventFormInput): Promise<void>;
  /** The event as it is now, or null where it is gone: somebody else has changed it. */
  onReload(event: AdminEvent): Promise<AdminEvent | null>;
}

/** One dialog creates and edits. */
export function EventForm({ show, event, onClose, onSubmit, onReload }: EventFormProps) {
  return (
    <Dialog open={show} wide title={event ? 'Event bearbeiten' : 'Event erstellen'} onClose={onClose}>
      {/* A fresh form for each event and each opening. */}
      {show && <Form key={event?.id ?? 'new'} event={event} onClose={onClose} onSubmit={onSubmit} onReload={onReload} />}
    </Dialog>
  );
}

function Form({ event: opened, onClose, onSubmit, onReload }: Omit<EventFormProps, 'show'>) {
  const id = useId();
  /** As the form knows it; null where one is created. */
  const [event, setEvent] = useState(opened);
  const [form, setForm] = useState<FormState>(() => (event ? formOf(event) : EMPTY_FORM));
  const [mistakes, setMistakes] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState('');
  /** Saving would delete the photos at once: asked, then confirmed. */
  const [purge, setPurge] = useState<'asked' | 'confirmed' | null>(null);
  const [outdated, setOutdated] = useState(false);
  const [busy, setBusy] = useState(false);

  const set = <K extends keyof FormState>(name: K, value: FormState[K]): void => {
    setForm((before) => ({ ...before, [name]: value }));
    setMistakes((before) => Object.fromEntries(Object.entries(before).filter(([field]) => field !== name)));
    if (name === 'end_date') setPurge(null);
  };
  const field = (
    name: 'title' | 'subtitle' | 'start_date' | 'end_date' | 'storage_limit' | 'user_upload_password' | 'fotobox_upload_password',
  ) => ({
    value: form[name],
    error: mistakes[name],
    onChange: ({ target }: { target: HTMLInputElement }) => set(name, target.value),
  });
  const toggle = (name: keyof FormState) => ({
    checked: form[name] === true,
    onChange: (value: boolean) => set(name, value as never),
  });

  async function submit(submitted: FormEvent): Promise<void> {
    submitted.preventDefault();
    const found = checkForm(form);
    setMistakes(found);
    setFailure('');
    if (Object.keys(found).length > 0 || busy) return;
    setBusy(true);
    try {
      await onSubmit({ ...bodyOf(form), ...(event && { version: event.version }), ...(purge === 'confirmed' && { confirm_purge: true }) });
    } catch (error) {
      setBusy(false);
      if (error instanceof ApiError) setMistakes(error.fields);
      const code = error instanceof ApiError ? error.code : '';
      setPurge(code === 'purge_unconfirmed' ? 'asked' : null);
      setOutdated(code === 'event_changed');
      setFailure(code === 'purge_unconfirmed' || code === 'event_changed' ? '' : messageOf(error));
    }
  }

  async function loadNewer(): Promise<void> {
    if (!event) return;
    try {
      const fresh = await onReload(event);
      if (!fresh) return onClose();
      setEvent(fresh);
      setForm(formOf(fresh));
      setMistakes({});
      setOutdated(false);
    } catch (error) {
      setFailure(messageOf(error));
    }
  }

  return (
    <form id={id} className={styles.form} onSubmit={(submitted) => void submit(submitted)} noValidate>
      <Field label="Titel" required {...field('title')} />
      <Field label="Untertitel" {...field('subtitle')} />
      <div className={styles.pair}>
        <Field label="Startdatum" type="date" required min={FIRST_DAY} max={LAST_DAY} {...field('start_date')} />
        <Field
          label="Enddatum"
          type="date"
          required
          min={isEventDay(form.start_date) ? form.start_date : FIRST_DAY}
          max={LAST_DAY}
          {...field('end_date')}
        />
      </div>
      <Switch label={`Dauerhaft aktiv (${automatic(form)})`} {...toggle('is_active')} />
      <fieldset className={styles.group}>
        <legend>Speicher</legend>
        <Field label="Speicherplatz in GB" inputMode="decimal" hint="Leer bedeutet unbegrenzt." {...field('storage_limit')} />
        <div className={styles.presets}>
          {PRESETS.map((size) => (
            <Button key={size} look="secondary" onClick={() => set('storage_limit', size)}>
              {size} GB
            </Button>
          ))}
        </div>
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Gäste</legend>
        <Switch label="Upload durch Gäste" {...toggle('with_user_upload')} />
        <Switch label="Upload-Passwort" {...toggle('with_upload_password')} />
        {form.with_upload_password && (
          <Field label="Passwort für Gäste" autoComplete="off" maxLength={64} {...field('user_upload_password')} />
        )}
        <Switch label="Videos" hint={NO_EFFECT} {...toggle('with_videos')} />
        <Switch label="NSFW-Filter" hint={NO_EFFECT} {...toggle('with_nsfw_check')} />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Slideshow und Fotobox</legend>
        <Switch label="Slideshow" {...toggle('with_slideshow')} />
        <Switch label="Zufällige Reihenfolge" {...toggle('with_random_slideshow')} />
        <Switch label="Fotobox" {...toggle('with_fotobox')} />
        {form.with_fotobox && (
          <Field label="Passwort der Fotobox" autoComplete="off" maxLength={64} {...field('fotobox_upload_password')} />
        )}
      </fieldset>
      {failure && <Notice kind="error">{failure}</Notice>}
      {outdated && (
        <Notice kind="error">
          <strong>Jemand anders hat dieses Event inzwischen geändert.</strong>
          <span>Gespeichert ist noch nichts. Was Sie eingegeben haben, steht noch im Formular, bis Sie den neuen Stand laden.</span>
          <span>
            <Button look="secondary" onClick={() => void loadNewer()}>
              Neuen Stand laden
            </Button>
          </span>
        </Notice>
      )}
      {purge && event && (
        <Notice kind="error">
          <strong>Mit diesem Enddatum sind die 30 Tage schon vorbei.</strong>
          <span>
            {plural(event.storage.photos.count, 'Ein Foto', '# Fotos')} von „{event.title}“: Beim Speichern unwiderruflich gelöscht.
          </span>
          <Switch
            label="Ja, die Fotos sofort löschen"
            checked={purge === 'confirmed'}
            onChange={(yes) => setPurge(yes ? 'confirmed' : 'asked')}
          />
        </Notice>
      )}
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          Abbrechen
        </Button>
        <Button type="submit" look={purge ? 'danger' : 'primary'} busy={busy} disabled={purge === 'asked' || outdated}>
          {submitLabel(event !== null, purge !== null)}
        </Button>
      </DialogActions>
    </form>
  );
}

function submitLabel(editing: boolean, purge: boolean): string {
  if (purge) return 'Fotos sofort löschen und speichern';
  return editing ? 'Speichern' : 'Event erstellen';
}

/** When the event is active by its dates alone. */
function automatic({ start_date, end_date }: FormState): string {
  if (!isEventDay(start_date) || !isEventDay(end_date) || end_date < start_date)
    return 'sonst automatisch von 2 Tagen vor bis 30 Tage nach dem Event';
  const { opens, closes } = joinableWindow({ start_date, end_date });
  return `sonst automatisch von ${formatDay(berlinDay(opens))} bis ${formatDay(berlinDay(closes - 1))}`;
}
