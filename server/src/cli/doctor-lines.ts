import type { Finding, Severity } from '../features/health/health.ts';
import type { Operator } from './command.ts';

/** A line of the diagnosis, in German; unless all is well it contains a remedy. */
export interface Line {
  state: 'gut' | 'Achtung' | 'Fehler';
  about: string;
  text: string;
}
/** Findings of a check, each line as soon as it is known. */
export type Lines = AsyncGenerator<Line, void, void>;
/** Input of a check; `folder` is the folder of backups, if one was given. */
export type Checked = Pick<Operator, 'config' | 'features'> & { folder: string | undefined };

const STATES: Record<Severity, Line['state']> = { good: 'gut', caution: 'Achtung', bad: 'Fehler' };

/** Yields the line of a health finding, if it has one. */
export function* lineOf({ about }: { about: string }, { severity, line }: Finding): Generator<Line> {
  if (line !== undefined) yield { state: STATES[severity], about, text: line };
}

export const good = (about: string, text: string): Line => ({ state: 'gut', about, text });
export const caution = (about: string, text: string): Line => ({ state: 'Achtung', about, text });
export const bad = (about: string, text: string): Line => ({ state: 'Fehler', about, text });

/** Shortens an error to its message. */
export function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message || String(error);
}
