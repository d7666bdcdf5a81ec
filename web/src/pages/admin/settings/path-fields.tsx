import { Field } from '../../../ui/field.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { useForm } from '../../../ui/use-form.ts';
import { at, shownOf, type Group, type PathForm } from './path-form.ts';
import styles from './settings.module.css';

/** Of a field for a text of several lines. */
const LINES = 3;
const FIXED = 'Festgelegt in BUSINESS_FILE.';

interface PathFieldsProps {
  groups: Group[];
  form: Pick<ReturnType<typeof useForm<PathForm>>, 'typed' | 'change' | 'field'>;
  /** What cannot be changed. */
  fixed?: object | null | undefined;
}

/** The fields of a form, in their groups. */
export function PathFields({ groups, form: { typed, change, field }, fixed = null }: PathFieldsProps) {
  return groups.map(({ legend, beside, fields }) => (
    <fieldset key={legend} className={`${styles.group} ${beside ? styles.pair : ''}`}>
      <legend>{legend}</legend>
      {fields.map(({ path, label, hint, kind, required }) => {
        const said = at(fixed, path);
        const isFixed = said !== undefined;
        const shown = isFixed ? shownOf(said, kind) : (typed[path] ?? '');
        if (kind === 'switch') {
          return (
            <Switch
              key={path}
              label={label}
              hint={isFixed ? FIXED : hint}
              disabled={isFixed}
              checked={shown === true}
              onChange={(on) => change(path, on)}
            />
          );
        }
        return (
          <Field
            key={path}
            label={label}
            type={kind === 'email' ? 'email' : 'text'}
            inputMode={kind === 'number' ? 'decimal' : undefined}
            {...(kind === 'text' && { rows: LINES })}
            {...field(path)}
            value={String(shown)}
            hint={isFixed ? FIXED : hint}
            disabled={isFixed}
            required={required}
          />
        );
      })}
    </fieldset>
  ));
}
