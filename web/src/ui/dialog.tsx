import { X } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { shell } from '../texts/guest/shell.ts';
import styles from './dialog.module.css';

const FOCUSABLE = 'a[href], button:not(:disabled):not([tabindex="-1"]), input:not(:disabled), select:not(:disabled), [tabindex="0"]';

export interface DialogProps {
  title: string;
  onClose(): void;
  wide?: boolean;
  /** Whether work of this dialog still runs. Closing would not stop it, so the dialog stays. */
  busy?: boolean;
  children: ReactNode;
}

/** The platform's modal dialog: focus stays inside, Escape asks to close. It is open while it is rendered. */
export function Dialog({ title, onClose, wide = false, busy = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const way = ancestorsOf(document.activeElement);
    dialog.showModal();
    noteForPrinting();
    return () => {
      // Gives the focus back to the opener: browsers do not do so for a removed dialog.
      dialog.close();
      noteForPrinting();
      // If the opener is removed as well, the focus goes to the nearest element, after React has rendered.
      queueMicrotask(() => focusFirst(way));
    };
  }, []);
  const leave = busy ? undefined : onClose;
  return (
    <dialog
      ref={ref}
      className={`${styles.dialog} ${wide ? styles.wide : ''}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // The browser would close the dialog at a second Escape without asking (onCancel).
        if (event.key !== 'Escape') return;
        event.preventDefault();
        // The page below must not see the event either: it may leave a mode on Escape.
        event.stopPropagation();
        leave?.();
      }}
      onCancel={(event) => {
        // A phone's Back gesture cancels the dialog. A file picker inside sends a cancel event of its own.
        if (event.target !== ref.current) return;
        event.preventDefault();
        leave?.();
      }}
      // A browser ignores a second refusal and closes the dialog, although it is still rendered.
      onClose={() => ref.current?.showModal()}
    >
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <button type="button" className={styles.close} disabled={busy} onClick={leave} aria-label={shell.close}>
          <X size={22} />
        </button>
      </div>
      <div className={styles.body}>{children}</div>
    </dialog>
  );
}

/** Marks the document while a dialog is open, for printing. */
function noteForPrinting(): void {
  document.body.toggleAttribute('data-dialog', document.querySelector('dialog[open]') !== null);
}

/** Returns an element and its ancestors, the nearest first. */
function ancestorsOf(element: Element | null): Element[] {
  const way: Element[] = [];
  for (let one = element; one && one !== document.body; one = one.parentElement) way.push(one);
  return way;
}

/** If nothing has the focus, focuses the first of these elements (or an element inside) that still exists and accepts it. */
function focusFirst(way: readonly Element[]): void {
  const targets = way.filter(({ isConnected }) => isConnected).flatMap((one) => [one, one.querySelector(FOCUSABLE)]);
  for (const target of targets) {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}

/** The row of buttons at a dialog's end; it is always visible. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
