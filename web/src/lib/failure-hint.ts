import { ApiError } from '../api/client.ts';

/** The second line below a specified text, where more is known than that it did not work. */
export function failureHint(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'wrong_event_password') return 'Das Event-Passwort stimmt nicht. Bitte achten Sie auf Groß- und Kleinschreibung.';
  if (error.code === 'event_inactive') return 'Dieses Event ist noch nicht oder nicht mehr aktiv.';
  if (error.code === 'too_many_attempts' || error.status === 0) return error.message;
  return null;
}
