import type { Finding, Severity } from '../features/health/health.ts';
import { CLOCK_SKEW_MS } from '../lib/clock.ts';
import { count } from '../lib/german.ts';
import type { Operator } from './command.ts';

/** Difference of two clocks that counts as a caution, ms. */
const SKEW_NOTED = 30_000;

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

/** Compares another clock, which shows `there`, ms since 1970, with this machine's. */
export function clockLine(about: string, there: number): Line {
  const skew = Math.abs(Date.now() - there);
  const seconds = count(Math.round(skew / 1000), 'Sekunde', 'Sekunden');
  if (skew < SKEW_NOTED) return good(about, 'geht richtig.');
  return (skew < CLOCK_SKEW_MS ? caution : bad)(about, `weicht um ${seconds} ab. Schalten Sie die Zeitsynchronisierung (NTP) ein.`);
}

/** Shortens an error to its message. */
export function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message || String(error);
}
