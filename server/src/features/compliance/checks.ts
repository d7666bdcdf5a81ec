import ipaddr from 'ipaddr.js';
import type { Known } from '../health/facts.ts';
import { finding, HEALTH, type Finding, type Question } from '../health/health.ts';

const BELOW_INFO = ['debug', 'trace'];

/** German names of the states of the European Economic Area. */
const EEA = new Set(
  `Belgien Bulgarien Dänemark Deutschland Estland Finnland Frankreich Griechenland Irland Island Italien Kroatien Lettland Liechtenstein
  Litauen Luxemburg Malta Niederlande Norwegen Österreich Polen Portugal Rumänien Schweden Slowakei Slowenien Spanien Tschechien Ungarn
  Zypern`.split(/\s+/),
);

const given = (value: unknown, what: string): Finding => finding(Boolean(value), `angegeben: ${what}`, `fehlt im Formular: ${what}`);

/** Returns the services of others that process data, each with its form field and the company that runs it. */
export function servicesOf({ store, database, mail, form }: Known) {
  const used = [
    ...(store ? [{ key: 'storage' as const, what: 'Fotospeicher', place: store.host }] : []),
    ...(database.local ? [] : [{ key: 'database' as const, what: 'Datenbank', place: database.host }]),
    // A mail server on this machine hands mail on to another one, which only the operator knows.
    ...(mail ? [{ key: 'mail' as const, what: 'E\u2011Mail-Versand', place: mail.local ? 'über den Server selbst' : mail.host }] : []),
    ...(form.processors?.other?.name ? [{ key: 'other' as const, what: 'Weitere Leistung', place: '' }] : []),
  ];
  return used.map((service) => ({ ...service, company: form.processors?.[service.key] }));
}

/** Returns the services that keep events' photos and data, for public pages; mail has a sentence of its own there. */
export function keepersOf(known: Known): { what: string; name: string; country: string }[] {
  const kept = servicesOf(known).filter(({ key }) => key !== 'mail');
  return kept.map(({ what, company }) => ({ what, name: company?.name ?? '', country: company?.country ?? '' }));
}

/** Names from routers and private networks, which no public name ends in (RFC 6762, 8375, 9476). */
const HOUSE_NAME = /^[^.]+$|\.(local|localhost|internal|lan|home\.arpa|fritz\.box)$/i;

/** Returns whether the host of an address is in the operator's own network. */
function isInHouse(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(host)) return HOUSE_NAME.test(host);
  return ['private', 'loopback', 'uniqueLocal'].includes(ipaddr.process(host).range());
}

/** The checks of the papers' sentences: health checks, checks of this installation, and the operator's statements. */
export const CHECKS = {
  business: HEALTH.business,
  hosting: {
    title: 'Betrieb des Servers',
    ask: ({ business: { privacy } }) =>
      finding(Boolean(privacy.hosting), `eingetragen: ${privacy.hosting?.name}`, 'Es ist nicht eingetragen, wo der Server steht.'),
  },
  https: HEALTH.https,
  history: {
    title: 'Verlauf der Angaben',
    ask: async ({ read }) => finding(await read.historyKept(), 'jede Änderung steht darin', 'Die letzte Änderung steht nicht darin.'),
  },
  isolation: HEALTH.isolation,
  'first-password': HEALTH['first-password'],
  'second-factor': {
    title: 'Zweiter Faktor',
    async ask({ secondFactor, read }) {
      const { all, secured } = await read.admins();
      const set = `eingerichtet bei ${secured} von ${all}`;
      return finding(secondFactor, `für alle Verwaltungszugänge verlangt, ${set}`, `Er wird nicht von allen verlangt (${set}).`);
    },
  },
  keys: HEALTH.keys,
  audit: {
    title: 'Protokoll der Verwaltung',
    ask: async ({ read }) => finding(await read.loginLogged(), 'Ihre Anmeldung steht darin', 'Ihre eigene Anmeldung steht nicht darin.'),
  },
  addresses: {
    title: 'Gekürzte IP\u2011Adressen',
    async ask({ read }) {
      const longAddresses = await read.longAddresses();
      return finding(
        longAddresses === 0,
        'keine ganze Adresse ist älter als 7 Tage',
        `${longAddresses} ganze Adressen sind älter als 7 Tage.`,
      );
    },
  },
  log: {
    title: 'Sparsames Log',
    ask: ({ logLevel }) => finding(!BELOW_INFO.includes(logLevel), `LOG_LEVEL ist ${logLevel}`, `LOG_LEVEL ist ${logLevel}.`),
  },
  cleaning: HEALTH.cleaning,
  receipts: {
    title: 'Löschprotokolle',
    async ask({ read }) {
      const unsigned = await read.unsigned();
      return finding(unsigned === 0, 'jede Löschung ist belegt', `${unsigned} Löschungen sind nach einem Tag nicht fertig.`);
    },
  },
  backup: HEALTH.backup,
  'old-backups': HEALTH['old-backups'],
  'left-behind': HEALTH['left-behind'],
  look: HEALTH.look,
  database: {
    title: 'Weg zur Datenbank',
    async ask({ read, database }) {
      if (database.local) return { severity: 'good', found: 'auf demselben Rechner' };
      return finding(await read.databaseEncrypted(), 'verschlüsselt', 'Die Verbindung ist nicht verschlüsselt.');
    },
  },
  store: {
    title: 'Weg zum Fotospeicher',
    ask: ({ store }) =>
      finding(store?.https ?? true, store ? `https://${store.host}` : 'auf demselben Rechner', 'Er geht nicht über https.'),
  },
  versions: HEALTH.versions,
  nodes: {
    title: 'Mehrere Knoten',
    async ask({ read }) {
      const nodes = await read.nodes();
      return finding(nodes > 1, 'mindestens zwei sind mit der Datenbank verbunden', 'Nur einer ist mit der Datenbank verbunden.');
    },
  },
  mail: {
    title: 'Weg der E\u2011Mails',
    ask: ({ mail }) =>
      finding(
        mail !== null && (mail.encrypted || mail.local),
        mail?.local
          ? 'zum Mailserver auf demselben Rechner; an wen der sie weitergibt, sagt das Formular'
          : `verschlüsselt zu ${mail?.host}`,
        'Der Versand ist nicht verschlüsselt.',
      ),
  },
  webhooks: {
    title: 'Weg der Webhooks',
    async ask({ read }) {
      const webhooks = await read.webhooks();
      const plain = webhooks.filter((url) => !url.startsWith('https:') && !isInHouse(new URL(url).hostname)).length;
      return finding(
        plain === 0,
        `${webhooks.length} eingerichtet, alle über https oder im eigenen Netz`,
        `${plain} verlassen das eigene Netz nicht über https.`,
      );
    },
  },
  eea: {
    title: 'Verarbeitung im EWR',
    ask(facts) {
      const { hosting } = facts.business.privacy;
      const places = [{ what: hosting?.name ?? 'Betrieb des Servers', country: hosting?.country ?? '' }];
      for (const { what, company } of servicesOf(facts)) places.push({ what, country: company?.country ?? '' });
      const outside = places.filter(({ country }) => !EEA.has(country.trim()));
      const where = outside.map(({ what, country }) => `${what}: ${country || 'ohne Land'}`).join(', ');
      return finding(
        outside.length === 0,
        [...new Set(places.map(({ country }) => country))].join(', '),
        `Nicht als EWR-Staat bekannt: ${where}.`,
      );
    },
  },
  processors: {
    title: 'Genannte Unterauftragsverarbeiter',
    ask(facts) {
      const missing = servicesOf(facts).filter(({ company }) => !company?.name || !company.address || !company.country);
      const names = missing.map(({ what, place }) => (place ? `${what} (${place})` : what)).join(', ');
      return finding(missing.length === 0, 'alle mit Namen, Anschrift und Land', `Im Formular fehlt: ${names}.`);
    },
  },
  contracts: { title: 'Verträge mit ihnen', ask: ({ form }) => given(form.contracts, 'Verträge nach Art. 28 Abs. 4 DSGVO') },
  beneficiary: { title: 'Drittbegünstigtenklausel', ask: ({ form }) => given(form.beneficiary, 'Rechte des Kunden in den Verträgen') },
  confidentiality: { title: 'Vertraulichkeit', ask: ({ form }) => given(form.confidentiality, 'Verpflichtung auf Vertraulichkeit') },
  training: { title: 'Einweisung', ask: ({ form }) => given(form.training, 'Einweisung in den Datenschutz') },
  premises: { title: 'Räume', ask: ({ form }) => given(form.premises, 'verschlossene Räume') },
  contact: { title: 'Ansprechperson', ask: ({ form }) => given(form.contact, 'Ansprechperson für Datenschutz') },
  breach: { title: 'Meldeweg', ask: ({ form }) => given(form.breachHours && form.breachPhone, 'Frist und Telefon für Datenpannen') },
  objection: { title: 'Ankündigung', ask: ({ form }) => given(form.objectionDays, 'Frist vor neuen Unterauftragsverarbeitern') },
} satisfies Record<string, Question>;

export type CheckId = keyof typeof CHECKS;

/**
 * Facts that the code makes true in every installation; sentences may name them as checks. A test proves each one
 * (`proven.process.test.ts`). The titles are their names in the papers' files.
 */
export const PROVEN = {
  sealing: 'Verschlüsselung',
  devices: 'Getrennte Geräte',
  passwords: 'Passwörter',
  limits: 'Grenzen für Fehlversuche',
  analysis: 'Keine Erkennung von Gesichtern',
  defaults: 'Voreinstellungen',
  axe: 'Geprüfte Seiten',
} as const;
export type ProvenId = keyof typeof PROVEN;

export const isCheck = (id: CheckId | ProvenId): id is CheckId => id in CHECKS;
