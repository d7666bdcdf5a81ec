import { BACKUPS_KEPT_DAYS, DAY, HOUR } from '@feierbild/contract/constants.ts';
import type { Facts } from './facts.ts';

/** A daily backup that is older was not taken; as the banner in /admin. */
const BACKUP_OLD = 2 * DAY;
/** Every photo is to be looked for once a month. */
const LOOK_OLD = 35 * DAY;
/** The run that deletes comes every hour. */
const CLEANING_LATE = 3 * HOUR;
const BELOW_INFO = ['debug', 'trace'];
const FACES = /face|gesicht|biometr|embedding/i;

/** German names of the states of the European Economic Area. */
const EEA = new Set(
  `Belgien Bulgarien Dänemark Deutschland Estland Finnland Frankreich Griechenland Irland Island Italien Kroatien Lettland Liechtenstein
  Litauen Luxemburg Malta Niederlande Norwegen Österreich Polen Portugal Rumänien Schweden Slowakei Slowenien Spanien Tschechien Ungarn
  Zypern`.split(/\s+/),
);

/** What was found; `ok` decides about every sentence that names the check. */
interface Answer {
  ok: boolean;
  found: string;
}
interface Check {
  /** What it stands for, in some German words. */
  title: string;
  run(facts: Facts): Answer | Promise<Answer>;
}

const answer = (ok: boolean, yes: string, no: string): Answer => ({ ok, found: ok ? yes : no });
const since = (ms: number): string =>
  ms < DAY ? `vor ${Math.max(1, Math.round(ms / HOUR))} Stunden` : `vor ${Math.floor(ms / DAY)} Tagen`;
const given = (value: unknown, what: string): Answer => answer(Boolean(value), `angegeben: ${what}`, `fehlt im Formular: ${what}`);

/** Others' services that process data, each with the name of its field, and who runs it. */
export function servicesOf({ store, database, mail, form }: Facts | Omit<Facts, 'found'>) {
  const used = [
    ...(store ? [{ key: 'storage' as const, what: 'Fotospeicher', place: store.host }] : []),
    ...(database.local ? [] : [{ key: 'database' as const, what: 'Datenbank', place: database.host }]),
    ...(mail && !mail.local ? [{ key: 'mail' as const, what: 'E\u2011Mail-Versand', place: mail.host }] : []),
    ...(form.processors?.other?.name ? [{ key: 'other' as const, what: 'Weitere Leistung', place: '' }] : []),
  ];
  return used.map((service) => ({ ...service, company: form.processors?.[service.key] }));
}

/** What the papers' sentences hang on: each asks the running system, or what the operator has stated. */
export const CHECKS = {
  business: {
    title: 'Betriebsdaten',
    run: ({ fictitious, business }) => answer(!fictitious, `eingetragen: ${business.identity.brand}`, 'Es sind die des Beispielbetriebs.'),
  },
  hosting: {
    title: 'Betrieb des Servers',
    run: ({ business: { privacy } }) =>
      answer(Boolean(privacy.hosting), `eingetragen: ${privacy.hosting?.name}`, 'Es ist nicht eingetragen, wo der Server steht.'),
  },
  https: {
    title: 'TLS',
    run: ({ publicUrl }) =>
      answer(publicUrl?.startsWith('https:') ?? false, `PUBLIC_URL ist ${publicUrl}`, 'PUBLIC_URL ist keine https-Adresse.'),
  },
  devices: {
    title: 'Getrennte Geräte',
    run: async ({ found }) =>
      answer((await found()).probes.apart, 'Probe in zwei Events verschieden', 'Die Probe war in zwei Events dieselbe.'),
  },
  history: {
    title: 'Verlauf der Angaben',
    run: async ({ found }) => answer((await found()).historyKept, 'jede Änderung steht darin', 'Die letzte Änderung steht nicht darin.'),
  },
  isolation: {
    title: 'Isolierte Decoder',
    run: ({ isolated }) => answer(isolated, 'beim Start festgestellt', 'Beim Start ließen sich die Decoder nicht isolieren.'),
  },
  sealing: {
    title: 'Verschlüsselung',
    run: async ({ found }) =>
      answer((await found()).probes.sealed, 'Probe versiegelt, geöffnet, Veränderung bemerkt', 'Die Probe der Verschlüsselung misslang.'),
  },
  passwords: {
    title: 'Passwörter',
    async run({ found }) {
      const { verifier } = (await found()).probes;
      return answer(verifier.startsWith('$argon2id$v=19$'), `Prüfwerte nach ${verifier}`, `Prüfwerte nach ${verifier}, nicht argon2id`);
    },
  },
  limits: {
    title: 'Grenzen für Fehlversuche',
    run: async ({ found }) =>
      answer((await found()).probes.limited, 'Probe nach 10 Fehlversuchen abgewiesen', 'Die Probe wurde nicht abgewiesen.'),
  },
  'first-password': {
    title: 'Erstes Verwaltungspasswort',
    run: async ({ found }) => answer(!(await found()).initialPassword, 'geändert', 'Es ist noch in Gebrauch.'),
  },
  'second-factor': {
    title: 'Zweiter Faktor',
    async run({ secondFactor, found }) {
      const { all, secured } = (await found()).admins;
      const set = `eingerichtet bei ${secured} von ${all}`;
      return answer(secondFactor, `für alle Verwaltungszugänge verlangt, ${set}`, `Er wird nicht von allen verlangt (${set}).`);
    },
  },
  keys: {
    title: 'Unveränderte Schlüssel',
    async run({ found }) {
      const { tampered } = await found();
      return answer(tampered.length === 0, 'kein Alarm', `Verändert bei ${tampered.join(', ')}.`);
    },
  },
  audit: {
    title: 'Protokoll der Verwaltung',
    run: async ({ found }) => answer((await found()).loginLogged, 'Ihre Anmeldung steht darin', 'Ihre eigene Anmeldung steht nicht darin.'),
  },
  addresses: {
    title: 'Gekürzte IP\u2011Adressen',
    async run({ found }) {
      const { longAddresses } = await found();
      return answer(
        longAddresses === 0,
        'keine ganze Adresse ist älter als 7 Tage',
        `${longAddresses} ganze Adressen sind älter als 7 Tage.`,
      );
    },
  },
  log: {
    title: 'Sparsames Log',
    run: ({ logLevel }) => answer(!BELOW_INFO.includes(logLevel), `LOG_LEVEL ist ${logLevel}`, `LOG_LEVEL ist ${logLevel}.`),
  },
  cleaning: {
    title: 'Stündliche Löschung',
    async run({ found }) {
      const { lastCleaning, overdue, clockRight, now } = await found();
      if (!clockRight) return { ok: false, found: 'Die Uhr ist gesprungen; bis zu Ihrer Bestätigung wird nichts gelöscht.' };
      if (overdue > 0) return { ok: false, found: `${overdue} Events sind seit mehr als einem Tag überfällig.` };
      const recent = lastCleaning !== null && now - lastCleaning < CLEANING_LATE;
      return answer(
        recent,
        'zuletzt innerhalb von 3 Stunden ganz gelungen',
        'Seit 3 Stunden ist kein Lauf ganz gelungen; das Log sagt, woran.',
      );
    },
  },
  receipts: {
    title: 'Löschprotokolle',
    async run({ found }) {
      const { unsigned } = await found();
      return answer(unsigned === 0, 'jede Löschung ist belegt', `${unsigned} Löschungen sind nach einem Tag nicht fertig.`);
    },
  },
  backup: {
    title: 'Sicherung',
    async run({ found }) {
      const { lastBackup, now } = await found();
      if (lastBackup === null) return { ok: false, found: 'Noch nie wurde gesichert.' };
      return answer(now - lastBackup.at <= BACKUP_OLD, 'jünger als 2 Tage', `Die letzte war ${since(now - lastBackup.at)}.`);
    },
  },
  'old-backups': {
    title: 'Alte Sicherungen',
    async run({ found }) {
      const { lastBackup, now } = await found();
      if (lastBackup?.oldest === undefined)
        return { ok: false, found: 'Noch ist nicht bekannt, wie alt die älteste ist; die nächste vermerkt es.' };
      const age = now - lastBackup.oldest;
      return answer(age <= BACKUPS_KEPT_DAYS * DAY, `keine ist älter als ${BACKUPS_KEPT_DAYS} Tage`, `Die älteste ist von ${since(age)}.`);
    },
  },
  look: {
    title: 'Vollständigkeit der Fotos',
    async run({ found }) {
      const { lastCheck, now } = await found();
      if (!lastCheck) return { ok: false, found: 'Noch nie geprüft („verify“).' };
      if (lastCheck.findings > 0) return { ok: false, found: `Die letzte Prüfung hatte ${lastCheck.findings} Befunde.` };
      return answer(
        now - lastCheck.at <= LOOK_OLD,
        'in den letzten 35 Tagen ohne Befund geprüft',
        `Zuletzt ${since(now - lastCheck.at)} geprüft.`,
      );
    },
  },
  database: {
    title: 'Weg zur Datenbank',
    async run({ found, database }) {
      if (database.local) return { ok: true, found: 'auf demselben Rechner' };
      return answer((await found()).databaseEncrypted, 'verschlüsselt', 'Die Verbindung ist nicht verschlüsselt.');
    },
  },
  store: {
    title: 'Weg zum Fotospeicher',
    run: ({ store }) =>
      answer(store?.https ?? true, store ? `https://${store.host}` : 'auf demselben Rechner', 'Er geht nicht über https.'),
  },
  versions: {
    title: 'Keine alten Versionen im Fotospeicher',
    async run({ found }) {
      const { versioning } = (await found()).probes;
      const why = versioning === 'unknown' ? 'Der Bucket sagt nicht, ob er sie behält.' : 'Der Bucket behält Gelöschtes als alte Version.';
      return answer(versioning === 'off', 'Gelöschtes ist gelöscht', why);
    },
  },
  nodes: {
    title: 'Mehrere Knoten',
    async run({ found }) {
      const { nodes } = await found();
      return answer(nodes > 1, 'mindestens zwei sind mit der Datenbank verbunden', 'Nur einer ist mit der Datenbank verbunden.');
    },
  },
  mail: {
    title: 'Weg der E\u2011Mails',
    run: ({ mail }) =>
      answer(
        mail !== null && (mail.encrypted || mail.local),
        mail?.local ? 'auf demselben Rechner' : `verschlüsselt zu ${mail?.host}`,
        'Der Versand ist nicht verschlüsselt.',
      ),
  },
  webhooks: {
    title: 'Weg der Webhooks',
    async run({ found }) {
      const { webhooks } = await found();
      const plain = webhooks.filter((url) => !url.startsWith('https:')).length;
      return answer(plain === 0, `${webhooks.length} eingerichtet, alle über https`, `${plain} gehen nicht über https.`);
    },
  },
  analysis: {
    title: 'Keine Erkennung von Gesichtern',
    run({ names }) {
      const suspicious = names.filter((name) => FACES.test(name));
      return answer(suspicious.length === 0, 'weder Tabelle noch Aufruf dafür', `Verdächtig: ${suspicious.join(', ')}.`);
    },
  },
  eea: {
    title: 'Verarbeitung im EWR',
    run(facts) {
      const { hosting } = facts.business.privacy;
      const places = [{ what: hosting?.name ?? 'Betrieb des Servers', country: hosting?.country ?? '' }];
      for (const { what, company } of servicesOf(facts)) places.push({ what, country: company?.country ?? '' });
      const outside = places.filter(({ country }) => !EEA.has(country.trim()));
      const where = outside.map(({ what, country }) => `${what}: ${country || 'ohne Land'}`).join(', ');
      return answer(
        outside.length === 0,
        [...new Set(places.map(({ country }) => country))].join(', '),
        `Nicht als EWR-Staat bekannt: ${where}.`,
      );
    },
  },
  processors: {
    title: 'Genannte Unterauftragsverarbeiter',
    run(facts) {
      const missing = servicesOf(facts).filter(({ company }) => !company?.name || !company.address || !company.country);
      const names = missing.map(({ what, place }) => (place ? `${what} (${place})` : what)).join(', ');
      return answer(missing.length === 0, 'alle mit Namen, Anschrift und Land', `Im Formular fehlt: ${names}.`);
    },
  },
  contracts: { title: 'Verträge mit ihnen', run: ({ form }) => given(form.contracts, 'Verträge nach Art. 28 Abs. 4 DSGVO') },
  beneficiary: { title: 'Drittbegünstigtenklausel', run: ({ form }) => given(form.beneficiary, 'Rechte des Kunden in den Verträgen') },
  confidentiality: { title: 'Vertraulichkeit', run: ({ form }) => given(form.confidentiality, 'Verpflichtung auf Vertraulichkeit') },
  training: { title: 'Einweisung', run: ({ form }) => given(form.training, 'Einweisung in den Datenschutz') },
  premises: { title: 'Räume', run: ({ form }) => given(form.premises, 'verschlossene Räume') },
  contact: { title: 'Ansprechperson', run: ({ form }) => given(form.contact, 'Ansprechperson für Datenschutz') },
  breach: { title: 'Meldeweg', run: ({ form }) => given(form.breachHours && form.breachPhone, 'Frist und Telefon für Datenpannen') },
  objection: { title: 'Ankündigung', run: ({ form }) => given(form.objectionDays, 'Frist vor neuen Unterauftragsverarbeitern') },
  defaults: {
    title: 'Voreinstellungen',
    async run({ newEvent, found }) {
      const closed = (await found()).newGallery.startsWith("'drop'") && !newEvent.with_videos;
      return answer(closed, 'neue Events sind Briefkästen ohne Videos', 'Neue Events beginnen mit Gästegalerie oder Videos.');
    },
  },
  axe: {
    title: 'Geprüfte Seiten',
    run({ accessible: { release: tested, pages }, release }) {
      if (tested !== release) return { ok: false, found: `Geprüft ist Version ${tested}, es läuft ${release}.` };
      if (Object.keys(pages).length === 0) return { ok: false, found: 'Keine Ansicht ist geprüft.' };
      const bad = Object.values(pages).filter((violations) => violations > 0).length;
      return answer(bad === 0, `${Object.keys(pages).length} Ansichten dieser Version ohne Verstoß`, `${bad} Ansichten haben Verstöße.`);
    },
  },
} satisfies Record<string, Check>;

export type CheckId = keyof typeof CHECKS;
