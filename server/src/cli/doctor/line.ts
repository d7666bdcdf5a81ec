import type { Operator } from '../command.ts';

/** One line of the diagnosis; German, with what to do where it is not well. */
export interface Line {
  state: 'gut' | 'Achtung' | 'Fehler';
  about: string;
  text: string;
}

/** What is examined; `folder`: of the backups, where it was named. */
export type Checked = Pick<Operator, 'config' | 'parts'> & { folder: string | undefined };
/** Examines one thing, and says each line as soon as it is known. */
export type Check = (checked: Checked) => AsyncIterable<Line>;

export const good = (about: string, text: string): Line => ({ state: 'gut', about, text });
export const caution = (about: string, text: string): Line => ({ state: 'Achtung', about, text });
export const bad = (about: string, text: string): Line => ({ state: 'Fehler', about, text });

/** What an error says, in short. */
export function reason(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message || String(error);
}
