import { PROCESSORS } from '@feierbild/contract/paper-names.ts';
import type { PaperSettings } from '@feierbild/contract/papers.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

/** What the system cannot know. */
export function PaperSection() {
  return <SettingsSection section="papers">{({ value }, save) => <PaperSettingsForm value={value ?? {}} onSave={save} />}</SettingsSection>;
}

type Processor = keyof typeof PROCESSORS;
type Form = Record<string, string | boolean>;

const PROCESSOR_PARTS = { name: 'Name', address: 'Anschrift', country: 'Land' } as const;
const NONE = 'Leer, wo es keinen gibt.';
const NAME_HINTS: Record<Processor, string> = {
  storage: NONE,
  database: NONE,
  mail: NONE,
  other: `Auch, wer den Server aus der Ferne wartet. ${NONE}`,
};
const NUMBERS = new Set(['breachHours', 'objectionDays']);

const SWITCHES: [name: 'confidentiality' | 'training' | 'contracts' | 'beneficiary' | 'premises', label: string, hint: string][] = [
  [
    'confidentiality',
    'Alle mit Zugang sind zur Vertraulichkeit verpflichtet',
    'Schriftlich, auch Aushilfen und über das Ende ihrer Tätigkeit hinaus (Art. 28 Abs. 3 lit. b, Art. 29 DSGVO).',
  ],
  ['training', 'Alle mit Zugang sind in den Datenschutz eingewiesen', 'Mit Datum und Namen festgehalten (Art. 32 Abs. 4 DSGVO).'],
  ['premises', 'Der Server steht in verschlossenen Räumen', 'Bei Ihnen oder vertraglich zugesichert vom Rechenzentrum (Art. 32 DSGVO).'],
  ['contracts', 'Mit dem Rechenzentrum und allen Dienstleistern unten bestehen Verträge', 'Nach Art. 28 Abs. 4 DSGVO.'],
  [
    'beneficiary',
    'Diese Verträge geben Ihren Kunden Rechte, falls es Ihren Betrieb nicht mehr gibt',
    'Drittbegünstigtenklausel: Der Kunde darf dann kündigen und die Daten löschen oder herausgeben lassen (Klausel 7.7 (e) der Kommission).',
  ],
];

export function PaperSettingsForm({ value, onSave }: { value: PaperSettings; onSave(value: PaperSettings): Promise<void> }) {
  const { typed, change, field, failure, busy, onSubmit } = useForm<Form>(formOf(value));
  const text = (name: string) => ({ ...field(name), value: String(typed[name] ?? '') });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit(() => onSave(valueOf(typed)))}>
      <fieldset className={styles.group}>
        <legend>Ansprechpartner und Fristen</legend>
        <Field label="Ansprechperson für Datenschutz" hint="Name; steht im Vertrag." {...text('contact')} />
        <Field
          label="Eingeführt am"
          hint="Seit wann Sie Feierbild einsetzen, etwa „1. Mai 2026“; steht im Verzeichnis."
          {...text('introduced')}
        />
        <Field label="Telefon für Datenpannen" {...text('breachPhone')} />
        <Field
          label="Datenpannen melden wir Kunden innerhalb von … Stunden"
          hint="1 bis 72. Der Kunde selbst hat 72 Stunden (Art. 33 DSGVO): Lassen Sie ihm Zeit, üblich sind 24."
          inputMode="numeric"
          {...text('breachHours')}
        />
        <Field
          label="Neue Dienstleister kündigen wir … Tage vorher an"
          hint="7 bis 90, üblich sind 30."
          inputMode="numeric"
          {...text('objectionDays')}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend>Was bei Ihnen gilt</legend>
        {SWITCHES.map(([name, label, hint]) => (
          <Switch key={name} label={label} hint={hint} checked={typed[name] === true} onChange={(on) => change(name, on)} />
        ))}
      </fieldset>
      {(Object.entries(PROCESSORS) as [Processor, string][]).map(([name, label]) => (
        <fieldset key={name} className={styles.group}>
          <legend>Dienstleister: {label}</legend>
          {Object.entries(PROCESSOR_PARTS).map(([part, partLabel]) => (
            <Field
              key={part}
              label={partLabel}
              hint={part === 'name' ? NAME_HINTS[name] : undefined}
              {...text(`processors.${name}.${part}`)}
            />
          ))}
        </fieldset>
      ))}
      <fieldset className={styles.group}>
        <legend>Prüfung und Grenzen</legend>
        <Field label="Ergebnis der rechtlichen Prüfung" hint="Wer hat wann geprüft? Steht auf jedem Papier." {...text('lawyer')} />
        <Field label="Bekannte Barrieren" hint="Steht auf der Seite zur Barrierefreiheit." rows={3} {...text('barriers')} />
      </fieldset>
      {failure && <Notice kind="error">{failure}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          Speichern
        </Button>
      </div>
    </form>
  );
}

function formOf({ processors, ...rest }: PaperSettings): Form {
  const form: Form = {};
  for (const [name, value] of Object.entries(rest)) form[name] = typeof value === 'boolean' ? value : String(value);
  for (const [name, company] of Object.entries(processors ?? {}))
    for (const [part, value] of Object.entries(company ?? {})) form[`processors.${name}.${part}`] = value ?? '';
  return form;
}

/** What is sent: nothing of what is empty. */
function valueOf(form: Form): PaperSettings {
  const value: Record<string, unknown> = {};
  const processors: Record<string, Record<string, string>> = {};
  for (const [path, typed] of Object.entries(form)) {
    const text = typeof typed === 'string' ? typed.trim() : '';
    const [first, name = '', part = ''] = path.split('.');
    if (typed === true) value[path] = true;
    else if (text === '') continue;
    else if (first === 'processors') (processors[name] ??= {})[part] = text;
    else value[path] = NUMBERS.has(path) ? Number(text) : text;
  }
  return { ...value, ...(Object.keys(processors).length > 0 && { processors }) } as PaperSettings;
}
