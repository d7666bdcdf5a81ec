import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { SettingsSection } from './settings-section.tsx';
import styles from './settings.module.css';

/** What administrators need to get in. */
export function AccessSection() {
  return (
    <SettingsSection section="access">
      {({ value }, save) => <AccessForm secondFactor={value?.secondFactor ?? false} onSave={(secondFactor) => save({ secondFactor })} />}
    </SettingsSection>
  );
}

function AccessForm({ secondFactor, onSave }: { secondFactor: boolean; onSave(secondFactor: boolean): Promise<void> }) {
  const { typed, change, onSubmit, failure, busy } = useForm({ secondFactor });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit(() => onSave(typed.secondFactor))}>
      <Switch
        label="Zweiten Faktor von allen verlangen"
        hint="Wer keinen hat, kann nach der Anmeldung nur noch einen einrichten. Gastgeber und Programme mit Token betrifft es nicht."
        checked={typed.secondFactor}
        onChange={(on) => change('secondFactor', on)}
      />
      <p className="soft">
        Ändern kann das nur, wer selbst einen hat: <a href="/admin/zweiter-faktor">Ihr zweiter Faktor</a>
      </p>
      {failure && <Notice kind="error">{failure}</Notice>}
      <div>
        <Button type="submit" busy={busy}>
          Speichern
        </Button>
      </div>
    </form>
  );
}
