import { X509Certificate } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { MB } from '@feierbild/contract/constants.ts';
import { Business } from '@feierbild/contract/calls/site.ts';
import type { z } from 'zod';
import { germanIssue } from '../lib/german-issues.ts';
import { PACKAGE_FOLDER } from '../lib/software.ts';
import { misspelt, readSettings, strayLines } from './read-settings.ts';
import { Settings } from './settings.ts';

/** Files of the largest size for which staging must have room. */
const STAGED_UPLOADS = 4;

/** sysexits.h EX_CONFIG. */
export const EXIT_CONFIG = 78;
const FILE_OPTION = '--env-file=';
const DEFAULT_BUSINESS = join(import.meta.dirname, 'business.default.json');

export type Config = ReturnType<typeof configOf>;

/**
 * Returns the configuration of this process. No other code reads its environment and options. Node has read the file of settings, if there
 * is one, into the environment (see tools/lib.mjs and bin/feierbild). Trusts the certificates that this file names. Prints mistakes and ends
 * the process.
 */
export function ownConfig(): { config: Config; warnings: string[] } {
  const file = process.execArgv.find((option) => option.startsWith(FILE_OPTION))?.slice(FILE_OPTION.length);
  const result = readConfig(process.env, file);
  if ('config' in result) {
    const { certificates } = result.config;
    // Node itself looks for them in the environment alone, before it reads the file.
    if (certificates.length > 0 && getCACertificates('extra').length === 0)
      setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
    return result;
  }
  for (const mistake of result.mistakes) console.error(mistake);
  process.exit(EXIT_CONFIG);
}

/** Returns the whole of a path that somebody typed for a command in their folder, which bin/feierbild and npm leave for the program's. */
export const typedPath = (path: string): string => resolve(process.env['CALLED_IN'] ?? '', path);

/**
 * Checks the settings, and the file that some of them come from. Returns the configuration with warnings, or one line for each mistake.
 * Reads the business file and the files of secrets; writes nothing.
 */
export function readConfig(env: NodeJS.ProcessEnv, file?: string): { config: Config; warnings: string[] } | { mistakes: string[] } {
  const warnings = misspelt(env);
  const mistakes = file === undefined ? [] : strayLines(file, warnings);
  const given = readSettings(env, mistakes);
  const result = Settings.safeParse(given);
  for (const { path, message } of result.error?.issues ?? []) mistakes.push(`${path.join('.')}: ${message}`);
  if (given.METRICS_PORT !== undefined && given.METRICS_PORT === (given.PORT ?? '8080'))
    mistakes.push('METRICS_PORT: muss ein anderer Port sein als PORT.');
  if (given.STORAGE_URL && !given.AWS_ACCESS_KEY_ID !== !given.AWS_SECRET_ACCESS_KEY)
    mistakes.push('AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY: gehören zusammen, eines fehlt.');
  if (given.SMTP_URL && !given.PUBLIC_URL) mistakes.push('SMTP_URL: braucht PUBLIC_URL, damit Links in Mails hierher führen.');
  if (!given.SMTP_URL !== !given.MAIL_FROM) mistakes.push('SMTP_URL und MAIL_FROM: gehören zusammen, eines fehlt.');
  const business = readBusiness(given.BUSINESS_FILE, mistakes, warnings);
  const certificates = readCertificates(given.NODE_EXTRA_CA_CERTS, warnings);
  if (!result.data || !business || mistakes.length > 0) return { mistakes };
  const { DATA_DIR } = result.data;
  if (PACKAGE_FOLDER !== null && liesIn(DATA_DIR, PACKAGE_FOLDER))
    warnings.push(
      `DATA_DIR: ${DATA_DIR} liegt im Ordner des Pakets, und die nächste Fassung begänne ohne diese Daten. Verschieben Sie sie bei beendetem Dienst, zum Beispiel nach /var/lib/feierbild, und nennen Sie den Ordner in DATA_DIR.`,
    );

  return { warnings, config: configOf(result.data, business, certificates, given) };
}

/** Tells whether a path, of which the end may not exist yet, leads into a folder. */
function liesIn(path: string, folder: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    try {
      return `${join(realpathSync(at), path.slice(at.length))}/`.startsWith(`${folder}/`);
    } catch {
      if (at === dirname(at)) return false;
    }
  }
}

function configOf(settings: z.output<typeof Settings>, business: Business, certificates: string[], given: ReturnType<typeof readSettings>) {
  return {
    port: settings.PORT,
    host: settings.HOST,
    /** Public origin without a trailing slash; null: it follows from the request. */
    publicUrl: settings.PUBLIC_URL ?? null,
    dataDir: settings.DATA_DIR,
    /** PostgreSQL, or null for SQLite in dataDir. */
    databaseUrl: settings.DATABASE_URL ?? null,
    /** PostgreSQL without a pooler; null: databaseUrl. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? null,
    /** Connections to PostgreSQL. */
    databasePool: settings.DATABASE_POOL,
    /** Longest statement of a request, ms. */
    databaseTimeoutMs: settings.DATABASE_TIMEOUT * 1000,
    s3: s3Of(settings),
    /** PEM certificates of authorities that are trusted beside the usual ones. */
    certificates,
    adminUsername: settings.ADMIN_USERNAME,
    /** Null: one is generated. */
    adminPassword: settings.ADMIN_PASSWORD ?? null,
    business,
    /** The business if BUSINESS_FILE sets it; its values cannot be changed in the browser. */
    businessFile: given.BUSINESS_FILE === undefined ? null : business,
    /** The business is the shipped fictitious one, or a copy of it. */
    defaultBusiness: isDeepStrictEqual(business, readBusiness(undefined, [], [])),
    demo: settings.DEMO === 'on',
    /** DEMO is unset. */
    demoByDefault: given.DEMO === undefined,
    webhookPrivate: settings.WEBHOOK_PRIVATE === 'on',
    /** Folder with the operator's own pictures for the demo; null: the drawn ones. */
    demoPhotosDir: settings.DEMO_PHOTOS_DIR ?? null,
    /** Mail server and sender; null: no mail is sent. */
    mail: settings.SMTP_URL && settings.MAIL_FROM ? { server: settings.SMTP_URL, from: settings.MAIL_FROM } : null,
    /** Addresses and networks of trusted proxies, or false. */
    trustProxy: settings.TRUST_PROXY,
    maxUploadBytes: settings.MAX_UPLOAD_MB * MB,
    maxVideoBytes: settings.MAX_VIDEO_MB * MB,
    uploadsAtOnce: settings.UPLOADS_AT_ONCE,
    stagingRoomBytes: (settings.STAGING_ROOM_MB ?? STAGED_UPLOADS * settings.MAX_UPLOAD_MB) * MB,
    logLevel: settings.LOG_LEVEL,
    nodeName: settings.NODE_NAME,
    /** Address that serves metrics; null: none does. */
    metrics: settings.METRICS_PORT === undefined ? null : { port: settings.METRICS_PORT, host: settings.METRICS_HOST },
    /** Null: one for each core, at least 2. */
    decoders: settings.DECODERS ?? null,
    heicDecoders: settings.HEIC_DECODERS,
    /** `required`: the service does not start if decoders cannot be isolated. */
    decoderIsolation: settings.DECODER_ISOLATION ?? (settings.PUBLIC_URL?.startsWith('https:') ? 'required' : 'best'),
    /** Time for which requests are still served after SIGTERM, ms. */
    shutdownDelayMs: settings.SHUTDOWN_DELAY * 1000,
    /** Time in which running requests may then finish, ms. */
    shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT * 1000,
  };
}

/** Returns the S3 store; null: a folder in dataDir. Without credentials the AWS client looks for them. */
function s3Of(settings: z.output<typeof Settings>) {
  if (!settings.STORAGE_URL) return null;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = settings;
  const credentials = accessKeyId && secretAccessKey && { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
  return {
    ...settings.STORAGE_URL,
    ...(credentials && { credentials }),
    callMs: settings.STORAGE_TIMEOUT * 1000,
    connections: settings.STORAGE_POOL,
  };
}

/** Reads the operator's data; null: the reasons are in `mistakes`. Unknown keys are reported in `warnings`. */
function readBusiness(file: string | undefined, mistakes: string[], warnings: string[]): Business | null {
  const path = file ?? DEFAULT_BUSINESS;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
  } catch (error) {
    mistakes.push(`BUSINESS_FILE: ${path} ${unreadable(error as NodeJS.ErrnoException)}`);
    return null;
  }
  const result = Business.safeParse(json, { error: germanIssue });
  if (!result.success) {
    for (const issue of result.error.issues) mistakes.push(`BUSINESS_FILE: „${issue.path.join('.') || path}“: ${issue.message}`);
    return null;
  }
  for (const key of unknownKeys(json, result.data)) warnings.push(`BUSINESS_FILE: „${key}“ ist keine bekannte Angabe.`);
  return result.data;
}

/** Reads the certificates of a file (PEM). What cannot be read is a warning, as Node takes it; it may be a variable of the whole machine. */
function readCertificates(file: string | undefined, warnings: string[]): string[] {
  if (file === undefined) return [];
  try {
    const found = readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g) ?? [];
    for (const certificate of found) new X509Certificate(certificate);
    if (found.length === 0) warnings.push(`NODE_EXTRA_CA_CERTS: in ${file} steht kein Zertifikat (PEM).`);
    return found;
  } catch (error) {
    const { code = 'unbekannt' } = error as NodeJS.ErrnoException;
    warnings.push(`NODE_EXTRA_CA_CERTS: ${file} ist nicht lesbar (${code}). Was darin steht, gilt nicht.`);
    return [];
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'ist nicht in UTF-8 gespeichert. Speichern Sie die Datei in dieser Kodierung.';
  if (code !== undefined) return `ist nicht lesbar (${code}).`;
  // V8 reports the position of the error, except at the end of the text.
  const [, line, column] = / \(line (\d+) column (\d+)\)$/.exec(message) ?? [];
  const where = line === undefined ? 'endet zu früh oder ist kein' : `ist ab Zeile ${line}, Spalte ${column} kein gültiges`;
  return `${where} JSON. Oft fehlt davor ein Komma, ein Anführungszeichen oder eine Klammer, oder ein Komma ist zu viel.`;
}

/** Lists the paths of keys that the schema has dropped. */
function unknownKeys(given: unknown, taken: unknown, path = ''): string[] {
  if (typeof given !== 'object' || given === null || typeof taken !== 'object' || taken === null) return [];
  return Object.entries(given).flatMap(([key, value]) =>
    key in taken ? unknownKeys(value, (taken as Record<string, unknown>)[key], `${path}${key}.`) : [path + key],
  );
}

/**
 * Finds mistakes in HOST and METRICS_HOST by listening there for a moment: only the system knows its own addresses. `mayPass`: the address
 * may become this machine's own, because interfaces and the names' server may come up later than the service.
 */
export async function hostMistakes({ host, metrics }: Pick<Config, 'host' | 'metrics'>) {
  const named = { HOST: host, ...(metrics && { METRICS_HOST: metrics.host }) };
  const heard = Object.entries(named).map(async ([name, value]) => {
    const error = await listenAt(value);
    const why = isUnresolved(error) ? 'lässt sich gerade nicht auflösen' : 'ist weder eine Adresse noch ein Name dieses Rechners';
    return error && { line: `${name}: „${value}“ ${why}.`, mayPass: isNotUpYet(error) };
  });
  return (await Promise.all(heard)).filter((mistake) => mistake !== null);
}

/** Tells whether listening failed at an address that no interface has at the moment, or at a name that nobody resolves at the moment. */
export function isNotUpYet(error: unknown): boolean {
  const { syscall, code } = error as NodeJS.ErrnoException;
  return (syscall === 'listen' && code === 'EADDRNOTAVAIL') || isUnresolved(error);
}

const isUnresolved = (error: unknown): boolean => (error as NodeJS.ErrnoException | null)?.code === 'EAI_AGAIN';

function listenAt(host: string): Promise<Error | null> {
  return new Promise((known) => {
    const probe = createServer();
    probe.once('error', known);
    probe.listen(0, host, () => probe.close(() => known(null)));
  });
}
