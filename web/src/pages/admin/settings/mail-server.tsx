import { SMTP_TLS_PORT } from '@feierbild/contract/constants.ts';
import type { SetMailServer } from '@feierbild/contract/mail-schemas.ts';
import { useState } from 'react';
import { NO_NUMBER, call, isRefusal } from '../../../api/client.ts';
import { germanNumber } from '../../../lib/german-number.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Outdated } from '../../../ui/outdated.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { FormFrame } from './settings-form.tsx';
import styles from './settings.module.css';

interface MailServerProps {
  /** The mail server set in the browser, or null. */
  server: SetMailServer | null;
  /** The version that the next save changes: `server`, or this form's later save. */
  was: SetMailServer | null;
  /** PUBLIC_URL; null if the form has to ask for it. */
  origin: string | null;
  /** Whether somebody else has set another server since the form was begun. */
  isOutdated: boolean;
  onChanged(): Promise<unknown>;
  /** Reads the setting again after somebody else has changed it. */
  onReload(): Promise<unknown>;
}

/** The form for the mail server and the sender, as the mail provider states them. */
export function MailServer({ server, was, origin, isOutdated, onChanged, onReload }: MailServerProps) {
  const form = useForm({
    host: server?.host ?? '',
    port: server ? String(server.port) : String(SMTP_TLS_PORT),
    user: server?.user ?? '',
    password: '',
    sender: server?.sender ?? '',
    origin: origin ?? server?.origin ?? window.location.origin,
  });
  const { typed, field } = form;
  const [asks, setAsks] = useState(false);
  const [refused, setRefused] = useState(false);

  async function save(): Promise<void> {
    const { password, port, ...rest } = typed;
    const body = { ...rest, port: germanNumber(port), ...(password !== '' && { password }), was };
    try {
      await call('PUT /admin/mail/server', { body });
    } catch (error) {
      if (!isRefusal(error, 'settings_changed')) throw error;
      return setRefused(true);
    }
    await onChanged();
  }
  async function remove(): Promise<void> {
    await call('DELETE /admin/mail/server');
    await onChanged();
  }
  const found = (): Record<string, string> => (Number.isNaN(germanNumber(typed.port)) ? { port: NO_NUMBER } : {});

  return (
    <FormFrame form={{ ...form, changed: form.changed || refused }} onSubmit={form.onSubmit(save, found)} label="Mailserver speichern">
      <fieldset className={`${styles.group} ${styles.pair}`}>
        <legend>Mailserver</legend>
        <Field
          label="Mailserver (SMTP)"
          autoComplete="off"
          spellCheck={false}
          required
          hint="Wie ihn Ihr Mailanbieter unter „SMTP“ oder „Postausgang“ nennt."
          {...field('host')}
        />
        <Field
          label="Port"
          inputMode="numeric"
          required
          hint="465 verschlüsselt von Anfang an, jeder andere verlangt STARTTLS."
          {...field('port')}
        />
        <Field
          label="Benutzername"
          autoComplete="off"
          spellCheck={false}
          hint="Oft die ganze Mailadresse. Leer: ohne Anmeldung."
          {...field('user')}
        />
        <Field
          label="Passwort des Postfachs"
          type="password"
          autoComplete="new-password"
          hint={
            server?.has_password ? 'Leer: Das gespeicherte bleibt.' : 'Es liegt verschlüsselt in der Datenbank und in keiner Sicherung.'
          }
          {...field('password')}
        />
        <Field label="Adresse des Absenders" type="email" autoComplete="off" required {...field('sender')} />
        <Field
          label="Adresse dieser Seiten"
          hint={origin === null ? 'Dahin führen die Links in den Mails.' : 'Festgelegt durch PUBLIC_URL.'}
          disabled={origin !== null}
          required
          {...field('origin')}
        />
      </fieldset>
      {(refused || (isOutdated && !form.busy)) && (
        <Outdated title="Jemand anders hat den Mailserver inzwischen geändert." busy={form.busy} onLoad={() => void form.run(onReload)} />
      )}
      {server && (
        <div>
          {asks ? (
            <Notice kind="warning">
              <span>Dann geht keine Mail mehr hinaus, auch keine, die schon wartet.</span>
              <span>
                <Button look="danger" busy={form.busy} onClick={() => void form.run(remove)}>
                  Mailserver vergessen
                </Button>
              </span>
            </Notice>
          ) : (
            <Button look="quiet" onClick={() => setAsks(true)}>
              Mailserver vergessen …
            </Button>
          )}
        </div>
      )}
    </FormFrame>
  );
}
