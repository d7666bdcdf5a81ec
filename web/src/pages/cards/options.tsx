import styles from './cards.module.css';

interface OptionsProps<Value extends string> {
  legend: string;
  name: string;
  values: Record<Value, string>;
  chosen: Value;
  onChoose(value: Value): void;
}

/** One of a few, side by side. */
export function Options<Value extends string>({ legend, name, values, chosen, onChoose }: OptionsProps<Value>) {
  return (
    <fieldset className={styles.options}>
      <legend>{legend}</legend>
      {(Object.entries(values) as [Value, string][]).map(([value, label]) => (
        <label key={value}>
          <input type="radio" name={name} value={value} checked={chosen === value} onChange={() => onChoose(value)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
