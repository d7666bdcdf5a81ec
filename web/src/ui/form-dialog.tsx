import type { FormEvent, ReactNode, Ref } from 'react';
import { mayLoseTyped, useTypedGuard } from '../lib/typed-guard.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions, type DialogProps } from './dialog.tsx';
import styles from './form-dialog.module.css';
import { heldStill } from './held-still.ts';
import { Notice } from './notice.tsx';

interface FormDialogProps extends Omit<DialogProps, 'busy'> {
  form: { changed: boolean; failure: string; busy: boolean };
  ref?: Ref<HTMLFormElement>;
  onSubmit(event: FormEvent): void;
  /** Label of the submit button. */
  submit?: string;
  look?: 'primary' | 'danger';
  disabled?: boolean;
  /** Fields and texts above the buttons. */
  asked?: ReactNode;
}

/** A form in a dialog. It asks before it is closed with unsent input. */
export function FormDialog({
  form,
  ref,
  onSubmit,
  submit = 'Speichern',
  look = 'primary',
  disabled,
  asked,
  onClose,
  children,
  ...dialog
}: FormDialogProps) {
  const { changed, failure, busy } = form;
  useTypedGuard(changed);
  const leave = (): void => {
    if (!changed || mayLoseTyped()) onClose();
  };
  return (
    <Dialog {...dialog} busy={busy} onClose={leave}>
      <form ref={ref} className={styles.form} noValidate onSubmit={onSubmit} {...heldStill(busy)}>
        {children}
        <div data-question className={styles.questions}>
          {failure && <Notice kind="error">{failure}</Notice>}
          {asked}
        </div>
        <DialogActions>
          <Button look="secondary" disabled={busy} onClick={leave}>
            Abbrechen
          </Button>
          <Button type="submit" look={look} busy={busy} disabled={disabled}>
            {submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
