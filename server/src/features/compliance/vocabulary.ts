import {
  ADDRESSES_KEPT,
  BACKUPS_KEPT_DAYS,
  DAY,
  FAILURES_KEPT,
  HOUR,
  IDEMPOTENCY_KEPT,
  INVITATION_KEPT,
  LINK_LIFETIME,
  LINK_REMEMBERED,
  LOGIN_FAILURES,
  MINUTE,
  PHOTOS_KEPT_DAYS,
  RECORDS_KEPT,
  SESSIONS,
  UPLOAD_KEPT,
} from '@feierbild/contract/constants.ts';
import type { Known } from '../health/facts.ts';
import { RECEIPT_WAITS } from '../mail/mail.ts';
import { DONE_KEPT, FAILED_ADDRESS_KEPT } from '../outbox/outbox.ts';
import { VERSIONS_KEPT } from '../settings/settings.ts';
import { servicesOf } from './checks.ts';

/** Stands for a value that the operator has not stated; a check of the sentence then fails. */
const UNSTATED = '…';
const YEAR = 365 * DAY;

/** Months for which records of deleted events are kept. */
export const RECORDS_MONTHS = Math.round(RECORDS_KEPT / YEAR) * 12;

export function operatorLine({ business: { identity } }: Known): string {
  const { brand, owner, street, zip, city } = identity;
  return `${brand}${owner === brand ? '' : ` (${owner})`}, ${street}, ${zip} ${city}`;
}

export function contactLine({ business: { contact } }: Known): string {
  return [contact.email, contact.phone?.shown].filter(Boolean).join(', ');
}

export function hostingLine({ business: { privacy } }: Known): string {
  const { hosting } = privacy;
  return hosting ? [hosting.name, hosting.address, hosting.country].join(', ') : 'noch nicht eingetragen';
}

/** Names the recipients of photos and data: the operators of the server and of its services. */
function recipientsLine(known: Known): string {
  const { hosting } = known.business.privacy;
  return [
    hosting?.name ?? 'wer den Server betreibt (noch nicht eingetragen)',
    ...servicesOf(known).map(({ company, what }) => `${company?.name ?? 'noch nicht eingetragen'} (${what})`),
  ].join(', ');
}

/** Returns whether the operator runs the server itself. */
function isOwnServer({ business: { privacy, identity } }: Known): boolean {
  return privacy.hosting !== undefined && [identity.brand, identity.owner].includes(privacy.hosting.name);
}

const period = (ms: number, unit: number) => (): string => String(ms / unit);

/** The placeholders: names in braces in the papers' sentences. */
export const VALUES: Record<string, (known: Known) => string> = {
  Version: ({ release }) => release,
  Marke: ({ business }) => business.identity.brand,
  Betrieb: operatorLine,
  Kontakt: contactLine,
  'E-Mail-Adresse': ({ business }) => business.contact.email,
  Server: hostingLine,
  Empfänger: recipientsLine,
  'Datenschutzbeauftragte Person': ({ business }) => business.privacy.dpo ?? UNSTATED,
  Ansprechperson: ({ form }) => form.contact ?? UNSTATED,
  'Telefon für Datenpannen': ({ form }) => form.breachPhone ?? UNSTATED,
  'Stunden bis zur Meldung': ({ form }) => String(form.breachHours ?? UNSTATED),
  'Tage vor neuen Unterauftragsverarbeitern': ({ form }) => String(form.objectionDays ?? UNSTATED),
  Einführung: ({ form }) => form.introduced ?? UNSTATED,
  'Bekannte Barrieren': ({ form }) => form.barriers ?? UNSTATED,
  'Adresse für Barrieren': ({ business }) => business.accessibility.contact,
  'Version von axe': ({ accessible }) => accessible.axe,
  'Zahl der Ansichten': ({ accessible }) => String(Object.keys(accessible.pages).length),
  Ansichten: ({ accessible }) => Object.keys(accessible.pages).join(', '),
  'Tage für Fotos': () => String(PHOTOS_KEPT_DAYS),
  'Tage für Sicherungen': () => String(BACKUPS_KEPT_DAYS),
  'Monate für Nachweise': () => String(RECORDS_MONTHS),
  'Tage für IP-Adressen': period(ADDRESSES_KEPT, DAY),
  'Tage für Einladungen': period(INVITATION_KEPT, DAY),
  'Tage für Links': period(LINK_LIFETIME, DAY),
  'Tage für Prüfwerte von Links': period(LINK_REMEMBERED, DAY),
  'Tage für die letzte E-Mail': period(RECEIPT_WAITS, DAY),
  'Tage für zugestellte Meldungen': period(DONE_KEPT, DAY),
  'Tage für nicht zugestellte Adressen': period(FAILED_ADDRESS_KEPT, DAY),
  'Stunden für Übertragungen': period(UPLOAD_KEPT, HOUR),
  'Stunden für wiederholbare Antworten': period(IDEMPOTENCY_KEPT, HOUR),
  'Minuten für Fehlversuche': period(FAILURES_KEPT, MINUTE),
  'Minuten für falsche Passwörter': period(LOGIN_FAILURES.window, MINUTE),
  'Zahl der falschen Passwörter': () => String(LOGIN_FAILURES.count),
  'Zahl der Fassungen': () => String(VERSIONS_KEPT),
  'Tage für Sitzungen von Gastgebern': period(SESSIONS.user.idle, DAY),
  'Höchstens Tage für Sitzungen von Gastgebern': period(SESSIONS.user.longest, DAY),
  'Tage für Sitzungen der Galerie': period(SESSIONS.gallery.idle, DAY),
  'Tage für Sitzungen von Helfenden': period(SESSIONS.helper.idle, DAY),
  'Tage für Sitzungen von Slideshows': period(SESSIONS.projector.idle, DAY),
  'Stunden für Sitzungen der Verwaltung': period(SESSIONS.admin.idle, HOUR),
  'Höchstens Tage für Sitzungen der Verwaltung': period(SESSIONS.admin.longest, DAY),
};

interface Condition {
  /** Returns one set of values per copy of the sentence, beside the common values; the sentence does not apply if there is none. */
  of(known: Known): Readonly<Record<string, string>>[];
  gives?: string[];
}

const where = (applies: (known: Known) => boolean): Condition => ({ of: (known) => (applies(known) ? [{}] : []) });

/** The conditions: names after „Nur“. */
export const CONDITIONS: Record<string, Condition> = {
  'mit datenschutzbeauftragter Person': where(({ business }) => Boolean(business.privacy.dpo)),
  'ohne datenschutzbeauftragte Person': where(({ business }) => !business.privacy.dpo),
  'mit eigenem Server': where(isOwnServer),
  'mit Server bei anderen': where((known) => !isOwnServer(known)),
  'mit Unterauftragsverarbeitern': where((known) => !isOwnServer(known) || servicesOf(known).length > 0),
  'je Leistung anderer': {
    gives: ['Leistung', 'Firma', 'Anschrift', 'Land'],
    of: (known) =>
      servicesOf(known).map(({ what, company }) => ({
        Leistung: what,
        Firma: company?.name ?? UNSTATED,
        Anschrift: company?.address ?? UNSTATED,
        Land: company?.country ?? UNSTATED,
      })),
  },
  'mit Datenbank auf anderem Rechner': where(({ database }) => !database.local),
  'mit PostgreSQL': where(({ database }) => database.engine === 'postgres'),
  'mit Fotospeicher auf anderem Rechner': where(({ store }) => store !== null),
  'mit Mailversand': where(({ mail }) => mail !== null),
  'ohne Mailversand': where(({ mail }) => mail === null),
  'mit Mailserver auf demselben Rechner': where(({ mail }) => mail?.local === true),
  'mit Mailserver auf anderem Rechner': where(({ mail }) => mail?.local === false),
  'mit Angabe der Einführung': where(({ form }) => Boolean(form.introduced)),
  'mit Verlauf der Angaben': where(({ fromFile }) => !fromFile),
  'mit bekannten Barrieren': where(({ form }) => Boolean(form.barriers)),
  'bei Kleinstunternehmen': where(({ business }) => business.accessibility.microEnterprise),
};
