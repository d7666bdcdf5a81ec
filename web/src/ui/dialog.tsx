import { X } from 'lucide-react';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  open: boolean;
  title: string;
  onClose(): void;
  wide?: boolean;
  children: ReactNode;
}

/** The platform's modal dialog: focus stays inside, Escape closes. Its content is there only while it is open. */
export function Dialog({ open, title, onClose, wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (open && !dialog?.open) dialog?.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file picker inside cancels too; only the dialog's own counts.
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
    >
      {open && (
        <>
          <div className={styles.head}>
            <h2 id={id}>{title}</h2>
            <button type="button" className={styles.close} onClick={onClose} aria-label="Schließen">
              <X size={22} aria-hidden="true" />
            </button>
          </div>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </dialog>
  );
}

/** The row of buttons at a dialog's end. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
