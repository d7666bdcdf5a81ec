import type { AccountRole } from '@feierbild/contract/calls/accounts.ts';
import { ADMIN_PASSWORD_MIN, QR_SIZE_CREDENTIALS } from '@feierbild/contract/constants.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { QRCodeSVG } from 'qrcode.react';
import { useRef, useState } from 'react';
import { call, messageOf } from '../../api/client.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './admin.module.css';

const readMe = () => call('GET /admin/me');
export type Me = Awaited<ReturnType<typeof readMe>>;

/** Whose session it is. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: readMe });

/** Dialog to change the own password, and for administrators to manage the other accounts. */
export function AccountDialog({ me, onClose, onChanged }: { me: Me; onClose(): void; onChanged(): void }) {
  const isAdmin = me.role === 'admin';
  const { data, error, refetch } = useQuery({ queryKey: ['admins'], queryFn: () => call('GET /admin/admins'), enabled: isAdmin });
  return (
    <Dialog title="Zugang" onClose={onClose}>
      <PasswordForm username={me.username} onChanged={onChanged} />
      <OwnFactor />
      {isAdmin && <AdminsList admins={data?.admins ?? []} error={error} onChanged={refetch} />}
    </Dialog>
  );
}

const NO_PASSWORDS = { current_password: '', new_password: '', repeated: '' };

/** Changes the own password. */
export function PasswordForm({ username, onChanged }: { username: string; onChanged(): void }) {
  const { field, typed, setTyped, onSubmit, sent, failure, busy } = useForm(NO_PASSWORDS);

  const password = (name: keyof typeof NO_PASSWORDS, autoComplete: string) => ({ type: 'password', autoComplete, ...field(name) });

  async function change(): Promise<void> {
    const { current_password, new_password } = typed;
    await call('PUT /admin/password', { body: { current_password, new_password } });
    setTyped(NO_PASSWORDS);
    onChanged();
  }

  /** All else the server says. */
  const mistakes = (): Record<string, string> =>
    typed.repeated === typed.new_password ? {} : { repeated: 'Die beiden Passwörter stimmen nicht überein.' };

  return (
    <form className={styles.account} noValidate onSubmit={onSubmit(change, mistakes)}>
      <h3>Passwort ändern</h3>
      <input type="hidden" name="username" autoComplete="username" value={username} />
      <Field label="Aktuelles Passwort" {...password('current_password', 'current-password')} />
      <Field label="Neues Passwort" hint={`Mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`} {...password('new_password', 'new-password')} />
      <Field label="Neues Passwort wiederholen" {...password('repeated', 'new-password')} />
      {failure && <Notice kind="error">{failure}</Notice>}
      {sent && <Notice kind="success">Das Passwort ist geändert. Auf anderen Geräten sind Sie abgemeldet.</Notice>}
      <span>
        <Button type="submit" busy={busy}>
          Passwort ändern
        </Button>
      </span>
    </form>
  );
}

/** Leads to the own second factors. */
function OwnFactor() {
  return (
    <section className={styles.account} aria-label="Zweiter Faktor">
      <h3>Zweiter Faktor</h3>
      <p>Ein Code vom Handy oder ein Passkey, zusätzlich zum Passwort.</p>
      <span>
        <ButtonLink href="/admin/zweiter-faktor" look="secondary">
          Zweiter Faktor
        </ButtonLink>
      </span>
    </section>
  );
}

interface AdminsListProps {
  admins: { id: string; username: string; role: AccountRole; own: boolean; second_factor: boolean }[];
  error: unknown;
  onChanged(): Promise<unknown>;
}

/** The list of administrators and assistants, to add one (whose password is shown only once) and to remove others. */
export function AdminsList({ admins, error, onChanged }: AdminsListProps) {
  const { field, typed, setTyped, onSubmit, run, failure, busy } = useForm({ username: '' });
  const [assists, setAssists] = useState(false);
  const [added, setAdded] = useState<{ username: string; password: string } | null>(null);
  const [removing, setRemoving] = useState<string | null>(null);
  const [resetting, setResetting] = useState<string | null>(null);

  async function add(): Promise<void> {
    setAdded(null);
    setAdded(await call('POST /admin/admins', { body: { ...typed, role: assists ? 'assistant' : 'admin' } }));
    setTyped({ username: '' });
    setAssists(false);
    await onChanged();
  }

  async function reset(id: string): Promise<void> {
    await call('DELETE /admin/admins/:id/factors', { params: { id } });
    setResetting(null);
    await onChanged();
  }

  async function remove(id: string): Promise<void> {
    await call('DELETE /admin/admins/:id', { params: { id } });
    setRemoving(null);
    setAdded(null);
    await onChanged();
  }

  return (
    <section className={styles.account} aria-label="Wer verwaltet">
      <h3>Wer verwaltet</h3>
      <ul className={styles.admins}>
        {admins.map(({ id, username, role, own, second_factor: secured }) => (
          <li key={id}>
            <span className={styles.adminName}>
              {username} {own && <span className="soft">(Sie)</span>}
              {role === 'assistant' && <span className="soft">(Helfer)</span>}
            </span>
            {!own && secured && (
              <Button
                look={resetting === id ? 'danger' : 'quiet'}
                aria-label={`Zweiten Faktor ${resetting === id ? 'wirklich ' : ''}entfernen, von ${username}`}
                busy={busy && resetting === id}
                onClick={() => (resetting === id ? void run(() => reset(id)) : setResetting(id))}
              >
                {resetting === id ? 'Zweiten Faktor wirklich entfernen' : 'Zweiten Faktor entfernen'}
              </Button>
            )}
            {removing === id ? (
              <span className={styles.confirm}>
                <Button look="secondary" onClick={() => setRemoving(null)}>
                  Abbrechen
                </Button>
                <Button look="danger" busy={busy} onClick={() => void run(() => remove(id))}>
                  Zugang endgültig entfernen
                </Button>
              </span>
            ) : (
              !own && (
                <Button look="quiet" aria-label={`${username} entfernen`} onClick={() => setRemoving(id)}>
                  Entfernen
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {added && (
        <Notice kind="warning">
          <span>
            Benutzername <strong>{added.username}</strong>, Passwort <strong className={styles.mono}>{added.password}</strong>
          </span>
          <span>Das Passwort wird nur dieses eine Mal angezeigt.</span>
        </Notice>
      )}
      {(failure || error !== null) && <Notice kind="error">{failure || messageOf(error)}</Notice>}
      <form className={styles.addAdmin} noValidate onSubmit={onSubmit(add)}>
        <Field label="Weiterer Benutzername" autoComplete="off" spellCheck={false} {...field('username')} />
        <Switch
          label="Nur Helfer"
          hint="Legt Events an, ändert und druckt sie. Löscht nichts, sieht keine Einstellungen und keine Passwörter. Das bleibt so: Für eine andere Rolle den Zugang entfernen und neu anlegen."
          checked={assists}
          onChange={setAssists}
        />
        <span>
          <Button type="submit" look="secondary" busy={busy && removing === null && resetting === null}>
            Hinzufügen
          </Button>
        </span>
      </form>
    </section>
  );
}

export type Credentials = Record<'title' | 'username' | 'password', string>;

/** A host's access, shown this once: to copy or to print as a slip. The QR code leads to the login with the name filled in. */
export function CredentialsDialog({ credentials: { title, username, password }, onClose }: { credentials: Credentials; onClose(): void }) {
  const address = `${useOrigin()}/login`;
  /** It was printed or copied. */
  const kept = useRef(false);
  const keep = (): void => void (kept.current = true);

  /** Escape and the cross are hit by mistake, and the password is gone for good. */
  function leave(): void {
    if (kept.current || window.confirm('Das Passwort wird nur jetzt angezeigt. Trotzdem schließen?')) onClose();
  }

  return (
    <Dialog title="Zugang für den Gastgeber" onClose={leave}>
      <Notice kind="warning">Das Passwort wird nur dieses eine Mal angezeigt.</Notice>
      <div className={styles.slip} onCopy={keep}>
        <div className={styles.slipText}>
          <strong>{title}</strong>
          <span className="soft">{address}</span>
          <span>
            Benutzername <strong className={styles.mono}>{username}</strong>
          </span>
          <span>
            Passwort <strong className={styles.mono}>{password}</strong>
          </span>
        </div>
        <ol className={styles.slipSteps}>
          <li>QR-Code scannen oder die Adresse öffnen und anmelden.</li>
          <li>Unter „Teilen“ die Karten für die Tische drucken.</li>
          <li>Nach dem Fest alles als ZIP herunterladen. 30 Tage nach dem Event werden die Fotos gelöscht.</li>
        </ol>
        <div className={styles.qr}>
          <QRCodeSVG value={`${address}?username=${username}`} size={QR_SIZE_CREDENTIALS} title="QR-Code zur Anmeldung" />
        </div>
      </div>
      <DialogActions>
        <Button
          look="secondary"
          onClick={() => {
            keep();
            window.print();
          }}
        >
          <Printer size={20} /> Zettel drucken
        </Button>
        <Button onClick={onClose}>Fertig</Button>
      </DialogActions>
    </Dialog>
  );
}
