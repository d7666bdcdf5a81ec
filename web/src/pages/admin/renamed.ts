import { ApiError } from '../../api/client.ts';

/** Moves a refusal's sentences about fields to the fields that a form shows in their place. */
export function renamed(error: unknown, shownAt: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof ApiError)) return error;
  const fields = Object.entries(error.fields).map(([name, text]) => [shownAt[name] ?? name, text]);
  return new ApiError(error.status, error.code, error.message, Object.fromEntries(fields) as Record<string, string>);
}
