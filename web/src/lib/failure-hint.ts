import { ApiError } from '../api/client.ts';
import { shell } from '../texts/guest/shell.ts';

/** Returns a second line below a specified text, or null if the failure's reason is unknown. */
export function failureHint(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'wrong_event_password') return shell.hints.wrong;
  if (error.code === 'password_missing') return shell.hints.missing;
  if (error.code === 'event_inactive') return inactive(error.fields);
  if (error.code === 'too_many_attempts' || error.code === 'no_connection') return error.message;
  return null;
}

function inactive({ opens_on, ended_on }: Record<string, string>): string {
  if (opens_on) return shell.hints.opens(opens_on);
  if (ended_on) return shell.hints.ended(ended_on);
  return shell.hints.inactive;
}
