import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { useState } from 'react';
import { t } from '../../texts/guest/guest.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import styles from './upload-form.module.css';

/** Asks for the event's password that was changed meanwhile. On this page, since another one would lose the selection. */
export function PasswordAgain({ onPassword }: { onPassword(password: string): void }) {
  const [password, setPassword] = useState('');
  return (
    <Form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault();
        if (password) onPassword(password);
      }}
    >
      <Field
        label={t.form.eventPassword}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={password}
        // In UTF-16 units; a character may have two.
        maxLength={2 * GUEST_PASSWORD_MAX}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Button type="submit" look="secondary" disabled={!password}>
        {t.page.unlock}
      </Button>
    </Form>
  );
}
