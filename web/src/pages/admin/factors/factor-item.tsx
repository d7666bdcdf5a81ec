import type { Factors } from '@feierbild/contract/calls/factors.ts';
import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { formatInstant } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { FormEnd } from '../../../ui/form-end.tsx';
import { SecondFactor, useSecondFactor } from '../../../ui/second-factor.tsx';
import { useForm } from '../../../ui/use-form.ts';
import styles from '../sections.module.css';

/** The own second factors, and the callback for changes. */
export interface FactorsProps {
  factors: Factors;
  onChanged(factors: Factors): void;
}

interface FactorItemProps extends Pick<FactorsProps, 'onChanged'> {
  id: string;
  name: string;
  used: { created_at: string; last_used_at: string | null };
}

/** A second factor, and its removal. */
export function FactorItem({ id, name, used: { created_at: since, last_used_at: last }, onChanged }: FactorItemProps) {
  const [removing, setRemoving] = useState(false);
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <span className="soft">
          Eingerichtet am {formatInstant(since)}. {last ? `Zuletzt benutzt am ${formatInstant(last)}.` : 'Noch nicht benutzt.'}
        </span>
      </div>
      <Button look="secondary" aria-label={`„${name}“ entfernen`} onClick={() => setRemoving(true)}>
        Entfernen
      </Button>
      {removing && <RemoveDialog id={id} name={name} onClose={() => setRemoving(false)} onChanged={onChanged} />}
    </li>
  );
}

/** Asks for the password, then for one of the second factors. */
export function RemoveDialog({ id, name, onClose, onChanged }: Omit<FactorItemProps, 'used'> & { onClose(): void }) {
  const { field, typed, onSubmit, failure, busy } = useForm({ password: '' });
  const { asked, ask, askPasskey } = useSecondFactor(async (second_factor) => {
    const body = { password: typed.password, ...(second_factor && { second_factor }) };
    const changed = await call('POST /admin/factors/:id/remove', { params: { id }, body });
    onClose();
    onChanged(changed);
  });
  return (
    <Dialog title={`„${name}“ entfernen?`} busy={busy} onClose={onClose}>
      {asked ? (
        <>
          <p>Bitte bestätigen Sie das mit einem Ihrer zweiten Faktoren.</p>
          <SecondFactor asked={asked} ask={ask} askPasskey={askPasskey} confirm="Entfernen" />
        </>
      ) : (
        <form className={styles.page} noValidate onSubmit={onSubmit(() => ask())}>
          <Field label="Ihr Passwort" type="password" autoComplete="current-password" {...field('password')} />
          <FormEnd failure={failure} busy={busy} look="danger">
            Weiter
          </FormEnd>
        </form>
      )}
    </Dialog>
  );
}
