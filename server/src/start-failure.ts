import type { Config } from './config/config.ts';
import { isNotUpYet } from './config/hosts.ts';
import { SchemaMismatch } from './database/migrate.ts';
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

const TROUBLE: Record<string, string> = {
  DATABASE_URL: 'Die Datenbank lässt sich nicht öffnen',
  STORAGE_URL: 'Der Fotospeicher antwortet nicht',
  DATA_DIR: 'Der Ordner lässt sich nicht benutzen',
};

/**
 * Whether another attempt may succeed: database or photo store did not answer, as while they are started themselves, a disk is full,
 * or the interface with our address is not up.
 */
export function isTemporary(error: unknown): boolean {
  if (isNotUpYet(error)) return true;
  return error instanceof StartFailure && (error.cause instanceof Unavailable || isFull(error.cause));
}

/** Whether a disk is full, as the system or our own photo store says it. */
function isFull(error: unknown): boolean {
  return error instanceof Refusal ? error.code === 'disk_full' : isDiskFull(error);
}

/** A German text for a failed start that names the setting; null if no setting is the cause. */
export function explainFailure(error: unknown, { port, metrics }: Pick<Config, 'port' | 'metrics'>): string | null {
  if (error instanceof DataFolderTaken || error instanceof IsolationMissing) return error.message;
  if (error instanceof SchemaMismatch) {
    return `Die Daten stammen von einer neueren Fassung von Feierbild (Stand ${error.newer.join(', ')}). Starten Sie diese Fassung wieder, oder spielen Sie mit „restore“ die Sicherung ein, die vor der Aktualisierung gemacht wurde.`;
  }
  if (error instanceof StartFailure) return `${error.setting}: ${TROUBLE[error.setting]} (${reasonOf(error.cause)}).`;
  const { syscall, code, port: wanted } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall !== 'listen') return null;
  const setting = wanted === metrics?.port && wanted !== port ? 'METRICS_PORT' : 'PORT';
  const why =
    code === 'EADDRINUSE' ? 'ist schon belegt. Läuft Feierbild oder ein anderer Dienst dort schon?' : `lässt sich nicht öffnen (${code}).`;
  return `${setting}: Der Port ${wanted} ${why}`;
}

/** The message of the innermost cause; of several attempts the first. */
function reasonOf(error: unknown): string {
  if (isFull(error)) return 'auf der Platte ist kein Platz mehr';
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  return error instanceof Error ? error.message || error.name : String(error);
}
