import { useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { reporting as t } from '../texts/guest/report.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { Notice } from './notice.tsx';
import styles from './report-form.module.css';
import { useForm } from './use-form.ts';

type Report = Record<'event' | 'photo' | 'reason' | 'name' | 'email', string>;
/** Unsent input by event and photo, with which a closed form opens again. */
const kept = new Map<string, Report>();

/** „Foto melden“: tells the operator of a photo that should be deleted. `event` and `photo` are set as far as the page knows them. */
export function ReportForm({ event = '', photo = '' }: { event?: string; photo?: string }) {
  const known = { event, photo, reason: '', name: '', email: '' };
  const place = event + photo;
  const { field, typed, setTyped, onSubmit, failure, busy } = useForm(kept.get(place) ?? known);
  useEffect(() => void kept.set(place, typed), [place, typed]);
  /** Time of the report's receipt; null once the visitor has closed the answer. */
  const [receivedAt, setReceivedAt] = useState<string | null>();
  /** An element that exists from the start, so that screen readers announce the answer. It gets the focus of the removed button. */
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (receivedAt !== undefined) answer.current?.focus();
  }, [receivedAt]);

  async function submit(): Promise<void> {
    setReceivedAt((await call('POST /api/reports', { body: typed })).received_at);
    setTyped(known);
    // The form may have been closed meanwhile.
    kept.set(place, known);
  }

  return (
    <div>
      <div ref={answer} role="status" tabIndex={-1}>
        {receivedAt && (
          <Notice kind="success" permanent onDismiss={() => setReceivedAt(null)}>
            <strong>{t.arrived}</strong>
            <span>{t.arrivedText(receivedAt)}</span>
          </Notice>
        )}
      </div>
      {!receivedAt && (
        <Form className={styles.form} onSubmit={onSubmit(submit)} noValidate>
          {!event && <Field label={t.event} hint={t.eventHint} maxLength={200} {...field('event')} />}
          <Field label={t.which} hint={photo === '' ? t.whichHint : t.byNumber} rows={3} maxLength={1000} {...field('photo')} />
          <Field label={t.why} rows={3} maxLength={4000} {...field('reason')} />
          <Field label={t.name} autoComplete="name" maxLength={200} {...field('name')} />
          <Field label={t.email} hint={t.emailHint} type="email" autoComplete="email" maxLength={254} {...field('email')} />
          <p className={styles.note}>{t.truth}</p>
          {failure && <Notice kind="error">{failure}</Notice>}
          <Button type="submit" busy={busy}>
            {t.send}
          </Button>
        </Form>
      )}
    </div>
  );
}
