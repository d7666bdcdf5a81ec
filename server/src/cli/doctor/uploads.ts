import type { Parts } from '../../services.ts';
import { count, number, size } from '../german.ts';
import { line, type Line } from './line.ts';

const HOUR = 60 * 60 * 1000;
/** They end after 24 hours without a byte, by a run that comes every hour. */
const LATE_HOURS = 27;

/** What uploads that broke off hold, and whether those that were given up are removed. */
export async function checkUploads(parts: () => Promise<Parts>): Promise<Line> {
  const found = await parts()
    .then(({ uploads }) => uploads.resumable.open())
    .catch(() => null);
  if (!found) return line('Übertragungen', 'Achtung', 'ließen sich ohne Datenbank nicht prüfen.');
  if (found.oldestAt === null) return line('Übertragungen', 'gut', 'Keine ist unterbrochen.');
  const hours = Math.floor((Date.now() - found.oldestAt) / HOUR);
  const since = hours < 1 ? 'weniger als einer Stunde' : count(hours, 'Stunde', 'Stunden');
  const many = found.uploads === 1 ? '1 ist' : `${number(found.uploads)} sind`;
  const held = `${many} nicht fertig, mit ${count(found.parts, 'Teil', 'Teilen')} (${size(found.bytes)})`;
  const text = `${held}; die älteste seit ${since} ohne ein Byte.`;
  if (hours < LATE_HOURS) return line('Übertragungen', 'gut', text);
  return line('Übertragungen', 'Achtung', `${text} Abgelaufene entfernt der Dienst jede Stunde: läuft er?`);
}
