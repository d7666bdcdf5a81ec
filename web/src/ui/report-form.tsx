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
/** What was typed and not sent, by what the page knows: a form that was closed or left goes on with it. */
const kept = new Map<string, Report>();

/** „Foto melden“: names an event and a photo that should be deleted, for the operator. `event` and `photo` are what the page knows already. */
export function ReportForm({ event = '', photo = '' }: { event?: string; photo?: string }) {
  const known = { event, photo, reason: '', name: '', email: '' };
  const place = event + photo;
  const { field, typed, setTyped, onSubmit, failure, busy } = useForm(kept.get(place) ?? known);
  useEffect(() => void kept.set(place, typed), [place, typed]);
  /** Null once the answer was read. */
  const [receivedAt, setReceivedAt] = useState<string | null>();
  /** Is there from the start: what comes into it is heard. The button that had the focus is gone. */
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (receivedAt !== undefined) answer.current?.focus();
  }, [receivedAt]);

  async function submit(): Promise<void> {
    setReceivedAt((await call('POST /api/reports', { body: typed })).received_at);
    setTyped(known);
    // Also where the form was closed meanwhile.
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
