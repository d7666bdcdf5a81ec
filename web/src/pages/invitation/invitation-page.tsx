import { HOST_PASSWORD_MIN } from '@feierbild/contract/constants.ts';
import { cleanEventCode } from '@feierbild/contract/event-code.ts';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { call, isRefusal, messageOf } from '../../api/client.ts';
import { formatInstant } from '../../lib/format.ts';
import { useLinkToken } from '../../lib/use-link-token.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import styles from '../../ui/form-page.module.css';
import { Headline } from '../../ui/headline.tsx';
import { heldStill } from '../../ui/held-still.ts';
import { IncompleteLink } from '../../ui/incomplete-link.tsx';
import { FailedPage, MessagePage } from '../../ui/message-page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { useForm } from '../../ui/use-form.ts';
import { UserName } from '../../ui/user-name.tsx';

interface Invitation {
  code: string;
  title: string;
  expires_at: string;
}
type Looked = { invitation: Invitation } | { error: unknown } | null;

/** /einladung/{code}#{token}: the host sets the password. */
export default function InvitationPage({ code: raw }: { code: string }) {
  const [token, give] = useLinkToken('entry');
  if (token === '')
    return (
      <IncompleteLink onToken={give}>
        In der Mail mit der Einladung steht auch ein Code. Fügen Sie ihn hier ein, oder den ganzen Link.
      </IncompleteLink>
    );
  return <Invited key={token} code={cleanEventCode(raw)} token={token} />;
}

function Invited({ code, token }: { code: string; token: string }) {
  const [looked, setLooked] = useState<Looked>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const ending = new AbortController();
    call('POST /auth/invitation', { body: { code, token }, signal: ending.signal }).then(
      (invitation) => setLooked({ invitation }),
      (error: unknown) => ending.signal.aborted || setLooked({ error }),
    );
    return () => ending.abort();
  }, [code, token, attempt]);
  if (!looked) return <Waiting />;
  if ('invitation' in looked) return <SetPassword invitation={looked.invitation} token={token} />;
  if (isRefusal(looked.error, 'invitation_invalid', 'invalid_input')) return <Over code={code} />;
  return (
    <FailedPage
      title="Das hat nicht geklappt"
      error={looked.error}
      onRetry={() => {
        setLooked(null);
        setAttempt(attempt + 1);
      }}
    />
  );
}

/** The page for a link that is used, replaced, or too old. */
export function Over({ code }: { code: string }) {
  return (
    <MessagePage title="Diese Einladung gilt nicht mehr" actions={<ButtonLink href={`/login?username=${code}`}>Zur Anmeldung</ButtonLink>}>
      <p>Vielleicht ist das Passwort schon festgelegt: Dann geht es mit der Anmeldung weiter.</p>
      <p>Sonst schickt Ihnen der Veranstaltungsservice eine neue Einladung. Sie gilt einmal und 14 Tage.</p>
    </MessagePage>
  );
}

export function SetPassword({ invitation, token }: { invitation: Invitation; token: string }) {
  const { code, title, expires_at } = invitation;
  const [, navigate] = useLocation();
  const { field, typed, onSubmit, error, busy } = useForm({ password: '', repeated: '' });
  const hint = `Mindestens ${HOST_PASSWORD_MIN} Zeichen, zum Beispiel vier zufällige Wörter. Groß- und Kleinschreibung, Leerzeichen und Striche zählen nicht.`;

  async function save(): Promise<void> {
    const { userCode } = await call('POST /auth/invitation/accept', { body: { code, token, password: typed.password } });
    // The token is removed, because the Back button must not lead to it.
    window.history.replaceState(null, '', `/einladung/${code}`);
    navigate(`/manage/${userCode}`, { replace: true });
  }

  const mistakes = (): Record<string, string> =>
    typed.repeated === typed.password ? {} : { repeated: 'Die beiden Passwörter stimmen nicht überein.' };

  if (error !== null && isRefusal(error, 'invitation_invalid')) return <Over code={code} />;
  return (
    <PageShell width="narrow">
      <form className={styles.form} noValidate onSubmit={onSubmit(save, mistakes)} {...heldStill(busy)}>
        <Headline>{title}</Headline>
        <p className={styles.lead}>
          Legen Sie das Passwort fest, mit dem Sie Ihr Event verwalten. Nur damit lassen sich Ihre Fotos öffnen.
        </p>
        <UserName value={code} />
        <Field label="Passwort" type="password" autoComplete="new-password" hint={hint} {...field('password')} />
        <Field label="Passwort wiederholen" type="password" autoComplete="new-password" {...field('repeated')} />
        {error !== null && <Notice kind="error">{messageOf(error)}</Notice>}
        <Button type="submit" wide busy={busy}>
          Passwort festlegen
        </Button>
        <small>
          Später melden Sie sich mit dem Code {code} an. Die Einladung gilt einmal und bis zum {formatInstant(expires_at)}.
        </small>
      </form>
    </PageShell>
  );
}
