import { formatAge } from '../../lib/format.ts';
import { Notice } from '../../ui/notice.tsx';

/** A daily backup that is older was not taken, ms. */
const OLD_MS = 2 * 24 * 60 * 60 * 1000;

interface BackupProps {
  /** When the last complete one was begun, ISO 8601; null where there was none. */
  last: string | null;
  /** Ms since 1970. */
  now: number;
}

function isOld({ last, now }: BackupProps): boolean {
  return last === null || now - Date.parse(last) > OLD_MS;
}

const ageOf = (last: string, now: number): string => formatAge((now - Date.parse(last)) / 1000);

/** „Letzte Sicherung: vor 5 Stunden.“ */
export function backupText({ last, now }: BackupProps): string {
  return last === null ? 'Noch keine Sicherung.' : `Letzte Sicherung: ${ageOf(last, now)}.`;
}

/** Warns where photos would be lost. */
export function BackupNotice({ last, now, command }: BackupProps & { command: string }) {
  if (!isOld({ last, now })) return null;
  return (
    <Notice kind="warning" permanent>
      <span>
        {last === null ? 'Noch nie wurde gesichert.' : `Die letzte Sicherung war ${ageOf(last, now)}.`} Richten Sie eine tägliche Sicherung
        ein: <code>{command} backup &lt;Ordner&gt;</code>
      </span>
    </Notice>
  );
}
