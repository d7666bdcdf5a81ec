import type { InputHTMLAttributes } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { at, shownOf, type Group, type PathField, type PathForm } from './path-form.ts';
import styles from './settings.module.css';

/** Number of lines of a field for long texts. */
const LINES = 3;
const FIXED = 'Festgelegt in BUSINESS_FILE.';
const INPUTS: Partial<Record<NonNullable<PathField['kind']>, InputHTMLAttributes<HTMLInputElement> & { rows?: number }>> = {
  email: { type: 'email', autoComplete: 'off' },
  date: { type: 'date' },
  number: { inputMode: 'decimal' },
  coordinate: { inputMode: 'decimal' },
  text: { rows: LINES },
  unsaved: { autoComplete: 'off' },
};

interface PathFieldsProps {
  groups: Group[];
  form: {
    typed: PathForm;
    change(path: string, value: string | boolean): void;
    field(path: string): { name: string; error: string | undefined; onChange(event: { target: { value: string } }): void };
  };
  /** Values that are fixed, and shown as read-only. */
  fixed?: object | null | undefined;
}

/** The fields of a form, in their groups. */
export function PathFields({ groups, form, fixed }: PathFieldsProps) {
  return groups.map((group) => {
    const { legend, beside, folded, fields } = group;
    const columns = beside ? styles.pair : '';
    const content = fields.map((field) => field.hidden !== true && <PathInput key={field.path} field={field} form={form} fixed={fixed} />);
    if (legend === undefined)
      return (
        <div key={fields[0]?.path} className={`${styles.plain} ${columns}`}>
          {content}
        </div>
      );
    if (!folded)
      return (
        <fieldset key={legend} className={`${styles.group} ${columns}`}>
          <legend>{legend}</legend>
          {content}
        </fieldset>
      );
    return (
      <details key={legend} className={styles.folded}>
        <summary>
          {legend} <span className="soft">{filledIn(group, form.typed)}</span>
        </summary>
        <fieldset aria-label={legend} className={`${styles.group} ${columns}`}>
          {content}
        </fieldset>
      </details>
    );
  });
}

/** Says how many fields of a folded group are filled in. */
function filledIn({ fields }: Group, typed: PathForm): string {
  const filled = fields.filter(({ path }) => typed[path] !== undefined && typed[path] !== '' && typed[path] !== false).length;
  return filled === 0 ? 'nichts angegeben' : `${filled} von ${fields.length} angegeben`;
}

interface PathInputProps extends Pick<PathFieldsProps, 'form' | 'fixed'> {
  field: PathField;
}

function PathInput({ field, form, fixed = null }: PathInputProps) {
  const { path, label, hint, kind, required, min, max, maxLength, presets } = field;
  const said = at(fixed, path);
  const isFixed = said !== undefined;
  const shown = isFixed ? shownOf(said, kind) : (form.typed[path] ?? '');
  const common = { label, hint: isFixed ? FIXED : hint, disabled: isFixed };
  const change = (value: string | boolean): void => form.change(path, value);
  if (kind === 'switch') return <Switch {...common} checked={shown === true} onChange={change} />;
  const input = { ...(kind && INPUTS[kind]), required, min, max, maxLength };
  return (
    <div className={kind === 'text' ? styles.across : undefined}>
      <Field {...common} {...input} {...form.field(path)} value={String(shown)} />
      {presets && presets.length > 0 && (
        <div className={styles.presets}>
          {presets.map((preset) => (
            <Button key={preset.value} look="secondary" onClick={() => change(preset.value)}>
              {preset.label}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
