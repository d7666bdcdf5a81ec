import { PASSKEYS_MAX } from '@feierbild/contract/constants.ts';
import { call } from '../../../api/client.ts';
import { makePasskey, passkeysWork } from '../../../lib/passkeys.ts';
import { Field } from '../../../ui/field.tsx';
import { FormEnd } from '../../../ui/form-end.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import styles from '../sections.module.css';
import { FactorItem, type FactorsProps } from './factor-item.tsx';

/** The own passkeys: adds and removes them. */
export function PasskeysSection({ factors: { passkeys }, onChanged }: FactorsProps) {
  return (
    <section className={styles.section} aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      <p className="soft">
        Sie bestätigen mit Fingerabdruck, Gesicht oder PIN dieses Geräts oder mit einem Sicherheitsschlüssel. Ein Passkey gilt nur für diese
        Adresse.
      </p>
      {passkeys.length > 0 && (
        <ul className={`bare ${styles.list}`}>
          {passkeys.map(({ id, name, ...used }) => (
            <FactorItem key={id} id={id} name={name} used={used} onChanged={onChanged} />
          ))}
        </ul>
      )}
      {!passkeysWork() && (
        <Notice kind="info">
          Hier kann dieser Browser keine Passkeys einrichten: Das geht nur mit https und einem Namen als Adresse. Codes aus einer App gehen
          überall.
        </Notice>
      )}
      {passkeysWork() && passkeys.length < PASSKEYS_MAX && <NewPasskey onChanged={onChanged} />}
    </section>
  );
}

function NewPasskey({ onChanged }: Pick<FactorsProps, 'onChanged'>) {
  const { field, typed, restart, onSubmit, failure, busy } = useForm({ name: '', password: '' });
  const missing = (): Record<string, string> => (typed.name.trim() === '' ? { name: 'Bitte geben Sie einen Namen ein.' } : {});

  async function add(): Promise<void> {
    const options = await call('POST /admin/factors/passkeys/options', { body: { password: typed.password } });
    const passkey = await makePasskey(options);
    onChanged(await call('POST /admin/factors/passkeys', { body: { name: typed.name, passkey } }));
    restart({ name: '', password: '' });
  }

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit(add, missing)}>
      <Field label="Name des Passkeys" hint="Zum Wiedererkennen, etwa „Laptop im Büro“." autoComplete="off" {...field('name')} />
      <Field label="Ihr Passwort" type="password" autoComplete="current-password" {...field('password')} />
      <FormEnd failure={failure} busy={busy}>
        Passkey einrichten
      </FormEnd>
    </form>
  );
}
