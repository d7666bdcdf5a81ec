import type { z } from 'zod';
import { number } from './german.ts';

const EXPECTED: Record<string, string> = {
  string: 'Bitte geben Sie hier einen Text an.',
  number: 'Bitte geben Sie hier eine Zahl an.',
  int: 'Bitte geben Sie hier eine ganze Zahl an.',
  boolean: 'Bitte geben Sie hier true oder false an.',
  array: 'Bitte geben Sie hier eine Liste an.',
  object: 'Bitte senden Sie hier ein JSON-Objekt.',
};
const UNFIT = 'Bitte prüfen Sie diese Angabe.';

/** Error map for `safeParse`: German */
export const germanIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') {
    return (issue.input === undefined && issue.expected !== 'object' && 'Diese Angabe fehlt.') || EXPECTED[issue.expected] || UNFIT;
  }
  if (issue.code === 'too_big') return `Bitte höchstens ${number(Number(issue.maximum))}${unitOf(issue.origin)}.`;
  if (issue.code === 'too_small') return `Bitte mindestens ${number(Number(issue.minimum))}${unitOf(issue.origin)}.`;
  if (issue.code === 'invalid_value') return `Erlaubt ist hier nur: ${issue.values.map(String).join(', ')}.`;
  return UNFIT;
};

function unitOf(origin: string): string {
  return { string: ' Zeichen', array: ' Einträge' }[origin] ?? '';
}
