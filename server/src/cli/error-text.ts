import { errors } from '@feierbild/contract/errors.ts';
import { BackupProblem } from '../features/backup/backup.ts';
import { isDiskFull } from '../lib/disk-full.ts';
import { Refusal, Unavailable } from '../lib/errors.ts';
import { DataFolderTaken } from '../storage/data-lock.ts';
import { explainTrouble } from '../trouble.ts';
import { Failure } from './command.ts';

/** Returns the text of an error for people: a refusal's field texts, else its own text; the message of other errors. */
export function textOf(error: unknown): string {
  if (error instanceof Refusal) {
    if (error.code === 'login_required') return 'Der Zugang wurde inzwischen geändert oder entfernt.';
    return Object.values(error.fields ?? {}).join(' ') || errors[error.code].text;
  }
  if (error instanceof Unavailable) {
    const what = error.dependency === 'database' ? 'Die Datenbank' : 'Der Fotospeicher';
    return `${what} antwortet nicht: ${explainTrouble(error).text}.`;
  }
  if (error instanceof DataFolderTaken) return `${error.message}. Beenden Sie zuerst den Dienst.`;
  const told = error instanceof Failure || error instanceof BackupProblem;
  if (!told && isDiskFull(error)) return 'Auf der Platte des Dienstes ist kein Platz mehr.';
  return told ? error.message : `Unerwarteter Fehler: ${explainTrouble(error).text}`;
}
