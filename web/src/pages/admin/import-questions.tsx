import type { TableRead } from '@feierbild/contract/event-table-schemas.ts';
import { TABLE_FIELDS, type TableAnswers, type TableQuestion } from '@feierbild/contract/event-table.ts';
import { useId, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { Select } from '../../ui/select.tsx';
import styles from './import.module.css';

/** The wording of each question about an example from the table. */
const ASKS: Record<TableQuestion, (example: string) => string> = {
  letters: () => 'Wie ist dieses Wort richtig?',
  dates: (example) => `Welcher Tag ist „${example}“?`,
  serials: (example) => `Welchen Tag hat Excel als „${example}“ gezählt?`,
  numbers: (example) => `Wie viel sind „${example}“?`,
};

interface QuestionsProps {
  questions: TableRead['questions'];
  /** The answers so far, with which the table is read again. */
  answers: TableAnswers;
  onAnswer(answer: TableAnswers): void;
}

/** The open questions of a table, each answered for all of its rows. */
export function Questions({ questions, answers, onAnswer }: QuestionsProps) {
  const id = useId();
  return questions.map(({ question, example, options, answer }) => (
    <fieldset key={question} className={styles.question}>
      <legend>{ASKS[question](example)}</legend>
      {options.map(({ value, text }) => (
        <label key={value}>
          <input
            type="radio"
            name={`${id}-${question}`}
            checked={(answers[question] ?? answer) === value}
            onChange={() => onAnswer({ [question]: value })}
          />
          {text}
        </label>
      ))}
    </fieldset>
  ));
}

interface ColumnsProps {
  columns: TableRead['columns'];
  /** The choices so far, with which the table is read again. */
  chosen: string | undefined;
  onChange(fields: string): void;
}

/** The meaning of each column, to be corrected. It is open if the table cannot be read without corrections. */
export function Columns({ columns, chosen, onChange }: ColumnsProps) {
  const fields = chosen?.split(',') ?? columns.map(({ field }) => field ?? '');
  const read = fields.filter(Boolean).length;
  const missing = (['title', 'start_date'] as const).filter((field) => !fields.includes(field)).map((field) => `„${TABLE_FIELDS[field]}“`);

  // The part stays open while one column after the other is corrected.
  const [wasMissing] = useState(missing.length > 0);

  function choose(at: number, field: string): void {
    // A field can have only one column.
    onChange(fields.map((other, n) => (n === at ? field : other === field ? '' : other)).join(','));
  }

  return (
    <details className={styles.columns} open={wasMissing || missing.length > 0 || undefined}>
      <summary>
        {missing.length > 0
          ? `Welche Spalte ist ${missing.join(', welche ')}?`
          : `Spalten: ${plural(read, 'eine wird eingelesen', '# werden eingelesen')}${read < columns.length ? `, ${columns.length - read} nicht` : ''}`}
      </summary>
      <ul>
        {columns.map(({ name, example }, n) => (
          <li key={n}>
            <Select
              label={
                <>
                  <strong>{name || `Spalte ${n + 1}`}</strong> <span className="soft">{example}</span>
                </>
              }
              value={fields[n] ?? ''}
              options={[['', 'nicht einlesen'], ...Object.entries(TABLE_FIELDS)]}
              onChange={(field) => choose(n, field)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
