import { CodeField } from '../src/ui/code-field.tsx';
import { Field } from '../src/ui/field.tsx';
import { Notice } from '../src/ui/notice.tsx';
import { Select } from '../src/ui/select.tsx';
import { ReportForm } from '../src/ui/report-form.tsx';
import { join } from '../src/texts.ts';
import styles from './book.module.css';
import { Stateful } from './stateful.tsx';
import { LONG_NAME, LONG_TEXT, LONG_TITLE } from './samples.ts';
import type { Group } from './state.ts';

interface Extras {
  hint?: string;
  error?: string;
  type?: string;
  disabled?: boolean;
}

function field(label: string, initial: string, extras: Extras = {}) {
  return (
    <div className={styles.narrow}>
      <Stateful initial={initial}>
        {(value, set) => <Field label={label} value={value} onChange={({ target }) => set(target.value)} {...extras} />}
      </Stateful>
    </div>
  );
}

function longField(label: string, initial: string, extras: { hint?: string; error?: string } = {}) {
  return (
    <div className={styles.narrow}>
      <Stateful initial={initial}>
        {(value, set) => <Field rows={4} label={label} value={value} onChange={({ target }) => set(target.value)} {...extras} />}
      </Stateful>
    </div>
  );
}

function codeField(initial: string, counter: 'always' | 'filled', failed = false) {
  return (
    <div className={styles.narrow}>
      <Stateful initial={initial}>{(value, set) => <CodeField value={value} onChange={set} counter={counter} />}</Stateful>
      {failed && (
        <Notice kind="error">
          <strong>{join.failed}</strong>
        </Notice>
      )}
    </div>
  );
}

export const fields: Group = {
  id: 'felder',
  title: 'Felder',
  states: [
    {
      id: 'select',
      name: 'Auswahl, auch in Gruppen',
      show: (
        <div className={styles.narrow}>
          <Stateful initial="alle">
            {(value, set) => (
              <Select
                label="Status"
                value={value}
                options={[
                  ['alle', 'Alle'],
                  ['lang', LONG_TITLE],
                ]}
                onChange={set}
              />
            )}
          </Stateful>
        </div>
      ),
    },
    { id: 'field-empty', name: 'Feld, leer', show: field('Titel', '') },
    { id: 'field-filled', name: 'Feld, gefüllt', show: field('Titel', 'Lena & Jonas') },
    { id: 'field-hint', name: 'Feld mit Hinweis', show: field('Speicherplatz in GB', '5', { hint: 'Leer bedeutet unbegrenzt.' }) },
    { id: 'field-error', name: 'Feld mit Fehler', show: field('Titel', '', { error: 'Bitte geben Sie einen Titel ein.' }) },
    {
      id: 'field-hint-error',
      name: 'Feld mit Hinweis und Fehler',
      show: field('Neues Passwort', 'kurz', { type: 'password', hint: 'Mindestens 12 Zeichen.', error: 'Das Passwort ist zu kurz.' }),
    },
    { id: 'field-disabled', name: 'Feld, gesperrt', show: field('Name', 'Anna', { disabled: true }) },
    { id: 'field-date', name: 'Feld für einen Tag', show: field('Startdatum', '2026-05-16', { type: 'date' }) },
    { id: 'field-long', name: 'Feld mit langen Texten', show: field(LONG_NAME, LONG_TITLE, { hint: LONG_TEXT, error: LONG_TEXT }) },
    { id: 'long-field-empty', name: 'Mehrzeiliges Feld, leer', show: longField('Welches Foto?', '', { hint: 'Was darauf zu sehen ist' }) },
    { id: 'long-field-filled', name: 'Mehrzeiliges Feld, gefüllt', show: longField('Welches Foto?', LONG_TITLE) },
    {
      id: 'long-field-error',
      name: 'Mehrzeiliges Feld mit Fehler',
      show: longField('Welches Foto?', '', { error: 'Bitte beschreiben Sie, welches Foto Sie meinen.' }),
    },
    { id: 'code-empty', name: 'Event-Code, leer', show: codeField('', 'always') },
    { id: 'code-empty-quiet', name: 'Event-Code, leer und ohne Zähler', show: codeField('', 'filled') },
    { id: 'code-part', name: 'Event-Code, angefangen', show: codeField('K7M', 'filled') },
    { id: 'code-filled', name: 'Event-Code, vollständig', show: codeField('K7MQ2XWA', 'filled') },
    { id: 'code-refused', name: 'Event-Code, abgelehnt', show: codeField('WWWWWWWW', 'filled', true) },
    {
      id: 'report-form',
      name: 'Foto melden',
      show: (
        <div className={styles.narrow}>
          <ReportForm />
        </div>
      ),
    },
    {
      id: 'report-form-guest',
      name: 'Foto melden, Event bekannt',
      show: (
        <div className={styles.narrow}>
          <ReportForm event="K7MQ2XWA" />
        </div>
      ),
    },
    {
      id: 'report-form-photo',
      name: 'Foto melden, Foto bekannt',
      show: (
        <div className={styles.narrow}>
          <ReportForm event="Foto aus einem Download-Link" photo="Foto 019f6acc-4600-72dc-a367-eebdff1dcedc" />
        </div>
      ),
    },
  ],
};
