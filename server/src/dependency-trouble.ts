import { S3ServiceException } from '@aws-sdk/client-s3';
import { isDiskFull } from './lib/disk-full.ts';
import { Refusal } from './lib/errors.ts';

/** Why database or photo store cannot be used, for the operator. */
export interface Trouble {
  /** German, without a full stop, with what to do; the other side's own code or words in brackets. */
  text: string;
  /** Whether the other side answered, and refused. */
  refused: boolean;
  /** Whether waiting cannot mend it. */
  lasting: boolean;
}

/** By the code or name of an error. */
const NETWORK: Record<string, string> = {
  ECONNREFUSED: 'dort nimmt niemand Verbindungen an',
  ENOTFOUND: 'diesen Rechnernamen gibt es nicht; stimmt die Adresse?',
  EAI_AGAIN: 'der Rechnername lässt sich gerade nicht auflösen',
  ECONNRESET: 'die Verbindung ist abgebrochen',
  EHOSTUNREACH: 'der Rechner ist nicht erreichbar',
  ENETUNREACH: 'das Netz ist nicht erreichbar',
  ETIMEDOUT: 'in der erlaubten Zeit kam keine Antwort',
  TimeoutError: 'in der erlaubten Zeit kam keine Antwort',
  AbortError: 'in der erlaubten Zeit kam keine Antwort',
};

/** What only a change of the settings, or of the other side, can mend. */
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

/** What an S3 store answers (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
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

/** What PostgreSQL answers, by SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const POSTGRES: Record<string, string> = {
  '28P01': 'Benutzername oder Passwort stimmen nicht',
  '28000': 'PostgreSQL lässt diesen Benutzer von hier nicht zu; erlauben Sie es in pg_hba.conf',
  '3D000': 'diese Datenbank gibt es dort nicht; legen Sie sie an (createdb)',
  '42501': 'der Benutzer hat nicht genug Rechte; machen Sie ihn zum Eigentümer der Datenbank',
  '53300': 'alle Verbindungen sind vergeben; erhöhen Sie max_connections, oder senken Sie DATABASE_POOL',
  '57P03': 'PostgreSQL startet noch oder endet gerade',
};
/** pg has no code for it. */
const NO_TLS = /does not support SSL/;

/** Explains the innermost cause; of several attempts the first. */
export function explainTrouble(error: unknown): Trouble {
  if (error instanceof Refusal ? error.code === 'disk_full' : isDiskFull(error))
    return { text: 'auf der Platte ist kein Platz mehr', refused: true, lasting: false };
  if (error instanceof AggregateError) return explainTrouble(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return explainTrouble(error.cause);
  if (!(error instanceof Error)) return { text: String(error), refused: false, lasting: false };
  const { name, message } = error;
  const { code = name } = error as { code?: string };
  const of = (told: string | undefined, refused: boolean, lasting: boolean): Trouble => {
    const own = [refused && error instanceof S3ServiceException ? name : code, message].find((text) => text && text !== 'Error') ?? '';
    return { text: told ? `${told} (${own})` : message || name, refused, lasting };
  };
  if (error instanceof S3ServiceException) return of(S3[name], true, name in S3);
  if (NO_TLS.test(message)) return of('PostgreSQL spricht dort kein TLS; ohne sslmode versuchen?', true, true);
  if (code in POSTGRES) return of(POSTGRES[code], true, !code.startsWith('5'));
  return of(LASTING[code] ?? LASTING[name] ?? NETWORK[code] ?? NETWORK[name], false, code in LASTING || name in LASTING);
}
