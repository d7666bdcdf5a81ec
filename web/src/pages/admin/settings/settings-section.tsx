import type { Kept, Section, SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { Undo2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatInstant } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useTask } from '../../../ui/use-form.ts';
import { Loaded } from '../loaded.tsx';
import styles from './settings.module.css';
import { useSettings, type KeptOf } from './use-settings.ts';

interface SettingsSectionProps<S extends Section> {
  section: S;
  /** The form; it begins anew with each version. */
  children(kept: KeptOf<S>, save: (value: SettingsOf<S>) => Promise<void>): ReactNode;
}

/** A section of the settings: loads it, shows its form, and below it who changed it when, with the step back. */
export function SettingsSection<S extends Section>({ section, children }: SettingsSectionProps<S>) {
  const { query, save, back } = useSettings(section);
  const { busy, failure, run } = useTask();
  const [said, setSaid] = useState('');

  async function change(work: () => Promise<void>, done: string): Promise<void> {
    setSaid('');
    await work();
    setSaid(done);
  }

  return (
    <div className={styles.section}>
      {said && (
        <Notice kind="success" onDismiss={() => setSaid('')}>
          {said}
        </Notice>
      )}
      <Loaded query={query}>
        {(kept) => (
          <>
            <div key={kept.version} className={styles.section}>
              {children(kept, (value) => change(() => save(value), 'Gespeichert. In wenigen Sekunden gilt es auf allen Seiten.'))}
            </div>
            {failure && <Notice kind="error">{failure}</Notice>}
            <Versions kept={kept} busy={busy} onBack={() => void run(() => change(back, 'Die letzte Änderung ist zurückgenommen.'))} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** Versions that are listed. */
const SHOWN = 10;

/** Who changed a section when, and the step back. */
export function Versions({ kept, busy, onBack }: { kept: Pick<Kept, 'versions'>; busy: boolean; onBack(): void }) {
  const [last] = kept.versions;
  if (!last) return null;
  const canGoBack = (last.restored ?? last.version) > 0;
  return (
    <details className={styles.versions}>
      <summary>
        Zuletzt geändert am {formatInstant(last.at)} von {last.by}
      </summary>
      <ol>
        {kept.versions.slice(0, SHOWN).map(({ version, at, by, restored }) => (
          <li key={version}>
            {formatInstant(at)} von {by}
            {restored !== null && (restored === 0 ? ': zurück zum Stand ohne Einstellungen' : `: zurück zu Stand ${restored}`)}
            <span className="soft"> (Stand {version})</span>
          </li>
        ))}
      </ol>
      {canGoBack && (
        <Button look="secondary" busy={busy} onClick={onBack}>
          <Undo2 size={20} /> Einen Schritt zurück
        </Button>
      )}
    </details>
  );
}
