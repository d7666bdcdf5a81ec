import { Plus } from 'lucide-react';
import { use, useState, type FormEvent, type ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { useTypedGuard } from '../../../lib/typed-guard.ts';
import { SaidContext } from './settings-section.tsx';
import { PathFields } from './path-fields.tsx';
import { fieldsOf, formOf, mistakesIn, typedOf, type Group, type PathForm } from './path-form.ts';
import styles from './settings.module.css';

interface FormFrameProps {
  form: { failure: string; busy: boolean; changed: boolean };
  onSubmit(event: FormEvent): void;
  /** Content beside the form. */
  preview?: ReactNode;
  /** Label of the button. */
  label?: string;
  children: ReactNode;
}

/** The frame of every section's form, with its button and its failure. */
export function FormFrame({ form: { failure, busy, changed }, onSubmit, preview, label = 'Speichern', children }: FormFrameProps) {
  const said = use(SaidContext);
  useTypedGuard(changed);
  const form = (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      {children}
      {failure && <Notice kind="error">{failure}</Notice>}
      {said}
      <div>
        <Button type="submit" busy={busy}>
          {label}
        </Button>
      </div>
    </form>
  );
  if (!preview) return form;
  return (
    <div className={styles.beside}>
      {form}
      <aside className={styles.preview} aria-label="Vorschau">
        <h2>Vorschau</h2>
        {preview}
      </aside>
    </div>
  );
}

interface SettingsFormProps {
  groups: Group[];
  /** All groups that can be shown, if groups can be added. */
  known?: Group[];
  /** The stored settings. */
  value: object | null;
  /** Values that are fixed, and shown as read-only. */
  fixed?: object | null;
  onSave(typed: object): Promise<void>;
  preview?(typed: object): ReactNode;
  children?: ReactNode;
}

/** A section's form, built from the description of its fields. */
export function SettingsForm({ groups, known = groups, value, fixed, onSave, preview, children }: SettingsFormProps) {
  const form = useForm<PathForm>(formOf(fieldsOf(known), value));
  /** Number of groups that the server has: an added or removed one is a change, too. */
  const [kept, setKept] = useState(groups.length);
  const typed = typedOf(fieldsOf(groups), form.typed);
  return (
    <FormFrame
      form={{ ...form, changed: form.changed || groups.length !== kept }}
      onSubmit={form.onSubmit(
        async () => {
          await onSave(typed);
          setKept(groups.length);
        },
        () => mistakesIn(fieldsOf(groups), form.typed),
      )}
      preview={preview?.(typed)}
    >
      {fixed && (
        <Notice kind="info" permanent>
          Was in der Datei BUSINESS_FILE steht, gilt und lässt sich hier nicht ändern.
        </Notice>
      )}
      <PathFields groups={groups} form={form} fixed={fixed} />
      {children}
    </FormFrame>
  );
}

interface CountButtonsProps {
  count: number;
  most: number;
  add: string;
  remove: string;
  onChange(count: number): void;
}

/** Adds or removes an entry of a list in a form. */
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
