import type { ReactNode } from 'react';
import { shell } from '../texts/guest/shell.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions, type DialogProps } from './dialog.tsx';
import { Notice } from './notice.tsx';
import { useAction } from './use-form.ts';

interface ConfirmDialogProps extends Omit<DialogProps, 'wide' | 'busy'> {
  /** Label of the confirming button. */
  confirm: ReactNode;
  look?: 'primary' | 'danger';
  disabled?: boolean;
  cancel?: string;
  /** The confirmed action. The dialog shows its error. */
  onConfirm(): Promise<void>;
}

/** Asks before something is done; `children` say what will happen. */
export function ConfirmDialog({ confirm, look = 'danger', disabled, cancel = shell.cancel, onConfirm, ...dialog }: ConfirmDialogProps) {
  const { busy, failure, run } = useAction();
  return (
    <Dialog {...dialog} busy={busy}>
      {dialog.children}
      {failure && <Notice kind="error">{failure}</Notice>}
      <DialogActions>
        <Button look="secondary" disabled={busy} onClick={dialog.onClose}>
          {cancel}
        </Button>
        <Button look={look} disabled={disabled} busy={busy} onClick={() => void run(onConfirm)}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
