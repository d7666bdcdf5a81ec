import { BACKUP_LATE, BACKUPS_KEPT_DAYS, DAY, DISK_SCARCE, DISK_TOO_LITTLE, HOUR, UPLOAD_KEPT } from '@feierbild/contract/constants.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { count, instantText, number, size } from '../../lib/german.ts';
import { oldestSnapshot } from '../backup/backup.ts';
import type { Facts, Readings } from './facts.ts';

/** Age after which the last search for all photos is too old; it should come once a month. */
const LOOK_OLD = 35 * DAY;
/** Age after which the last run of the hourly deletion is too old. */
const CLEANING_LATE = 3 * HOUR;
/** Age that no open upload should reach: the hourly run ends it after 24 hours without a byte. */
const UPLOAD_LATE = 27 * HOUR;

export type Severity = 'good' | 'caution' | 'bad';

/** The finding of one question. */
export interface Finding {
  severity: Severity;
  /** Evidence, in the words of the papers' checks. */
  found: string;
  /** The text of `doctor` with the remedy; without it `doctor` prints nothing. */
  line?: string;
  /** The text after the start. */
  hint?: string;
}

export interface Question {
  /** Name in the papers, German. */
  title: string;
  /** Name in `doctor`, if that prints it. */
  about?: string;
  ask(facts: Facts): Finding | Promise<Finding>;
}

/** The readings that a question uses. */
type From<K extends keyof Readings> = { now: number; read: Pick<Readings, K> };

export const finding = (good: boolean, yes: string, no: string): Finding => ({ severity: good ? 'good' : 'bad', found: good ? yes : no });

const since = (ms: number): string =>
  ms < DAY ? `vor ${Math.max(1, Math.round(ms / HOUR))} Stunden` : `vor ${Math.floor(ms / DAY)} Tagen`;
const ageText = (ms: number): string =>
  ms < 2 * DAY ? count(Math.floor(ms / HOUR), 'Stunde', 'Stunden') : count(Math.floor(ms / DAY), 'Tag', 'Tage');

/**
 * The questions about an installation that its operator should know, each with its limit and its texts, for `doctor`, the papers' checks,
 * the lines after the start and the mails that are due. A question reads only the facts that it uses, so `doctor` can ask without a
 * database.
 */
export const HEALTH = {
  business: {
    title: 'Betriebsdaten',
    ask: ({ fictitious, business }: Pick<Facts, 'fictitious' | 'business'>) => ({
      ...finding(!fictitious, `eingetragen: ${business.identity.brand}`, 'Es sind die des Beispielbetriebs.'),
      hint: 'Es sind die Daten des Beispielbetriebs eingetragen. Ihre tragen Sie in der Verwaltung ein (/admin).',
    }),
  },
  https: {
    title: 'TLS',
    about: 'PUBLIC_URL',
    ask: ({ publicUrl }: Pick<Facts, 'publicUrl'>) => ({
      severity: publicUrl?.startsWith('https:') ? 'good' : 'caution',
      found: publicUrl?.startsWith('https:') ? `PUBLIC_URL ist ${publicUrl}` : 'PUBLIC_URL ist keine https-Adresse.',
      line:
        publicUrl === null
          ? 'ist nicht gesetzt. Setzen Sie die https-Adresse, unter der Gäste den Dienst erreichen.'
          : `${publicUrl} ist keine https-Adresse. Außerhalb des eigenen Netzes nur hinter https betreiben.`,
      hint: 'PUBLIC_URL ist keine https-Adresse; außerhalb des eigenen Netzes bitte nur hinter https betreiben.',
    }),
  },
  isolation: {
    title: 'Isolierte Decoder',
    about: 'Abschottung',
    ask({ isolationFault: fault }: Pick<Facts, 'isolationFault'>) {
      const why = fault && `Decoder nicht isoliert: ${fault.cause}. ${fault.remedy}.`;
      if (!why) return { severity: 'good', found: 'beim Start festgestellt', line: 'Die Decoder laufen isoliert.' };
      return { severity: 'caution', found: 'Beim Start ließen sich die Decoder nicht isolieren.', line: why, hint: why };
    },
  },
  'first-password': {
    title: 'Erstes Verwaltungspasswort',
    about: 'Passwort',
    async ask({ read }: Pick<From<'initialPassword'>, 'read'>) {
      if (!(await read.initialPassword())) return { severity: 'good', found: 'geändert' };
      const text = 'Das erste Verwaltungspasswort ist noch in Gebrauch.';
      return {
        severity: 'caution',
        found: 'Es ist noch in Gebrauch.',
        line: `${text} Ändern Sie es: admin password.`,
        hint: `${text} Bitte ändern Sie es.`,
      };
    },
  },
  keys: {
    title: 'Unveränderte Schlüssel',
    async ask({ read }: Pick<From<'tampered'>, 'read'>) {
      const tampered = await read.tampered();
      return finding(tampered.length === 0, 'kein Alarm', `Verändert bei ${tampered.join(', ')}.`);
    },
  },
  cleaning: {
    title: 'Stündliche Löschung',
    about: 'Löschung',
    async ask({ read, now }: From<'clockRight' | 'overdue' | 'lastCleaning'>): Promise<Finding> {
      if (!(await read.clockRight())) {
        const found = 'Die Uhr ist gesprungen; bis zu Ihrer Bestätigung wird nichts gelöscht.';
        return { severity: 'bad', found, line: `${found} Prüfen Sie die Uhr, und bestätigen Sie sie in der Verwaltung (/admin).` };
      }
      const overdue = await read.overdue();
      if (overdue > 0) {
        const found = `${overdue === 1 ? '1 Event ist' : `${number(overdue)} Events sind`} seit mehr als einem Tag überfällig.`;
        return { severity: 'bad', found, line: `${found} Läuft der Dienst? Sein Log nennt den Grund („retention failed“).` };
      }
      const last = await read.lastCleaning();
      const recent = last !== null && last <= now + CLOCK_SKEW_MS && now - last < CLEANING_LATE;
      return finding(
        recent,
        'zuletzt innerhalb von 3 Stunden ganz gelungen',
        'Seit 3 Stunden ist kein Lauf ganz gelungen; das Log sagt, woran.',
      );
    },
  },
  backup: {
    title: 'Sicherung',
    about: 'Sicherung',
    async ask({ read, now }: From<'lastBackup'>) {
      const last = await read.lastBackup();
      const daily = 'Richten Sie ein tägliches „backup“ ein.';
      if (last === null) return { severity: 'caution', found: 'Noch nie wurde gesichert.', line: `Noch nie wurde gesichert. ${daily}` };
      const age = now - last.at;
      if (age < -CLOCK_SKEW_MS) {
        const why = `Das Datum der neuesten, in ${last.folder}, liegt in der Zukunft: ${instantText(last.at)}. Als sie entstand, ging die Uhr vor, oder jetzt geht sie nach.`;
        return {
          severity: 'caution',
          found: 'Das Datum der letzten liegt in der Zukunft.',
          line: `${why} Stellen Sie die Uhr, und sichern Sie neu.`,
        };
      }
      const text = `Die neueste, in ${last.folder}, ist ${ageText(age)} alt`;
      const late = { found: `Die letzte war ${since(age)}.` };
      if (age > BACKUPS_KEPT_DAYS * DAY)
        return { ...late, severity: 'bad', line: `${text}, keine darf älter als ${BACKUPS_KEPT_DAYS} Tage werden. Sichern Sie täglich.` };
      if (last.missing) {
        const lacks = `${last.missing === 1 ? 'fehlt 1 Datei' : `fehlen ${number(last.missing)} Dateien`}`;
        const why = 'Der Fotospeicher gibt sie nicht her; „backup“ und „verify“ nennen sie.';
        const remedy = 'Legen Sie sie aus einer anderen Sicherung zurück, oder bitten Sie den Gast noch einmal um sein Foto.';
        return { severity: 'bad', found: `Der letzten ${lacks}.`, line: `${text}, und ihr ${lacks}. ${why} ${remedy}` };
      }
      if (age > BACKUP_LATE) return { ...late, severity: 'caution', line: `${text}. Sichern Sie täglich.` };
      return { severity: 'good', found: `jünger als ${BACKUP_LATE / HOUR} Stunden`, line: `${text}.` };
    },
  },
  'old-backups': {
    title: 'Alte Sicherungen',
    about: 'Alte Sicherungen',
    async ask({ read, now }: From<'lastBackup'>) {
      const last = await read.lastBackup();
      const oldest = last ? oldestSnapshot(last) : undefined;
      if (oldest === undefined || oldest.at > now + CLOCK_SKEW_MS)
        return { severity: 'bad', found: 'Noch ist nicht bekannt, wie alt die älteste ist; die nächste vermerkt es.' };
      const age = now - oldest.at;
      if (age <= BACKUPS_KEPT_DAYS * DAY) return { severity: 'good', found: `keine ist älter als ${BACKUPS_KEPT_DAYS} Tage` };
      const remedy = `keine darf älter als ${BACKUPS_KEPT_DAYS} Tage werden. Ein „backup“ in diesen Ordner entfernt sie.`;
      return {
        severity: 'bad',
        found: `Die älteste ist von ${since(age)}.`,
        // The question `backup` reports the newest snapshot.
        ...(oldest.at !== last?.at && { line: `Die älteste, in ${oldest.folder}, ist ${ageText(age)} alt, ${remedy}` }),
      };
    },
  },
  'left-behind': {
    title: 'Frühere Daten',
    about: 'Frühere Daten',
    async ask({ read }: Pick<From<'leftBehind'>, 'read'>) {
      const places = (await read.leftBehind()).join(', ');
      if (places === '') return { severity: 'good', found: 'keine liegen mehr in DATA_DIR' };
      const text = `In ${places} liegen Schlüssel oder Fotos, die dieser Dienst nicht benutzt; dort löscht niemand etwas. Sind Sie umgezogen, und „verify“ findet hier alle Fotos, entfernen Sie sie, spätestens nach 14 Tagen.`;
      return { severity: 'caution', found: `In ${places} liegen welche, die niemand löscht.`, line: text, hint: text };
    },
  },
  look: {
    title: 'Vollständigkeit der Fotos',
    async ask({ read, now }: From<'lastCheck'>) {
      const last = await read.lastCheck();
      if (!last) return { severity: 'bad', found: 'Noch nie geprüft („verify“).' };
      if (last.findings > 0) return { severity: 'bad', found: `Die letzte Prüfung hatte ${last.findings} Befunde.` };
      if (last.at > now + CLOCK_SKEW_MS) return { severity: 'bad', found: 'Das Datum der letzten Prüfung liegt in der Zukunft.' };
      return finding(now - last.at <= LOOK_OLD, 'in den letzten 35 Tagen ohne Befund geprüft', `Zuletzt ${since(now - last.at)} geprüft.`);
    },
  },
  versions: {
    title: 'Keine alten Versionen im Fotospeicher',
    about: 'Versionierung',
    async ask({ read }: Pick<From<'versioning'>, 'read'>) {
      const { state, why } = await read.versioning();
      if (state === 'off') return { severity: 'good', found: 'Gelöschtes ist gelöscht', line: 'Der Bucket behält keine gelöschten Fotos.' };
      if (state === 'unknown') {
        const line = `ließ sich nicht feststellen: ${why}. Sie muss aus sein.`;
        return { severity: 'caution', found: 'Der Bucket sagt nicht, ob er sie behält.', line };
      }
      const remedy = 'Schalten Sie die Versionierung aus und löschen Sie die alten Versionen.';
      return {
        severity: 'bad',
        found: 'Der Bucket behält Gelöschtes als alte Version.',
        line: `Der Bucket behält gelöschte Fotos als alte Versionen. ${remedy}`,
      };
    },
  },
  disk: {
    title: 'Platz',
    about: 'Platz',
    async ask({ read }: Pick<From<'disk'>, 'read'>) {
      const { free, folder } = await read.disk();
      const found = `${size(free)} frei`;
      if (free < DISK_TOO_LITTLE)
        return { severity: 'bad', found, line: `nur ${found} in ${folder}. Schaffen Sie Platz, sonst werden Fotos abgelehnt.` };
      if (free < DISK_SCARCE) return { severity: 'caution', found, line: `${found} in ${folder}. Ein großes Fest braucht mehr als 10 GB.` };
      return { severity: 'good', found, line: `${folder} ist beschreibbar, ${found}.` };
    },
  },
  uploads: {
    title: 'Übertragungen',
    about: 'Übertragungen',
    async ask({ read, now }: From<'openUploads'>) {
      const open = await read.openUploads();
      if (open.length === 0) return { severity: 'good', found: 'keine ist unterbrochen', line: 'Keine ist unterbrochen.' };
      const silent = now - (Math.min(...open.map(({ expires_at }) => expires_at)) - UPLOAD_KEPT);
      const hours = Math.floor(silent / HOUR);
      const sumOf = (what: 'parts' | 'received'): number => open.reduce((sum, upload) => sum + Number(upload[what]), 0);
      const many = open.length === 1 ? '1 ist' : `${number(open.length)} sind`;
      const held = `${many} nicht fertig, mit ${count(sumOf('parts'), 'Teil', 'Teilen')} (${size(sumOf('received'))})`;
      const age = hours < 1 ? 'weniger als einer Stunde' : count(hours, 'Stunde', 'Stunden');
      const found = `${held}; die älteste seit ${age} ohne ein Byte.`;
      if (silent < UPLOAD_LATE) return { severity: 'good', found, line: found };
      return { severity: 'caution', found, line: `${found} Abgelaufene entfernt der Dienst jede Stunde: läuft er?` };
    },
  },
} satisfies Record<string, Question>;
