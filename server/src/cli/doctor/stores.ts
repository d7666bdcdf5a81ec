import { BACKUPS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { explainTrouble } from '../../dependency-trouble.ts';
import type { Parts } from '../../services.ts';
import { bucketDeletions, bucketVersioning } from '../../storage/s3-bucket.ts';
import { Failure } from '../failures.ts';
import { count } from '../german.ts';
import { line, type Line } from './line.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** A daily backup may take its time. */
const BACKUP_LATE = 26 * HOUR;

/** Database, photo store and the first password. */
export async function checkStores(parts: () => Promise<Parts>): Promise<Line[]> {
  let opened: Parts;
  try {
    opened = await parts();
    await opened.db.check();
  } catch (error) {
    if (error instanceof Failure) return [line('Datenbank', 'Fehler', error.message)];
    return [line('Datenbank', 'Fehler', `${troubleOf(error)}. Prüfen Sie DATABASE_URL und die Rechte in DATA_DIR.`)];
  }
  const { db, blobs, admins, config } = opened;
  const migrations = await db.migrations();
  const lines = [
    line('Datenbank', 'gut', `${db.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} antwortet, Stand ${migrations.at(-1) ?? 'leer'}.`),
    await blobs.check().then(
      () => line('Fotospeicher', 'gut', 'ist beschreibbar.'),
      (error: unknown) => line('Fotospeicher', 'Fehler', `${troubleOf(error)}. Prüfen Sie STORAGE_URL und Zugangsdaten.`),
    ),
  ];
  if (config.s3) lines.push(await deletionLine(config.s3), await versioningLine(config.s3));
  if (await admins.initialPasswordInUse())
    lines.push(line('Passwort', 'Achtung', 'Das erste Verwaltungspasswort ist noch in Gebrauch. Ändern Sie es: admin password.'));
  return lines;
}

function troubleOf(error: unknown): string {
  const { text, refused } = explainTrouble(error);
  return `${refused ? 'lehnt ab' : 'antwortet nicht'}: ${text}`;
}

async function deletionLine(s3: NonNullable<Parts['config']['s3']>): Promise<Line> {
  try {
    return (await bucketDeletions(s3)) === 'together'
      ? line('Löschen', 'gut', 'Der Bucket löscht einzelne Fotos und viele auf einmal.')
      : line('Löschen', 'Achtung', 'Der Bucket löscht Fotos nur einzeln. Das geht, aber ein großes Event zu löschen dauert länger.');
  } catch (error) {
    return line(
      'Löschen',
      'Fehler',
      `Der Bucket löscht keine Fotos: ${explainTrouble(error).text}. Prüfen Sie die Rechte der Zugangsdaten.`,
    );
  }
}

async function versioningLine(s3: NonNullable<Parts['config']['s3']>): Promise<Line> {
  try {
    const state = await bucketVersioning(s3);
    if (state === 'off') return line('Versionierung', 'gut', 'Der Bucket behält keine gelöschten Fotos.');
    const text =
      'Der Bucket behält gelöschte Fotos als alte Versionen. Schalten Sie die Versionierung aus und löschen Sie die alten Versionen.';
    return line('Versionierung', 'Fehler', text);
  } catch (error) {
    return line('Versionierung', 'Achtung', `ließ sich nicht feststellen: ${explainTrouble(error).text}. Sie muss aus sein.`);
  }
}

/**
 * Whether the newest backup is fresh enough to help, and young enough to be kept: the newest in a folder or, without one, the last
 * that this database has noted.
 */
export async function checkBackup(parts: () => Promise<Parts>, folder?: string): Promise<Line> {
  const opened = await parts().catch(() => null);
  if (!opened) return line('Sicherung', 'Achtung', 'ließ sich ohne Datenbank nicht prüfen.');
  const newest = folder === undefined ? await opened.backup.last() : { at: await opened.backup.newest(folder), folder };
  if (newest === null) return line('Sicherung', 'Achtung', 'Noch nie wurde gesichert. Richten Sie ein tägliches „backup“ ein.');
  if (newest.at === null)
    return line('Sicherung', 'Fehler', `In ${newest.folder} ist keine vollständige. Richten Sie ein tägliches „backup“ ein.`);
  const age = Date.now() - newest.at;
  const old = age < 2 * DAY ? count(Math.floor(age / HOUR), 'Stunde', 'Stunden') : count(Math.floor(age / DAY), 'Tag', 'Tage');
  const text = `Die neueste, in ${newest.folder}, ist ${old} alt`;
  if (age > BACKUPS_KEPT_DAYS * DAY)
    return line('Sicherung', 'Fehler', `${text}, keine darf älter als ${BACKUPS_KEPT_DAYS} Tage werden. Sichern Sie täglich.`);
  if (age > BACKUP_LATE) return line('Sicherung', 'Achtung', `${text}. Sichern Sie täglich.`);
  return line('Sicherung', 'gut', `${text}.`);
}
