import { ApiError } from '../api/client.ts';
import { formatDay } from './format.ts';

/** A second line below a specified text, if the reason of a failure is known. */
export function failureHint(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'wrong_event_password') return 'Das Event-Passwort stimmt nicht. Groß- und Kleinschreibung zählt.';
  if (error.code === 'password_missing') return 'Bitte das Event-Passwort eingeben.';
  if (error.code === 'event_inactive') return inactive(error.fields);
  if (error.code === 'too_many_attempts' || error.code === 'no_connection') return error.message;
  return null;
}

function inactive({ opens_on, ended_on }: Record<string, string>): string {
  if (opens_on) return `Dieses Event öffnet am ${formatDay(opens_on)}.`;
  if (ended_on) return `Dieses Event ist vorbei; sein letzter Tag war der ${formatDay(ended_on)}.`;
  return 'Dieses Event ist noch nicht oder nicht mehr aktiv.';
}
