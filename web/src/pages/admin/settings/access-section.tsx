import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { Switch } from '../../../ui/switch.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { FormFrame } from './settings-form.tsx';
import { SettingsSection } from './settings-section.tsx';

type Access = SettingsOf<'access'>;

/** The setting whether administrators need a second factor. */
export function AccessSection() {
  return (
    <SettingsSection section="access">
      {({ value }, save) => <AccessForm access={value ?? { secondFactor: false }} onSave={save} />}
    </SettingsSection>
  );
}

function AccessForm({ access, onSave }: { access: Access; onSave(access: Access): Promise<void> }) {
  const { typed, change, onSubmit, ...form } = useForm(access);
  return (
    <FormFrame form={form} onSubmit={onSubmit(() => onSave(typed))}>
      <Switch
        label="Zweiten Faktor von allen verlangen"
        hint="Wer keinen hat, kann nach der Anmeldung nur noch einen einrichten. Gastgeber und Programme mit Token betrifft es nicht."
        checked={typed.secondFactor}
        onChange={(on) => change('secondFactor', on)}
      />
      <p className="soft">
        Ändern kann das nur, wer selbst einen hat: <a href="/admin/zweiter-faktor">Ihr zweiter Faktor</a>
      </p>
    </FormFrame>
  );
}
