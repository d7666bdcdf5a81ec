import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { escapeMarkup } from './errors.ts';

/** Query parameters that guests' pages read. */
const KEPT = ['password', 'code', 'foto'];
/** Longest useful value, UTF-16 units: a character has two at most. */
const LONGEST_UNITS = 2 * GUEST_PASSWORD_MAX;
/** The forms that switch to other languages (web/src/prerender.tsx). */
const FORMS = /<form [^>]*method="get"[^>]*>/g;

/**
 * Returns hidden fields for the forms for other languages, since a submitted form replaces its address's query. Empty for most addresses.
 * Once its scripts run, the page keeps the query itself (web/src/start.ts).
 */
export function keptFields(url: string): string {
  const at = url.indexOf('?');
  if (at < 0) return '';
  const query = new URLSearchParams(url.slice(at));
  const said = KEPT.map((name) => [name, query.get(name) ?? ''] as const).filter(([, { length }]) => length > 0 && length <= LONGEST_UNITS);
  return said.map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}"/>`).join('');
}

/** Inserts the fields into a document's forms for other languages. */
export function keeping(html: string, fields: string): string {
  return html.replace(FORMS, (form) => form + fields);
}
