import { LANGUAGE_COOKIE } from '@feierbild/contract/constants.ts';
import { isLanguage, languageFor, type Language } from '@feierbild/contract/languages.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createCookie } from './request.ts';

/** In which language a guest sees a page, and which one a line at its top offers. */
export interface Spoken {
  /** Null on pages that are German for all. */
  language: Language | null;
  offered: Language | null;
}

export type GuestLanguage = ReturnType<typeof createGuestLanguage>;

/** What documents in guests' languages depend on besides. */
export const LANGUAGE_HEADERS = 'Accept-Language, Cookie';

/**
 * German, unless a guest has chosen otherwise: by the address (`?lang=`), which is kept, or earlier. `byPhone`: who has chosen nothing is
 * spoken to in the phone's language.
 */
export function createGuestLanguage(secure: boolean, byPhone: () => boolean) {
  const cookie = createCookie('language', secure);
  /** Keeps what the address chooses. `ofEvent`: its host wants the phone's. */
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
