import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { at, put, type Group } from './path-form.ts';
import { renamed } from '../renamed.ts';

/** The form's fields, by the paths of the business file. */
export const GROUPS: Group[] = [
  {
    legend: 'Ihr Betrieb',
    beside: true,
    fields: [
      { path: 'identity.brand', label: 'Name des Betriebs', required: true },
      { path: 'identity.owner', label: 'Inhaberin oder Inhaber', hint: 'Leer: der Name des Betriebs.' },
      { path: 'identity.street', label: 'Straße und Hausnummer', required: true },
      { path: 'identity.zip', label: 'Postleitzahl', required: true },
      { path: 'identity.city', label: 'Ort', required: true },
      { path: 'identity.legalForm', label: 'Rechtsform', hint: 'Zum Beispiel GmbH.' },
      { path: 'identity.representatives', label: 'Vertreten durch', hint: 'Mehrere mit Komma trennen.', kind: 'list' },
    ],
  },
  {
    legend: 'Kontakt',
    beside: true,
    fields: [
      { path: 'contact.email', label: 'E\u2011Mail', kind: 'email', required: true },
      { path: 'contact.phone.shown', label: 'Telefon', hint: 'So, wie es auf den Seiten stehen soll.' },
      { path: 'contact.whatsappShown', label: 'WhatsApp', hint: 'Die Nummer; leer: kein WhatsApp.' },
      { path: 'contact.hours', label: 'Erreichbar', hint: 'Zum Beispiel: Montag bis Freitag, 9 bis 18 Uhr.' },
    ],
  },
  {
    legend: 'Steuern und Register',
    beside: true,
    folded: true,
    fields: [
      { path: 'tax.smallBusiness', label: 'Kleinunternehmer nach §\u00a019 UStG', kind: 'switch' },
      { path: 'tax.vatId', label: 'Umsatzsteuer-Identifikationsnummer' },
      { path: 'tax.businessId', label: 'Wirtschafts-Identifikationsnummer' },
      { path: 'tax.register', label: 'Registereintrag', hint: 'Gericht und Nummer.' },
      { path: 'tax.supervisoryAuthority', label: 'Aufsichtsbehörde', hint: 'Nur, wenn Ihr Gewerbe eine hat.' },
    ],
  },
  {
    legend: 'Datenschutz',
    beside: true,
    fields: [
      { path: 'privacy.hosting.name', label: 'Wo der Server steht: Anbieter', hint: 'Bei Ihnen selbst: der Name Ihres Betriebs.' },
      { path: 'privacy.hosting.address', label: 'Anschrift des Anbieters' },
      { path: 'privacy.hosting.country', label: 'Land', hint: 'Steht auch auf der Startseite: „Server in …“.' },
      {
        path: 'privacy.dataProtectionAuthority',
        label: 'Zuständige Datenschutzaufsicht',
        hint: 'Leer: die Ihres Bundeslandes, ohne Namen.',
      },
      { path: 'privacy.dpo', label: 'Datenschutzbeauftragte', hint: 'Nur, wenn Sie jemanden benannt haben.' },
      { path: 'privacy.privacyUpdated', label: 'Datenschutztext ergänzt am' },
    ],
  },
  {
    legend: 'Rechtliches',
    beside: true,
    folded: true,
    fields: [
      { path: 'disputes.disputeResolution', label: 'Streitbeilegung', hint: 'Leer: Sie nehmen an keinem Verfahren teil.' },
      { path: 'disputes.dsaContact.email', label: 'Kontaktstelle (EU) 2022/2065', hint: 'Leer: Ihre E\u2011Mail.', kind: 'email' },
      { path: 'disputes.dsaContact.languages', label: 'Sprachen der Kontaktstelle', hint: 'Leer: Deutsch.' },
      { path: 'disputes.reportEmail', label: 'E\u2011Mail für Meldungen', hint: 'Leer: Ihre E\u2011Mail.', kind: 'email' },
      { path: 'accessibility.contact', label: 'Kontakt bei Hindernissen', hint: 'Leer: Ihre E\u2011Mail.' },
      { path: 'accessibility.microEnterprise', label: 'Kleinstunternehmen nach dem BFSG', kind: 'switch' },
    ],
  },
  {
    legend: 'Karte auf der Kontaktseite',
    beside: true,
    folded: true,
    fields: [
      { path: 'map.lat', label: 'Breite', hint: 'Zum Beispiel 51,163; alle drei leer: keine Karte.', kind: 'coordinate' },
      { path: 'map.lon', label: 'Länge', kind: 'coordinate' },
      { path: 'map.zoom', label: 'Vergrößerung', hint: '1 bis 19.', kind: 'number' },
    ],
  },
];

/** Adds phone numbers in their international form to the form's values. */
export function dialled(typed: object): SettingsOf<'business'> {
  for (const [path, called] of Object.entries(DIALLED)) {
    const shown = at(typed, path);
    if (typeof shown === 'string') put(typed, called, toE164(shown));
  }
  return typed;
}

/** The path of a phone number for dialling, by the path of the number for reading. */
const DIALLED: Record<string, string> = { 'contact.phone.shown': 'contact.phone.e164', 'contact.whatsappShown': 'contact.whatsapp' };

/** Converts `030 23125 042` to `+493023125042`; a number without a country code is German. */
export function toE164(shown: string): string {
  const digits = shown.replaceAll('(0)', '').replaceAll(/[^\d+]/g, '');
  return digits.replace(/^00/, '+').replace(/^0/, '+49');
}

/** Moves a refusal's mistake about an international number to the field that people fill. */
export const atFields = (error: unknown): unknown =>
  renamed(error, Object.fromEntries(Object.entries(DIALLED).map(([shown, called]) => [called, shown])));
