import type { Config } from './config/config.ts';
import { isNotUpYet } from './config/hosts.ts';
import { SchemaMismatch } from './database/migrate.ts';
import { explainTrouble } from './dependency-trouble.ts';
import { isDiskFull } from './lib/disk-full.ts';
import { Refusal, Unavailable } from './lib/errors.ts';
import { DataFolderTaken } from './storage/data-lock.ts';
import { IsolationMissing } from './images/sandbox.ts';

/** A part that could not be opened, with the setting that leads to it. */
export class StartFailure extends Error {
  readonly setting: string;

  constructor(setting: string, cause: unknown) {
    super(setting, { cause });
    this.setting = setting;
  }
}

/** Runs one step of a start; its errors are reported as caused by `setting`. */
export async function startStep<T>(setting: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof SchemaMismatch ? error : new StartFailure(setting, error);
  }
}

/** What is wrong, by the setting; where the other side answered, and refused, in other words. */
const TROUBLE: Record<string, [silent: string, refused: string]> = {
  DATABASE_URL: ['Die Datenbank lässt sich nicht öffnen', 'Die Datenbank lässt sich nicht öffnen'],
  STORAGE_URL: ['Der Fotospeicher antwortet nicht', 'Der Fotospeicher lehnt ab'],
  DATA_DIR: ['Der Ordner lässt sich nicht benutzen', 'Der Ordner lässt sich nicht benutzen'],
};

/**
 * Whether another attempt may succeed: database or photo store did not answer, as while they are started themselves, a disk is full,
 * the interface with our address is not up, or another process, perhaps our predecessor, still has the port.
 */
export function isTemporary(error: unknown): boolean {
  if (isNotUpYet(error) || isTaken(error)) return true;
  if (!(error instanceof StartFailure)) return false;
  const full = error.cause instanceof Refusal ? error.cause.code === 'disk_full' : isDiskFull(error.cause);
  return full || (error.cause instanceof Unavailable && !explainTrouble(error.cause).lasting);
}

function isTaken(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'listen' && code === 'EADDRINUSE';
}

/** Nothing was released before 0.2.0, so only whoever developed it has such data. */
export const UNRELEASED =
  'Die Datenbank hat einen Stand, den keine veröffentlichte Fassung von Feierbild hinterlässt: einen Zwischenstand der Entwicklung. Er lässt sich nicht weiterführen; es wurde nichts geändert. Beginnen Sie mit einem leeren Ordner (DATA_DIR) oder einer leeren Datenbank (DATABASE_URL), oder spielen Sie dort mit „restore“ die Sicherung einer veröffentlichten Fassung ein.';

/** A German text for a failed start that names the setting; null if no setting is the cause. */
export function explainFailure(error: unknown, { port, metrics }: Pick<Config, 'port' | 'metrics'>): string | null {
  if (error instanceof DataFolderTaken || error instanceof IsolationMissing) return error.message;
  if (error instanceof SchemaMismatch && error.unreleased) return UNRELEASED;
  if (error instanceof SchemaMismatch) {
    return `Die Daten stammen von einer neueren Fassung von Feierbild (Stand ${error.newer.join(', ')}). Starten Sie diese Fassung wieder, oder spielen Sie mit „restore“ die Sicherung ein, die vor der Aktualisierung gemacht wurde.`;
  }
  if (error instanceof StartFailure) {
    const { text, refused } = explainTrouble(error.cause);
    return `${error.setting}: ${TROUBLE[error.setting]?.[refused ? 1 : 0]}: ${text}.`;
  }
  const { syscall, code, port: wanted } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall !== 'listen') return null;
  const setting = wanted === metrics?.port && wanted !== port ? 'METRICS_PORT' : 'PORT';
  const why = isTaken(error)
    ? 'ist schon belegt. Läuft Feierbild oder ein anderer Dienst dort schon?'
    : `lässt sich nicht öffnen (${code}).`;
  return `${setting}: Der Port ${wanted} ${why}`;
}
