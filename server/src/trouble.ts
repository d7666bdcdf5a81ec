import { isDiskFull } from './lib/disk-full.ts';
import { isNotUpYet, type Config } from './config/config.ts';
import { isBusy } from './database/errors.ts';
import { SchemaMismatch } from './database/migrate.ts';
import { OthersStore } from './features/integrity/store-owner.ts';
import { Unavailable } from './lib/errors.ts';
import { DataFolderTaken } from './storage/data-lock.ts';
import { IsolationMissing } from './images/sandbox.ts';

/** The operator's explanation of a failing database or photo store. */
export interface Trouble {
  /** German text without a full stop, with a remedy; the other side's own code or words in brackets. */
  text: string;
  /** The other side answered, and refused. */
  refused: boolean;
  /** Waiting does not help. */
  lasting: boolean;
}

const CUT = 'die Verbindung ist abgebrochen';
/** Network errors by code or name. */
const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'dort nimmt niemand Verbindungen an',
  ENOTFOUND: 'diesen Rechnernamen gibt es nicht; stimmt die Adresse?',
  EAI_AGAIN: 'der Rechnername lässt sich gerade nicht auflösen',
  ECONNRESET: CUT,
  EHOSTUNREACH: 'der Rechner ist nicht erreichbar',
  ENETUNREACH: 'das Netz ist nicht erreichbar',
  ETIMEDOUT: 'in der erlaubten Zeit kam keine Antwort',
  TimeoutError: 'in der erlaubten Zeit kam keine Antwort',
  AbortError: 'in der erlaubten Zeit kam keine Antwort',
};

/** Errors that only a change of the settings, or of the other side, can mend. */
const LASTING: Record<string, string> = {
  EPROTO: 'dort wird kein TLS gesprochen; gehört http:// statt https:// in die Adresse?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'dort wird kein TLS gesprochen; gehört http:// statt https:// in die Adresse?',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'dort wird kein TLS gesprochen; gehört http:// statt https:// in die Adresse?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'dem Zertifikat vertraut hier niemand; die eigene Stelle nennt NODE_EXTRA_CA_CERTS',
  SELF_SIGNED_CERT_IN_CHAIN: 'dem Zertifikat vertraut hier niemand; die eigene Stelle nennt NODE_EXTRA_CA_CERTS',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'dem Zertifikat vertraut hier niemand; die eigene Stelle nennt NODE_EXTRA_CA_CERTS',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'dem Zertifikat vertraut hier niemand; die eigene Stelle nennt NODE_EXTRA_CA_CERTS',
  ERR_TLS_CERT_ALTNAME_INVALID: 'das Zertifikat gehört zu einem anderen Namen',
  CERT_HAS_EXPIRED: 'das Zertifikat ist abgelaufen',
  CredentialsProviderError: 'es fehlen Zugangsdaten: AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY',
};

/** Errors of S3 stores (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const S3: Record<string, string> = {
  AccessDenied: 'die Zugangsdaten haben in diesem Bucket nicht alle nötigen Rechte: lesen, schreiben, löschen, auflisten',
  InvalidAccessKeyId: 'den Schlüssel in AWS_ACCESS_KEY_ID kennt der Speicher nicht',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY gehört nicht zum Schlüssel in AWS_ACCESS_KEY_ID',
  NoSuchBucket: 'diesen Bucket gibt es dort nicht; legen Sie ihn an, oder berichtigen Sie STORAGE_URL',
  PermanentRedirect: 'der Bucket liegt in einer anderen Region; nennen Sie sie in STORAGE_URL mit region=',
  AuthorizationHeaderMalformed: 'der Bucket liegt in einer anderen Region; nennen Sie sie in STORAGE_URL mit region=',
  RequestTimeTooSkewed: 'die Uhr dieses Rechners geht falsch',
  ExpiredToken: 'AWS_SESSION_TOKEN ist abgelaufen',
  InvalidToken: 'AWS_SESSION_TOKEN ist ungültig',
};

/** Errors of PostgreSQL, by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const POSTGRES: Record<string, string> = {
  '28P01': 'Benutzername oder Passwort stimmen nicht',
  '28000': 'PostgreSQL lässt diesen Benutzer von hier nicht zu; erlauben Sie es in pg_hba.conf',
  '3D000': 'diese Datenbank gibt es dort nicht; legen Sie sie an (createdb)',
  '42501': 'der Benutzer hat nicht genug Rechte; machen Sie ihn zum Eigentümer der Datenbank',
  '55P03': 'andere halten die Tabellen zu lange fest, zum Beispiel pg_dump, eine Sicherung oder eine offene Sitzung von psql',
  '53300': 'alle Verbindungen sind vergeben; erhöhen Sie max_connections, oder senken Sie DATABASE_POOL',
  '57P01': CUT,
  '57P02': CUT,
  '57P03': 'PostgreSQL startet noch oder endet gerade',
};
/** pg has no codes for these errors. */
const NO_TLS = /does not support SSL/;
const BROKEN_OFF = /^Connection terminated|not queryable$/;

const NO_RIGHTS = 'dem Benutzer, unter dem dies läuft, fehlen dort Rechte';
const BROKEN = 'die Datei der Datenbank ist beschädigt; spielen Sie die letzte Sicherung mit „restore“ in einen leeren Ordner ein';
const MEDIUM = 'der Datenträger meldet Fehler';
/** Errors of files and folders on this machine. */
const FILES: Record<string, string> = {
  EACCES: NO_RIGHTS,
  EPERM: NO_RIGHTS,
  EROFS: 'der Datenträger lässt sich nur lesen',
  EIO: MEDIUM,
  // EUCLEAN and EBADMSG, which Node has no names for.
  'Unknown system error -117': MEDIUM,
  'Unknown system error -74': MEDIUM,
};
/** Errors of SQLite, by primary result code (https://www.sqlite.org/rescode.html). */
const SQLITE: Record<number, string> = {
  5: 'ein anderer Prozess hat sie gerade länger für sich, zum Beispiel „migrate“; versuchen Sie es danach noch einmal',
  8: NO_RIGHTS,
  10: MEDIUM,
  11: BROKEN,
  14: 'die Datei der Datenbank lässt sich nicht öffnen; stimmen die Rechte in DATA_DIR?',
  26: BROKEN,
};

/** Explains the innermost cause; if several attempts failed, the first one's. */
export function explainTrouble(error: unknown): Trouble {
  if (isDiskFull(error)) return { text: 'auf der Platte ist kein Platz mehr', refused: true, lasting: false };
  if (error instanceof AggregateError) return explainTrouble(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return explainTrouble(error.cause);
  if (!(error instanceof Error)) return { text: String(error), refused: false, lasting: false };
  const { name, message } = error;
  const { code = name, path, errcode = 0 } = error as { code?: string; path?: string; errcode?: number };
  // Reads and writes of an open file name no path.
  const ofDisk = path === undefined && FILES[code] !== MEDIUM ? SQLITE[errcode & 0xff] : FILES[code];
  if (ofDisk !== undefined) return { text: `${ofDisk} (${path ?? message})`, refused: true, lasting: false };
  const isOfS3 = '$fault' in error;
  const of = (told: string | undefined, refused: boolean, lasting: boolean): Trouble => {
    const own = [isOfS3 ? name : code, message].find((text) => text && text !== 'Error') ?? '';
    return { text: told ? `${told} (${own})` : message || name, refused, lasting };
  };
  if (isOfS3) return of(S3[name], true, name in S3);
  if (NO_TLS.test(message)) return of('PostgreSQL spricht dort kein TLS; ohne sslmode versuchen?', true, true);
  if (BROKEN_OFF.test(message)) return of(CUT, false, false);
  if (code in POSTGRES) return of(POSTGRES[code], true, !code.startsWith('5'));
  return of(LASTING[code] ?? LASTING[name] ?? NETWORK[code] ?? NETWORK[name], false, code in LASTING || name in LASTING);
}

/** A part of the service failed to open; `setting` is the setting that configures it. */
export class StartFailure extends Error {
  readonly setting: string;

  constructor(setting: string, cause: unknown) {
    super(setting, { cause });
    this.setting = setting;
  }
}

/** Runs one step of a start; its errors are reported as caused by `setting`. */
export async function startStep<T>(setting: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof SchemaMismatch || error instanceof OthersStore ? error : new StartFailure(setting, error);
  }
}

/** Beginning of the message by setting, if the other side is silent and if it refuses. */
const TROUBLE: Record<string, [silent: string, refused: string]> = {
  DATABASE_URL: ['Die Datenbank lässt sich nicht öffnen', 'Die Datenbank lässt sich nicht öffnen'],
  STORAGE_URL: ['Der Fotospeicher antwortet nicht', 'Der Fotospeicher lehnt ab'],
  DATA_DIR: ['Der Ordner lässt sich nicht benutzen', 'Der Ordner lässt sich nicht benutzen'],
};

/**
 * Tells whether another attempt may succeed. Database or photo store may be starting, the interface with our address may come up, and a
 * full disk get room. Another process, perhaps our predecessor, may give up the port or the data folder.
 */
export function isTemporary(error: unknown): boolean {
  if (isNotUpYet(error) || isTaken(error) || error instanceof DataFolderTaken) return true;
  const step = stepOf(error);
  if (!(step instanceof StartFailure)) return false;
  const { cause } = step;
  return isDiskFull(cause) || isBusy(cause) || (cause instanceof Unavailable && !explainTrouble(cause).lasting);
}

/** Returns the failed step of an error: an error of SQLite is one of the data folder, as all of its files are there, the lock too. */
const stepOf = (error: unknown): unknown => ('errcode' in (error as object) ? new StartFailure('DATA_DIR', error) : error);

function isTaken(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return syscall === 'listen' && code === 'EADDRINUSE';
}

/** No version was released before 0.2.0, so only developers have such data. */
export const UNRELEASED =
  'Die Datenbank hat einen Stand, den keine veröffentlichte Fassung von Feierbild hinterlässt: einen Zwischenstand der Entwicklung. Er lässt sich nicht weiterführen; es wurde nichts geändert. Beginnen Sie mit einem leeren Ordner (DATA_DIR) oder einer leeren Datenbank (DATABASE_URL), oder spielen Sie dort mit „restore“ die Sicherung einer veröffentlichten Fassung ein.';

/** Explains a failed start in German and names the setting; null: no setting is the cause. */
export function explainFailure(error: unknown, { port, metrics }: Pick<Config, 'port' | 'metrics'>): string | null {
  if (error instanceof DataFolderTaken || error instanceof IsolationMissing || error instanceof OthersStore) return error.message;
  if (error instanceof SchemaMismatch && error.unreleased) return UNRELEASED;
  if (error instanceof SchemaMismatch) {
    return `Die Daten stammen von einer neueren Fassung von Feierbild (Stand ${error.newer.join(', ')}). Starten Sie diese Fassung wieder, oder spielen Sie mit „restore“ die Sicherung ein, die vor der Aktualisierung gemacht wurde.`;
  }
  const step = stepOf(error);
  if (step instanceof StartFailure) {
    const { text, refused } = explainTrouble(step.cause);
    return `${step.setting}: ${TROUBLE[step.setting]?.[refused ? 1 : 0]}: ${text}.`;
  }
  const { syscall, code, port: wanted } = error as NodeJS.ErrnoException & { port?: number };
  if (syscall !== 'listen') return null;
  const setting = wanted === metrics?.port && wanted !== port ? 'METRICS_PORT' : 'PORT';
  const why = isTaken(error)
    ? 'ist schon belegt. Läuft Feierbild oder ein anderer Dienst dort schon?'
    : `lässt sich nicht öffnen (${code}).`;
  return `${setting}: Der Port ${wanted} ${why}`;
}
