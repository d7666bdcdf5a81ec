import type { SectionState, Section, SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { Undo2 } from 'lucide-react';
import { createContext, useState, type ReactNode } from 'react';
import { formatInstant } from '../../../lib/format.ts';
import { holdsTyped } from '../../../lib/typed.ts';
import { mayLoseTyped, useWhileTyped } from '../../../lib/typed-guard.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Outdated } from '../../../ui/outdated.tsx';
import { useAction } from '../../../ui/use-form.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import styles from './settings.module.css';
import { useSettings, type StateOf } from './use-settings.ts';

interface SettingsSectionProps<S extends Section> {
  section: S;
  /** Renders the form, which begins anew with each version. */
  children(kept: StateOf<S>, save: (value: SettingsOf<S>) => Promise<void>): ReactNode;
}

/** The result of the last change, shown beside the button of a section's form. */
export const SaidContext = createContext<ReactNode>(null);

/** Loads a section of the settings, and shows its form, and below it the versions with their authors, with the step back. */
export function SettingsSection<S extends Section>({ section, children }: SettingsSectionProps<S>) {
  const { query, ...change } = useSettings(section);
  const newest = query.data;
  /** `begun`: the form's first values. */
  const { shown: begun, base, take, saved } = useWhileTyped(newest);
  const { busy, failure, run } = useAction();
  const [said, setSaid] = useState('');
  const isOutdated = base !== undefined && newest !== undefined && newest.version > base.version;

  async function save(version: number, value: SettingsOf<S>): Promise<void> {
    setSaid('');
    saved(await change.save(version, value));
    setSaid('Gespeichert. In wenigen Sekunden gilt es auf allen Seiten.');
  }
  async function goBack(version: number): Promise<void> {
    if (holdsTyped() && !mayLoseTyped('zurückgehen')) return;
    setSaid('');
    take(await change.back(version));
    setSaid('Die letzte Änderung ist zurückgenommen.');
  }
  const beside = (
    <>
      {isOutdated && <Outdated title="Jemand anders hat inzwischen gespeichert." onLoad={() => take(newest)} />}
      {said && (
        <Notice kind="success" onDismiss={() => setSaid('')}>
          {said}
        </Notice>
      )}
    </>
  );

  return (
    <div className={styles.section}>
      <Loaded query={query}>
        {(kept) => {
          const shown = begun ?? kept;
          return (
            <>
              <div key={shown.version} className={styles.section}>
                <SaidContext value={beside}>{children(shown, (value) => save((base ?? kept).version, value))}</SaidContext>
              </div>
              {failure && <Notice kind="error">{failure}</Notice>}
              <Versions kept={kept} busy={busy} onBack={() => void run(() => goBack(kept.version))} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

/** Number of versions that are listed. */
const SHOWN = 10;

/** The versions of a section with times and authors, and the step back. */
export function Versions({ kept, busy, onBack }: { kept: Pick<SectionState, 'versions'>; busy: boolean; onBack(): void }) {
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
