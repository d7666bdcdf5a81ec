import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { ApiError } from '../../../api/client.ts';

type Typed = SettingsOf<'business'>;

interface BusinessField {
  /** In the business file. */
  path: string;
  label: string;
  hint?: string;
  kind?: 'email' | 'switch' | 'number' | 'list';
  required?: true;
}

/** What the form asks for, in groups, and the fields in these that stand beside one another. */
export const GROUPS: { legend: string; fields: BusinessField[] }[] = [
  {
    legend: 'Ihr Betrieb',
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
    fields: [
      { path: 'contact.email', label: 'E-Mail', kind: 'email', required: true },
      { path: 'contact.phone.shown', label: 'Telefon', hint: 'So, wie es auf den Seiten stehen soll.' },
      { path: 'contact.whatsappShown', label: 'WhatsApp', hint: 'Die Nummer; leer: kein WhatsApp.' },
      { path: 'contact.hours', label: 'Erreichbar', hint: 'Zum Beispiel: Montag bis Freitag, 9 bis 18 Uhr.' },
    ],
  },
  {
    legend: 'Steuern und Register',
    fields: [
      { path: 'tax.smallBusiness', label: 'Kleinunternehmer nach § 19 UStG', kind: 'switch' },
      { path: 'tax.vatId', label: 'Umsatzsteuer-Identifikationsnummer' },
      { path: 'tax.businessId', label: 'Wirtschafts-Identifikationsnummer' },
      { path: 'tax.register', label: 'Registereintrag', hint: 'Gericht und Nummer.' },
      { path: 'tax.supervisoryAuthority', label: 'Aufsichtsbehörde', hint: 'Nur, wenn Ihr Gewerbe eine hat.' },
    ],
  },
  {
    legend: 'Datenschutz',
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
    fields: [
      { path: 'disputes.disputeResolution', label: 'Streitbeilegung', hint: 'Leer: Sie nehmen an keinem Verfahren teil.' },
      { path: 'disputes.dsaContact.email', label: 'Kontaktstelle (EU) 2022/2065', hint: 'Leer: Ihre E-Mail.', kind: 'email' },
      { path: 'disputes.dsaContact.languages', label: 'Sprachen der Kontaktstelle', hint: 'Leer: Deutsch.' },
      { path: 'disputes.reportEmail', label: 'E-Mail für Meldungen', hint: 'Leer: Ihre E-Mail.', kind: 'email' },
      { path: 'accessibility.contact', label: 'Kontakt bei Hindernissen', hint: 'Leer: Ihre E-Mail.' },
      { path: 'accessibility.microEnterprise', label: 'Kleinstunternehmen nach dem BFSG', kind: 'switch' },
    ],
  },
  {
    legend: 'Karte auf der Kontaktseite',
    fields: [
      { path: 'map.lat', label: 'Breite', hint: 'Zum Beispiel 51,163; alle drei leer: keine Karte.', kind: 'number' },
      { path: 'map.lon', label: 'Länge', kind: 'number' },
      { path: 'map.zoom', label: 'Vergrößerung', hint: '1 bis 19.', kind: 'number' },
    ],
  },
];
const FIELDS = GROUPS.flatMap(({ fields }) => fields);

/** The form as typed, by paths; texts stay texts. */
export type BusinessForm = Record<string, string | boolean>;

/** What an object has at a path. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);
}

export function formOf(value: Typed | null): BusinessForm {
  return Object.fromEntries(FIELDS.map(({ path, kind }) => [path, shownOf(at(value, path), kind)]));
}

export function shownOf(value: unknown, kind: BusinessField['kind']): string | boolean {
  if (kind === 'switch') return value === true;
  if (kind === 'list') return Array.isArray(value) ? value.join(', ') : '';
  if (kind === 'number') return typeof value === 'number' ? String(value).replace('.', ',') : '';
  return typeof value === 'string' ? value : '';
}

/** What is sent: nothing of what is empty, and the numbers to call in their international form. */
export function typedOf(form: BusinessForm): Typed {
  const typed = {};
  for (const { path, kind } of FIELDS) {
    const value = form[path];
    const text = typeof value === 'string' ? value.trim() : '';
    if (kind === 'switch') put(typed, path, value);
    else if (text === '') continue;
    else if (kind === 'number') put(typed, path, Number(text.replace(',', '.')));
    else if (kind === 'list')
      put(
        typed,
        path,
        text
          .split(',')
          .map((one) => one.trim())
          .filter(Boolean),
      );
    else put(typed, path, text);
    if (path === 'contact.phone.shown') put(typed, 'contact.phone.e164', toE164(text));
    if (path === 'contact.whatsappShown') put(typed, 'contact.whatsapp', toE164(text));
  }
  return typed;
}

function put(object: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) object[first] = value;
  else put((object[first] ??= {}) as Record<string, unknown>, rest.join('.'), value);
}

/** `030 23125 042` as `+493023125042`; a number without a country is German. */
export function toE164(shown: string): string {
  const digits = shown.replaceAll('(0)', '').replaceAll(/[^\d+]/g, '');
  return digits.replace(/^00/, '+').replace(/^0/, '+49');
}

/** Where the form says what is wrong with a part that has no field of its own. */
const SAID_AT: Record<string, string> = {
  'contact.phone.e164': 'contact.phone.shown',
  'contact.whatsapp': 'contact.whatsappShown',
};

/** A refusal, with its sentences at the form's own fields. */
export function atFields(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const fields = Object.entries(error.fields).map(([path, text]) => [SAID_AT[path] ?? path, text]);
  return new ApiError(error.status, error.code, error.message, Object.fromEntries(fields) as Record<string, string>);
}
