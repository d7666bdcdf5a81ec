import { PROCESSORS } from '@feierbild/contract/paper-names.ts';
import type { PaperSettings } from '@feierbild/contract/papers.ts';
import type { Group } from './path-form.ts';
import { SettingsForm } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';

const NONE = 'Leer, wo es keinen gibt.';
const processor = ([name, label]: [string, string]): Group => ({
  legend: `Dienstleister: ${label}`,
  fields: [
    {
      path: `processors.${name}.name`,
      label: 'Name',
      hint: name === 'other' ? `Auch, wer den Server aus der Ferne wartet. ${NONE}` : NONE,
    },
    { path: `processors.${name}.address`, label: 'Anschrift' },
    { path: `processors.${name}.country`, label: 'Land' },
  ],
});

/** The form's fields, by the paths of `PaperSettings`. */
const GROUPS: Group[] = [
  {
    legend: 'Ansprechpartner und Fristen',
    fields: [
      { path: 'contact', label: 'Ansprechperson für Datenschutz', hint: 'Name; steht im Vertrag.' },
      { path: 'introduced', label: 'Eingeführt am', hint: 'Seit wann Sie Feierbild einsetzen, etwa „1. Mai 2026“; steht im Verzeichnis.' },
      { path: 'breachPhone', label: 'Telefon für Datenpannen' },
      {
        path: 'breachHours',
        label: 'Datenpannen melden wir Kunden innerhalb von … Stunden',
        hint: '1 bis 72. Der Kunde selbst hat 72 Stunden (Art. 33 DSGVO): Lassen Sie ihm Zeit, üblich sind 24.',
        kind: 'number',
      },
      {
        path: 'objectionDays',
        label: 'Neue Dienstleister kündigen wir … Tage vorher an',
        hint: '7 bis 90, üblich sind 30.',
        kind: 'number',
      },
    ],
  },
  {
    legend: 'Was bei Ihnen gilt',
    fields: [
      {
        path: 'confidentiality',
        label: 'Alle mit Zugang sind zur Vertraulichkeit verpflichtet',
        hint: 'Schriftlich, auch Aushilfen und über das Ende ihrer Tätigkeit hinaus (Art. 28 Abs. 3 lit. b, Art. 29 DSGVO).',
        kind: 'switch',
      },
      {
        path: 'training',
        label: 'Alle mit Zugang sind in den Datenschutz eingewiesen',
        hint: 'Mit Datum und Namen festgehalten (Art. 32 Abs. 4 DSGVO).',
        kind: 'switch',
      },
      {
        path: 'premises',
        label: 'Der Server steht in verschlossenen Räumen',
        hint: 'Bei Ihnen oder vertraglich zugesichert vom Rechenzentrum (Art. 32 DSGVO).',
        kind: 'switch',
      },
      {
        path: 'contracts',
        label: 'Mit dem Rechenzentrum und allen Dienstleistern unten bestehen Verträge',
        hint: 'Nach Art. 28 Abs. 4 DSGVO.',
        kind: 'switch',
      },
      {
        path: 'beneficiary',
        label: 'Diese Verträge geben Ihren Kunden Rechte, falls es Ihren Betrieb nicht mehr gibt',
        hint: 'Drittbegünstigtenklausel: Der Kunde darf dann kündigen und die Daten löschen oder herausgeben lassen (Klausel 7.7 (e) der Kommission).',
        kind: 'switch',
      },
    ],
  },
  ...Object.entries(PROCESSORS).map(processor),
  {
    legend: 'Prüfung und Grenzen',
    fields: [
      { path: 'lawyer', label: 'Ergebnis der rechtlichen Prüfung', hint: 'Wer hat wann geprüft? Steht auf jedem Papier.' },
      { path: 'barriers', label: 'Bekannte Barrieren', hint: 'Steht auf der Seite zur Barrierefreiheit.', kind: 'text' },
    ],
  },
];

/** The settings for statements of the papers that the system cannot know itself. */
export function PaperSection() {
  return (
    <SettingsSection section="papers">
      {({ value }, save) => <SettingsForm groups={GROUPS} value={value} onSave={(typed) => save(typed as PaperSettings)} />}
    </SettingsSection>
  );
}
