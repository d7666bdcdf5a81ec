import { GUEST_PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { escapeMarkup } from './errors.ts';

/** What guests' pages read from their address. */
const KEPT = ['password', 'code', 'foto'];
/** Nothing longer can be right; a character has two units at most. */
const LONGEST_UNITS = 2 * GUEST_PASSWORD_MAX;
/** Those for other languages (web/src/prerender.tsx). */
const FORMS = /<form [^>]*method="get"[^>]*>/g;

/**
 * What the forms for other languages say besides the language, since a form leaves out its address's query; empty for most addresses. Once its
 * code is there, a page does it itself (web/src/start.ts).
 */
export function keptFields(url: string): string {
  const at = url.indexOf('?');
  if (at < 0) return '';
  const query = new URLSearchParams(url.slice(at));
  const said = KEPT.map((name) => [name, query.get(name) ?? ''] as const).filter(([, { length }]) => length > 0 && length <= LONGEST_UNITS);
  return said.map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}"/>`).join('');
}

/** A document whose forms for other languages say so. */
export function keeping(html: string, fields: string): string {
  return html.replace(FORMS, (form) => form + fields);
}
