import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { Field } from '../../../ui/field.tsx';
import { FormEnd } from '../../../ui/form-end.tsx';
import { useForm } from '../../../ui/use-form.ts';
import styles from '../sections.module.css';
import own from './factors.module.css';
import { FactorItem, type FactorsProps } from './factor-item.tsx';
import { QrBox } from '../../../ui/qr-box.tsx';

interface Begun {
  secret: string;
  uri: string;
}

/** One-time codes of an app. */
export function TotpSection({ factors, onChanged }: FactorsProps) {
  const { field, typed, restart, onSubmit, failure, busy } = useForm({ password: '' });
  const [begun, setBegun] = useState<Begun | null>(null);

  async function begin(): Promise<void> {
    setBegun(await call('POST /admin/factors/totp', { body: typed }));
    restart({ password: '' });
  }

  return (
    <section className={styles.section} aria-labelledby="codes">
      <h2 id="codes">Codes aus einer App</h2>
      <p className="soft">
        Eine App auf dem Handy zeigt alle 30 Sekunden einen neuen Code aus sechs Ziffern. Viele Passwortmanager können das auch.
      </p>
      {factors.totp && (
        <ul className={`bare ${styles.list}`}>
          <FactorItem id="totp" name="Codes aus der App" used={factors.totp} onChanged={onChanged} />
        </ul>
      )}
      {!factors.totp && begun && (
        <TotpSetUp
          begun={begun}
          onDone={(changed) => {
            setBegun(null);
            onChanged(changed);
          }}
        />
      )}
      {!factors.totp && !begun && (
        <form className={styles.form} noValidate onSubmit={onSubmit(begin)}>
          <Field label="Ihr Passwort" type="password" autoComplete="current-password" {...field('password')} />
          <FormEnd failure={failure} busy={busy}>
            Codes einrichten
          </FormEnd>
        </form>
      )}
    </section>
  );
}

/** The secret to scan or type, and the field for the first code, which proves that the app has the secret. */
export function TotpSetUp({ begun, onDone }: { begun: Begun; onDone: FactorsProps['onChanged'] }) {
  const { field, typed, onSubmit, failure, busy } = useForm({ code: '' });
  return (
    <div className={own.setUp}>
      <QrBox value={begun.uri} size={QR_SIZE_SHARE} title="QR-Code für die App" />
      <form
        className={styles.form}
        noValidate
        onSubmit={onSubmit(async () => onDone(await call('PUT /admin/factors/totp', { body: typed })))}
      >
        <p>Scannen Sie den QR-Code mit der App, oder tippen Sie diesen Schlüssel dort ein. Er ist nur jetzt zu sehen.</p>
        <code aria-label="Schlüssel">{begun.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <Field label="Code, den die App zeigt" inputMode="numeric" autoComplete="one-time-code" {...field('code')} />
        <FormEnd failure={failure} busy={busy}>
          Bestätigen
        </FormEnd>
      </form>
    </div>
  );
}
