import { cleanEventCode } from '@feierbild/contract/event-code.ts';

/** How Proofpoint wrapped an address before: `-` for `%`, `_` for `/`. Another gateway may have encoded that once more. */
const WRAPPED = /\/v2\/url(?:\?|%(?:25)*3f)u(?:=|%(?:25)*3d)([^&%]*)/i;
/** A code behind its page, or in the query of another. */
const CODE = /(?:\/(?:event|galerie)\/|[?&]code=)([a-z0-9]{8})(?![a-z0-9])/i;

/** A link that was pasted, without the spaces and unseen signs that copying brings, and without the wrapping of Proofpoint. */
export function pastedLink(text: string): string {
  const link = text.replace(/[\s\p{Cf}]/gu, '').replace(/%(?:25)*2f/gi, '/');
  const wrapped = WRAPPED.exec(link)?.[1];
  if (wrapped === undefined) return link;
  return wrapped.replace(/_/g, '/').replace(/-([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The event code of a link that was pasted, or of what is typed. */
export function pastedCode(text: string): string {
  return cleanEventCode(CODE.exec(pastedLink(text))?.[1] ?? text);
}
