import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { PathFields } from './path-fields.tsx';
import { fieldsOf, typedOf, type Group, type PathForm } from './path-form.ts';
import styles from './settings.module.css';

interface NumbersFormProps {
  groups: Group[];
  initial: PathForm;
  onSave(typed: object): Promise<void>;
  preview(typed: object): ReactNode;
  children?: ReactNode;
}

/** A section's form with its preview beside it. */
export function NumbersForm({ groups, initial, onSave, preview, children }: NumbersFormProps) {
  const form = useForm<PathForm>(initial);
  const typed = typedOf(fieldsOf(groups), form.typed);
  return (
    <div className={styles.beside}>
      <form className={styles.form} onSubmit={form.onSubmit(() => onSave(typed))} noValidate>
        <PathFields groups={groups} form={form} />
        {children}
        {form.failure && <Notice kind="error">{form.failure}</Notice>}
        <div>
          <Button type="submit" busy={form.busy}>
            Speichern
          </Button>
        </div>
      </form>
      <aside className={styles.preview} aria-label="Vorschau">
        <h2>Vorschau</h2>
        <div className={styles.previewed}>{preview(typed)}</div>
      </aside>
    </div>
  );
}

interface CountButtonsProps {
  count: number;
  most: number;
  add: string;
  remove: string;
  onChange(count: number): void;
}

/** One more, or one less, of what a form has several of. */
export function CountButtons({ count, most, add, remove, onChange }: CountButtonsProps) {
  return (
    <div className={styles.buttons}>
      {count < most && (
        <Button look="secondary" onClick={() => onChange(count + 1)}>
          <Plus size={20} /> {add}
        </Button>
      )}
      {count > 1 && (
        <Button look="quiet" onClick={() => onChange(count - 1)}>
          {remove}
        </Button>
      )}
    </div>
  );
}
