import { cleanEventCode } from '@feierbild/contract/event-code.ts';

/** An address as Proofpoint's older version wraps it: `-` for `%`, `_` for `/`. Another gateway may have encoded it once more. */
const WRAPPED = /\/v2\/url(?:\?|%(?:25)*3f)u(?:=|%(?:25)*3d)([^&%]*)/i;
/** An event's code in a path (/event/, /galerie/), or in the query parameter `code`. */
const CODE = /(?:\/(?:event|galerie)\/|[?&]code=)([a-z0-9]{8})(?![a-z0-9])/i;

/** Cleans a pasted link: removes the spaces and invisible characters that copying adds, and Proofpoint's wrapping. */
export function pastedLink(text: string): string {
  const link = text.replace(/[\s\p{Cf}]/gu, '').replace(/%(?:25)*2f/gi, '/');
  const wrapped = WRAPPED.exec(link)?.[1];
  if (wrapped === undefined) return link;
  return wrapped.replace(/_/g, '/').replace(/-([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Returns the event code in a pasted link or a typed text. */
export function pastedCode(text: string): string {
  return cleanEventCode(CODE.exec(pastedLink(text))?.[1] ?? text);
}
