import { LANGUAGE_COOKIE } from '@feierbild/contract/constants.ts';
import { isLanguage, languageFor, type Language } from '@feierbild/contract/languages.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from './request.ts';

/** Language of a guest's page, and the one that a line at its top offers. */
export interface Spoken {
  /** Null on pages that are German for everybody. */
  language: Language | null;
  offered: Language | null;
}

export type GuestLanguage = ReturnType<typeof createGuestLanguage>;

/** Further `Vary` headers of documents in guests' languages. */
export const LANGUAGE_HEADERS = 'Accept-Language, Cookie';

/**
 * Chooses the language of a guest's page: the choice in the address (`?lang=`), which a cookie keeps, else the kept one, else German. With
 * `byPhone`, guests without a choice get the phone's language.
 */
export function createGuestLanguage(secure: boolean, byPhone: () => boolean) {
  const cookie = createCookie('language', secure);
  /** Keeps the choice in the address. `ofEvent`: the event's host wants the phone's language. */
  return (request: FastifyRequest, reply: FastifyReply, ofEvent = false): Spoken => {
    const { lang } = request.query as { lang?: unknown };
    const asked = typeof lang === 'string' && isLanguage(lang) ? lang : null;
    if (asked) cookie.set(reply, asked, LANGUAGE_COOKIE / 1000);
    const kept = cookie.of(request);
    const chosen = asked ?? (kept !== undefined && isLanguage(kept) ? kept : null);
    if (chosen) return { language: chosen, offered: null };
    const phone = languageFor(request.headers['accept-language'] ?? '') ?? 'de';
    return ofEvent || byPhone() ? { language: phone, offered: null } : { language: 'de', offered: phone === 'de' ? null : phone };
  };
}
