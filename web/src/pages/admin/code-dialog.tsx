import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { useState, type ReactNode } from 'react';
import { messageOf } from '../../api/client.ts';
import { admin as texts } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { checkTypedCode } from './form-model.ts';

interface CodeDialogProps {
  title: string;
  /** What will happen, naming what vanishes. */
  children: ReactNode;
  confirm: string;
  /** Null if it was deleted in between. */
  event: AdminEvent | null;
  onClose(): void;
  onConfirm(event: AdminEvent): Promise<void>;
}

/** Asks for the exact event code before something that can't be undone. */
export function CodeDialog({ title, children, confirm, event, onClose, onConfirm }: CodeDialogProps) {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const { matches, mismatch } = checkTypedCode(typed, event?.code ?? '');

  async function run(): Promise<void> {
    if (!event) {
      setFailure(texts.nothingSelected);
      return;
    }
    if (!matches || busy) return;
    setBusy(true);
    setFailure('');
    try {
      await onConfirm(event);
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <Dialog open title={title} onClose={onClose}>
      {children}
      <Field
        label={event ? `Event-Code ${event.code} eingeben` : 'Event-Code eingeben'}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        error={event && mismatch ? texts.mismatch : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      {failure && <Notice kind="error">{failure}</Notice>}
      <DialogActions>
        <Button look="secondary" onClick={onClose}>
          Abbrechen
        </Button>
        <Button look="danger" disabled={event !== null && !matches} busy={busy} onClick={() => void run()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
