import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { MAIL_TOPICS, MAILS, variablesOf, type MailTopic, type MailValues } from '@feierbild/contract/mail.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../../api/client.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useWhileTyped } from '../../../lib/typed-guard.ts';
import { useForm } from '../../../ui/use-form.ts';
import { Deliveries } from '../deliveries.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Select, type Option } from '../../../ui/select.tsx';
import { MailServer } from './mail-server.tsx';
import { MailPreview } from './mail-preview.tsx';
import { PathFields } from './path-fields.tsx';
import { at, formOf, shownOf, typedOf, type Group, type PathForm } from './path-form.ts';
import { FormFrame } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

/** Mails whose link ends in a token. */
const WITH_TOKEN: ReadonlySet<MailTopic> = new Set(['invitation', 'deleted']);

/** The settings for mail: server, sender, all texts, and the deliveries. */
export function MailSection() {
  const query = useQuery({ queryKey: ['mail'], queryFn: () => call('GET /admin/mail') });
  const [isSaved, setSaved] = useState(false);
  /** `begun`: the first values of the server's form. */
  const { shown: begun, base, take, saved } = useWhileTyped(query.data?.server);
  const read = async () => (await query.refetch()).data?.server;
  return (
    <Loaded query={query}>
      {({ from, fixed, server, origin, samples }) => (
        <div className={styles.section}>
          <Deliveries lane="mail" title="Nicht zugestellt" only="failed" />
          {from === null && (
            <Notice kind="info" permanent>
              Es wird keine Mail verschickt, solange kein Mailserver eingetragen ist. Alles andere geht auch ohne; Einladungen geben Sie
              dann als Link weiter.
            </Notice>
          )}
          {isSaved && from !== null && (
            <Notice kind="success" onDismiss={() => setSaved(false)}>
              Gespeichert. Senden Sie sich jetzt eine Testmail.
            </Notice>
          )}
          {from !== null && <TestMail from={from} />}
          {fixed ? (
            <p className="soft">
              Der Mailserver ist auf dem Server festgelegt: <code>SMTP_URL</code> und <code>MAIL_FROM</code>.
            </p>
          ) : (
            // The form begins anew with the saved values.
            <MailServer
              key={JSON.stringify(begun)}
              server={begun ?? null}
              was={base ?? null}
              origin={origin}
              isOutdated={base !== undefined && base !== server}
              onChanged={async () => {
                saved(await read());
                setSaved(true);
              }}
              onReload={async () => take(await read())}
            />
          )}
          <SettingsSection section="mail">
            {({ value }, save) => <MailForm value={value} samples={samples} onSave={save} />}
          </SettingsSection>
          <Deliveries lane="mail" title="Zuletzt verschickt" />
        </div>
      )}
    </Loaded>
  );
}

/** Sends a mail at once and shows the server's answer. */
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

const SENDER: Group = {
  legend: 'Absender',
  fields: [
    { path: 'senderName', label: 'Name des Absenders', hint: 'Leer: der Name Ihres Betriebs.' },
    { path: 'replyTo', label: 'Antworten gehen an', hint: 'Leer: an die Adresse des Absenders.', kind: 'email' },
    { path: 'operator', label: 'Mails an Sie selbst gehen an', hint: 'Leer: an die Mailadresse Ihres Betriebs.', kind: 'email' },
  ],
};
type Part = 'subject' | 'body';
const pathOf = (topic: MailTopic, part: Part): string => `texts.${topic}.${part}`;
/** The default texts, by their paths. */
const SHIPPED: PathForm = Object.fromEntries(
  MAIL_TOPICS.flatMap((topic) => (['subject', 'body'] as const).map((part) => [pathOf(topic, part), MAILS[topic][part]])),
);

interface MailFormProps {
  value: SettingsOf<'mail'> | null;
  samples: Record<MailTopic, MailValues>;
  onSave(value: SettingsOf<'mail'>): Promise<void>;
}

function MailForm({ value, samples, onSave }: MailFormProps) {
  const form = useForm<PathForm>({
    ...formOf(SENDER.fields, value),
    ...Object.fromEntries(Object.entries(SHIPPED).map(([path, shipped]) => [path, shownOf(at(value, path) ?? shipped, 'text')])),
  });
  const { typed, field, change } = form;
  const [topic, setTopic] = useState<MailTopic>('invitation');
  const text = (part: Part) => ({ ...field(pathOf(topic, part)), value: String(typed[pathOf(topic, part)]) });
  const [subject, body] = [text('subject'), text('body')];
  const isChanged = (one: MailTopic): boolean =>
    (['subject', 'body'] as const).some((part) => typed[pathOf(one, part)] !== SHIPPED[pathOf(one, part)]);

  async function save(): Promise<void> {
    const own = MAIL_TOPICS.filter(isChanged).map((one) => {
      return [one, { subject: String(typed[pathOf(one, 'subject')]), body: String(typed[pathOf(one, 'body')]) }];
    });
    await onSave({ ...typedOf(SENDER.fields, typed), texts: Object.fromEntries(own) }).catch((error: unknown) => {
      // The mail with the mistake is shown.
      const paths = error instanceof ApiError ? Object.keys(error.fields) : [];
      const wrong = MAIL_TOPICS.find((one) => paths.some((path) => path.startsWith(`texts.${one}.`)));
      if (wrong) setTopic(wrong);
      throw error;
    });
  }

  return (
    <FormFrame
      form={form}
      onSubmit={form.onSubmit(save)}
      preview={
        <MailPreview text={{ subject: subject.value, body: body.value }} values={samples[topic]} withToken={WITH_TOKEN.has(topic)} />
      }
    >
      <PathFields groups={[SENDER]} form={form} />
      <fieldset className={styles.group}>
        <legend>Texte</legend>
        <Select<MailTopic>
          label="Mail"
          value={topic}
          onChange={setTopic}
          options={(['host', 'operator'] as const).map((to) => ({
            name: to === 'host' ? 'An Gastgeber' : 'An Sie',
            options: MAIL_TOPICS.filter((one) => MAILS[one].to === to).map((one): Option<MailTopic> => [
              one,
              `${MAILS[one].name}${isChanged(one) ? ' (geändert)' : ''}`,
            ]),
          }))}
        />
        <Field label="Betreff" maxLength={200} {...subject} />
        <Field
          label="Text"
          rows={12}
          maxLength={4000}
          hint={
            <>
              Eine leere Zeile trennt Absätze; <code>[Worte]({'{link}'})</code> in einer eigenen Zeile wird ein Knopf. Einsetzen lassen
              sich:{' '}
              {variablesOf(topic)
                .map((name) => `{${name}}`)
                .join(' ')}
            </>
          }
          {...body}
        />
        {isChanged(topic) && (
          <div>
            <Button
              look="quiet"
              onClick={() => (['subject', 'body'] as const).forEach((part) => change(pathOf(topic, part), MAILS[topic][part]))}
            >
              Mitgelieferten Text nehmen
            </Button>
          </div>
        )}
      </fieldset>
    </FormFrame>
  );
}
