import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { MAIL_TOPICS, MAILS, variablesOf, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call, messageOf } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Waiting } from '../../../ui/spinner.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { Deliveries } from '../deliveries.tsx';
import { MailPreview } from './mail-preview.tsx';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';
import type { KeptOf } from './use-settings.ts';

type MailSettings = SettingsOf<'mail'>;

/** Mail: whether it is sent, from whom, every text, and what became of it. */
export function MailSection() {
  const { data, error, refetch } = useQuery({ queryKey: ['mail'], queryFn: () => call('GET /admin/mail') });
  if (!data)
    return error ? (
      <Notice kind="error">
        <span>{messageOf(error)}</span>
        <span>
          <Button look="secondary" onClick={() => void refetch()}>
            Erneut versuchen
          </Button>
        </span>
      </Notice>
    ) : (
      <Waiting />
    );
  return (
    <div className={styles.section}>
      {data.from === null ? (
        <Notice kind="info" permanent>
          Es wird keine Mail verschickt: Auf dem Server fehlen die Einstellungen <code>SMTP_URL</code> und <code>MAIL_FROM</code>. Alles
          andere geht auch ohne; Einladungen geben Sie dann als Link weiter.
        </Notice>
      ) : (
        <TestMail from={data.from} />
      )}
      <SettingsSection section="mail">{(kept, save) => <MailFields kept={kept} samples={data.samples} onSave={save} />}</SettingsSection>
      <Deliveries lane="mail" title="Zuletzt verschickt" />
    </div>
  );
}

/** Sends a mail at once and shows what the server said. */
function TestMail({ from }: { from: string }) {
  const { field, typed, onSubmit, failure, busy } = useForm({ to: '' });
  const [said, setSaid] = useState<{ accepted: boolean; answer: string } | null>(null);
  return (
    <form
      className={styles.group}
      noValidate
      onSubmit={onSubmit(async () => {
        setSaid(null);
        setSaid(await call('POST /admin/mail/test', { body: typed }));
      })}
    >
      <p>
        Mails kommen von <strong>{from}</strong>.
      </p>
      <div className={styles.pair}>
        <Field label="Testmail an" type="email" autoComplete="email" {...field('to')} />
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
      {said && (
        <Notice kind={said.accepted ? 'success' : 'error'}>
          <span>
            {said.accepted ? 'Der Mailserver hat die Mail angenommen. Seine Antwort:' : 'Der Mailserver hat die Mail nicht angenommen:'}
          </span>
          <code>{said.answer}</code>
        </Notice>
      )}
      <div>
        <Button type="submit" look="secondary" busy={busy}>
          Testmail senden
        </Button>
      </div>
    </form>
  );
}

interface MailFieldsProps {
  kept: KeptOf<'mail'>;
  samples: Record<MailTopic, MailValues>;
  onSave(value: MailSettings): Promise<void>;
}

type Texts = MailSettings['texts'];
const textOf = (texts: Texts, topic: MailTopic) => texts[topic] ?? { subject: MAILS[topic].subject, body: MAILS[topic].body };

function MailFields({ kept: { value }, samples, onSave }: MailFieldsProps) {
  const { senderName = '', replyTo = '', operator = '' } = value ?? {};
  const { typed, field, failure, busy, onSubmit } = useForm({ senderName, replyTo, operator });
  const [texts, setTexts] = useState<Texts>(value?.texts ?? {});
  const [topic, setTopic] = useState<MailTopic>('invitation');
  const [mistakes, setMistakes] = useState<Record<string, string>>({});
  const text = textOf(texts, topic);
  const change = (part: 'subject' | 'body', words: string): void => setTexts({ ...texts, [topic]: { ...text, [part]: words } });
  const changed = texts[topic] !== undefined;

  async function save(): Promise<void> {
    setMistakes({});
    const asShipped = (one: MailTopic): boolean => texts[one]?.subject === MAILS[one].subject && texts[one].body === MAILS[one].body;
    const own = Object.fromEntries(Object.entries(texts).filter(([one]) => !asShipped(one as MailTopic)));
    const said = Object.fromEntries(Object.entries(typed).filter(([, words]) => words.trim() !== ''));
    await onSave({ ...said, texts: own }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      setMistakes(error.fields);
      const wrong = MAIL_TOPICS.find((one) => Object.keys(error.fields).some((path) => path.startsWith(`texts.${one}.`)));
      if (wrong) setTopic(wrong);
      throw error;
    });
  }

  return (
    <div className={styles.beside}>
      <form className={styles.form} onSubmit={onSubmit(save)} noValidate>
        <fieldset className={styles.group}>
          <legend>Absender</legend>
          <Field label="Name des Absenders" hint="Leer: der Name Ihres Betriebs." autoComplete="off" {...field('senderName')} />
          <Field
            label="Antworten gehen an"
            type="email"
            autoComplete="off"
            hint="Leer: an die Adresse des Absenders."
            {...field('replyTo')}
          />
          <Field
            label="Mails an Sie selbst gehen an"
            type="email"
            autoComplete="off"
            hint="Leer: an die Mailadresse Ihres Betriebs."
            {...field('operator')}
          />
        </fieldset>
        <fieldset className={styles.group}>
          <legend>Texte</legend>
          <label className={styles.choice}>
            <span>Mail</span>
            <select value={topic} onChange={({ target }) => setTopic(target.value as MailTopic)}>
              {(['host', 'operator'] as const).map((to) => (
                <optgroup key={to} label={to === 'host' ? 'An Gastgeber' : 'An Sie'}>
                  {MAIL_TOPICS.filter((one) => MAILS[one].to === to).map((one) => (
                    <option key={one} value={one}>
                      {MAILS[one].name}
                      {texts[one] && ' (geändert)'}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </label>
          <Field
            label="Betreff"
            value={text.subject}
            maxLength={200}
            error={mistakes[`texts.${topic}.subject`]}
            onChange={({ target }) => change('subject', target.value)}
          />
          <Field
            label="Text"
            rows={12}
            value={text.body}
            maxLength={4000}
            error={mistakes[`texts.${topic}.body`]}
            hint={
              <>
                Eine leere Zeile trennt Absätze; <code>[Worte]({'{link}'})</code> in einer eigenen Zeile wird ein Knopf. Einsetzen lassen
                sich:{' '}
                {variablesOf(topic)
                  .map((name) => `{${name}}`)
                  .join(' ')}
              </>
            }
            onChange={({ target }) => change('body', target.value)}
          />
          {changed && (
            <div>
              <Button look="quiet" onClick={() => setTexts(Object.fromEntries(Object.entries(texts).filter(([one]) => one !== topic)))}>
                Mitgelieferten Text nehmen
              </Button>
            </div>
          )}
        </fieldset>
        {failure && <Notice kind="error">{failure}</Notice>}
        <div>
          <Button type="submit" busy={busy}>
            Speichern
          </Button>
        </div>
      </form>
      <MailPreview text={text} values={samples[topic]} />
    </div>
  );
}
