import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { useState, type ReactNode } from 'react';
import { admin as texts } from '../../texts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Field } from '../../ui/field.tsx';
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
  const { matches, mismatch } = checkTypedCode(typed, event?.code ?? '');

  async function check(): Promise<void> {
    if (!event) throw new Error(texts.nothingSelected);
    await onConfirm(event);
  }

  return (
    <ConfirmDialog title={title} confirm={confirm} disabled={event !== null && !matches} onClose={onClose} onConfirm={check}>
      {children}
      <Field
        label={event ? `Event-Code ${event.code} eingeben` : 'Event-Code eingeben'}
        value={typed}
        autoComplete="off"
        spellCheck={false}
        error={event && mismatch ? texts.mismatch : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
    </ConfirmDialog>
  );
}
