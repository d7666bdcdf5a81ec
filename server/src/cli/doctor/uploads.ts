import { HOUR, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { count, number, size } from '../german.ts';
import { caution, good, type Check } from './line.ts';

/** They end after 24 hours without a byte, by a run that comes every hour. */
const LATE_HOURS = 27;

/** What uploads that broke off hold, and whether those that were given up are removed. */
export const checkUploads: Check = async function* ({ parts }) {
  const found = await parts()
    .then(({ uploads }) => uploads.resumable.list())
    .catch(() => null);
  if (!found) return yield caution('Übertragungen', 'ließen sich ohne Datenbank nicht prüfen.');
  if (found.length === 0) return yield good('Übertragungen', 'Keine ist unterbrochen.');
  const hours = Math.floor((Date.now() - (Math.min(...found.map(({ expires_at }) => expires_at)) - UPLOAD_KEPT)) / HOUR);
  const since = hours < 1 ? 'weniger als einer Stunde' : count(hours, 'Stunde', 'Stunden');
  const many = found.length === 1 ? '1 ist' : `${number(found.length)} sind`;
  const sumOf = (what: 'parts' | 'received'): number => found.reduce((sum, upload) => sum + Number(upload[what]), 0);
  const held = `${many} nicht fertig, mit ${count(sumOf('parts'), 'Teil', 'Teilen')} (${size(sumOf('received'))})`;
  const text = `${held}; die älteste seit ${since} ohne ein Byte.`;
  if (hours < LATE_HOURS) yield good('Übertragungen', text);
  else yield caution('Übertragungen', `${text} Abgelaufene entfernt der Dienst jede Stunde: läuft er?`);
};
