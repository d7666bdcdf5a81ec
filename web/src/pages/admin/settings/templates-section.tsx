import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { PLAIN_EVENT, TEMPLATES_MAX, templatesIn, type EventTemplate } from '@feierbild/contract/event-templates.ts';
import { useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import { useSite } from '../../../lib/use-site.ts';
import { SWITCHES, type SwitchName } from '../form-model.ts';
import { CountButtons, SettingsForm } from './settings-form.tsx';
import { at, type Group, type PathField } from './path-form.ts';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

const NAMES = Object.entries(SWITCHES) as [SwitchName, string][];

function templateGroup(n: number): Group {
  const field = (name: string, label: string, rest: Partial<PathField> = {}): PathField => ({
    path: `templates.${n}.${name}`,
    label,
    ...rest,
  });
  return {
    legend: `Vorlage ${n + 1}`,
    beside: true,
    fields: [
      field('name', 'Name', { required: true }),
      field('storage_limit', 'Speicherplatz in GB', { kind: 'number', hint: 'Leer bedeutet unbegrenzt.' }),
      field('subtitle', 'Untertitel'),
      ...NAMES.map(([name, label]) => field(name, label, { kind: 'switch' })),
    ],
  };
}
const EVERY = Array.from({ length: TEMPLATES_MAX }, (_, n) => templateGroup(n));

/** The settings of the templates for new events. */
export function TemplatesSection() {
  const { prices } = useSite();
  return (
    <SettingsSection section="templates">
      {({ value }, save) => (
        <TemplatesForm templates={templatesIn({ templates: value, prices })} onSave={(typed) => save(typed as SettingsOf<'templates'>)} />
      )}
    </SettingsSection>
  );
}

function TemplatesForm({ templates, onSave }: { templates: EventTemplate[]; onSave(typed: object): Promise<void> }) {
  const [count, setCount] = useState(templates.length);
  const begun = EVERY.map((_, n) => templates[n] ?? PLAIN_EVENT);
  return (
    <SettingsForm
      groups={EVERY.slice(0, count)}
      known={EVERY}
      value={{ templates: begun }}
      onSave={onSave}
      preview={(typed) => <TemplatesPreview templates={(at(typed, 'templates') ?? []) as Partial<EventTemplate>[]} />}
    >
      <CountButtons count={count} most={TEMPLATES_MAX} add="Vorlage hinzufügen" remove="Letzte Vorlage entfernen" onChange={setCount} />
    </SettingsForm>
  );
}

function TemplatesPreview({ templates }: { templates: Partial<EventTemplate>[] }) {
  return (
    <ul className={styles.previewed}>
      {templates.map((template, n) => {
        const limit = template.storage_limit;
        const on = NAMES.filter(([name]) => template[name] === true).map(([, label]) => label);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a template is its place
          <li key={n}>
            <strong>{template.name ?? ''}</strong>: {[limit ? `${formatNumber(limit)} GB` : 'unbegrenzt', ...on].join(', ')}
          </li>
        );
      })}
    </ul>
  );
}
