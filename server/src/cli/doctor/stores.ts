import { resolve } from 'node:path';
import { BACKUPS_KEPT_DAYS, DAY, HOUR } from '@feierbild/contract/constants.ts';
import { explainTrouble } from '../../dependency-trouble.ts';
import type { Parts } from '../../services.ts';
import { bucketDeletions, bucketVersioning } from '../../storage/s3-bucket.ts';
import { Failure } from '../failures.ts';
import { count } from '../german.ts';
import { bad, caution, good, type Check, type Line } from './line.ts';

/** A daily backup may take its time. */
const BACKUP_LATE = 26 * HOUR;

/** Database, photo store and the first password. */
export const checkStores: Check = async function* ({ parts }) {
  let opened: Parts;
  try {
    opened = await parts();
    await opened.db.check();
  } catch (error) {
    const trouble = `${troubleOf(error)}. Prüfen Sie DATABASE_URL und die Rechte in DATA_DIR.`;
    return yield bad('Datenbank', error instanceof Failure ? error.message : trouble);
  }
  const { db, blobs, admins, config } = opened;
  const last = (await db.migrations()).at(-1) ?? 'leer';
  yield good('Datenbank', `${db.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} antwortet, Stand ${last}.`);
  yield blobs.check().then(
    () => good('Fotospeicher', 'ist beschreibbar.'),
    (error: unknown) => bad('Fotospeicher', `${troubleOf(error)}. Prüfen Sie STORAGE_URL und Zugangsdaten.`),
  );
  if (config.s3) {
    yield deletionLine(config.s3);
    yield versioningLine(config.s3);
  }
  if (await admins.initialPasswordInUse())
    yield caution('Passwort', 'Das erste Verwaltungspasswort ist noch in Gebrauch. Ändern Sie es: admin password.');
};

function troubleOf(error: unknown): string {
  const { text, refused } = explainTrouble(error);
  return `${refused ? 'lehnt ab' : 'antwortet nicht'}: ${text}`;
}

async function deletionLine(s3: NonNullable<Parts['config']['s3']>): Promise<Line> {
  try {
    return (await bucketDeletions(s3)) === 'together'
      ? good('Löschen', 'Der Bucket löscht einzelne Fotos und viele auf einmal.')
      : caution('Löschen', 'Der Bucket löscht Fotos nur einzeln. Das geht, aber ein großes Event zu löschen dauert länger.');
  } catch (error) {
    return bad('Löschen', `Der Bucket löscht keine Fotos: ${explainTrouble(error).text}. Prüfen Sie die Rechte der Zugangsdaten.`);
  }
}

async function versioningLine(s3: NonNullable<Parts['config']['s3']>): Promise<Line> {
  const kept =
    'Der Bucket behält gelöschte Fotos als alte Versionen. Schalten Sie die Versionierung aus und löschen Sie die alten Versionen.';
  try {
    const off = (await bucketVersioning(s3)) === 'off';
    return off ? good('Versionierung', 'Der Bucket behält keine gelöschten Fotos.') : bad('Versionierung', kept);
  } catch (error) {
    return caution('Versionierung', `ließ sich nicht feststellen: ${explainTrouble(error).text}. Sie muss aus sein.`);
  }
}

/**
 * Whether the newest backup is fresh enough to help, and young enough to be kept: the newest in a folder or, without one, the last
 * that this database has noted.
 */
export const checkBackup: Check = async function* ({ parts, folder: given }) {
  const opened = await parts().catch(() => null);
  if (!opened) return yield caution('Sicherung', 'ließ sich ohne Datenbank nicht prüfen.');
  const folder = given && resolve(given);
  const newest = folder === undefined ? await opened.backup.last() : { at: await opened.backup.newest(folder), folder };
  if (newest === null) return yield caution('Sicherung', 'Noch nie wurde gesichert. Richten Sie ein tägliches „backup“ ein.');
  if (newest.at === null)
    return yield bad('Sicherung', `In ${newest.folder} ist keine vollständige. Richten Sie ein tägliches „backup“ ein.`);
  const age = Date.now() - newest.at;
  const old = age < 2 * DAY ? count(Math.floor(age / HOUR), 'Stunde', 'Stunden') : count(Math.floor(age / DAY), 'Tag', 'Tage');
  const text = `Die neueste, in ${newest.folder}, ist ${old} alt`;
  if (age > BACKUPS_KEPT_DAYS * DAY)
    yield bad('Sicherung', `${text}, keine darf älter als ${BACKUPS_KEPT_DAYS} Tage werden. Sichern Sie täglich.`);
  else if (age > BACKUP_LATE) yield caution('Sicherung', `${text}. Sichern Sie täglich.`);
  else yield good('Sicherung', `${text}.`);
};
