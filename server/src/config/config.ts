import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ADMIN_PASSWORD_MIN, LOGIN_NAME_MAX, MB, PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { Business } from '@feierbild/contract/entities.ts';
import { isIP } from 'node:net';
import { germanIssue } from '../lib/german-issues.ts';
import type { Environment } from './environment.ts';

export interface Config {
  port: number;
  host: string;
  /** Without a slash at the end; null: from the request. */
  publicUrl: string | null;
  dataDir: string;
  /** PostgreSQL, or null for SQLite in dataDir. */
  databaseUrl: string | null;
  /** S3, or null for a folder in dataDir. */
  s3: { bucket: string; prefix: string; endpoint?: string; region?: string } | null;
  adminUsername: string;
  /** Null: generate one. */
  adminPassword: string | null;
  business: Business;
  /** True while the fictitious business that ships is in use. */
  defaultBusiness: boolean;
  demo: boolean;
  /** Addresses and networks of trusted proxies, or false. */
  trustProxy: string[] | false;
  maxUploadBytes: number;
  logLevel: string;
  /** Where Prometheus asks, or null. */
  metrics: { port: number; host: string } | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const DEFAULT_BUSINESS = join(import.meta.dirname, 'business.default.json');
/** Largest sensible upload: the sealed format and the decoders' memory are made for photographs. */
const MAX_UPLOAD_MB = 500;

/** Judges the settings: the whole configuration, or every mistake in one plain line each. Reads the business file, writes nothing. */
export function readConfig(env: Environment): { config: Config } | { mistakes: string[] } {
  const mistakes: string[] = [];
  const text = (name: string): string | null => {
    const value = env[name]?.trim();
    return value ? value : null;
  };
  const mistake = <T>(name: string, problem: string, fallback: T): T => {
    mistakes.push(`${name}: ${problem}`);
    return fallback;
  };
  const number = (name: string, fallback: number, lowest: number, highest: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    const parsed = Number(value);
    const fits = /^\d+$/.test(value) && parsed >= lowest && parsed <= highest;
    return fits ? parsed : mistake(name, `muss eine ganze Zahl von ${lowest} bis ${highest} sein, nicht „${value}“.`, fallback);
  };

  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel)) mistake('LOG_LEVEL', `muss einer von ${LOG_LEVELS.join(', ')} sein.`, null);
  const demo = text('DEMO') ?? 'on';
  if (demo !== 'on' && demo !== 'off') mistake('DEMO', 'muss „on“ oder „off“ sein.', null);
  const adminPassword = env.ADMIN_PASSWORD ? env.ADMIN_PASSWORD : null;
  if (adminPassword !== null && [...adminPassword].length < ADMIN_PASSWORD_MIN) {
    mistake('ADMIN_PASSWORD', `braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`, null);
  }
  if (adminPassword !== null && adminPassword.length > PASSWORD_MAX)
    mistake('ADMIN_PASSWORD', `darf höchstens ${PASSWORD_MAX} Zeichen haben.`, null);
  const adminUsername = text('ADMIN_USERNAME') ?? 'admin';
  if (adminUsername.length > LOGIN_NAME_MAX) mistake('ADMIN_USERNAME', `darf höchstens ${LOGIN_NAME_MAX} Zeichen haben.`, null);
  const databaseUrl = text('DATABASE_URL');
  if (databaseUrl !== null && !/^postgres(ql)?:\/\/./.test(databaseUrl)) mistake('DATABASE_URL', 'muss mit postgres:// beginnen.', null);
  else if (databaseUrl !== null && !URL.canParse(databaseUrl)) mistake('DATABASE_URL', 'ist keine gültige Adresse.', null);

  const port = number('PORT', 8080, 1, 65_535);
  const metricsPort = text('METRICS_PORT') === null ? null : number('METRICS_PORT', 0, 1, 65_535);
  if (metricsPort === port) mistake('METRICS_PORT', 'muss ein anderer Port sein als PORT.', null);

  const business = readBusiness(text('BUSINESS_FILE'), mistakes);
  const config: Config = {
    port,
    host: text('HOST') ?? '0.0.0.0',
    publicUrl: publicUrl(text('PUBLIC_URL'), mistakes),
    dataDir: dataFolder(text('DATA_DIR') ?? './data', mistakes),
    databaseUrl,
    s3: storageUrl(text('STORAGE_URL'), env, mistakes),
    adminUsername,
    adminPassword,
    business: business as Business,
    defaultBusiness: text('BUSINESS_FILE') === null,
    demo: demo === 'on',
    trustProxy: trustProxy(text('TRUST_PROXY'), mistakes),
    maxUploadBytes: number('MAX_UPLOAD_MB', 50, 1, MAX_UPLOAD_MB) * MB,
    logLevel,
    metrics: metricsPort === null ? null : { port: metricsPort, host: text('METRICS_HOST') ?? '127.0.0.1' },
  };
  return mistakes.length > 0 || !business ? { mistakes } : { config };
}

function publicUrl(value: string | null, mistakes: string[]): string | null {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) mistakes.push('PUBLIC_URL: muss eine Adresse wie https://fotos.beispiel.de sein.');
  else if (url.pathname !== '/' || url.search || url.hash || url.username)
    mistakes.push('PUBLIC_URL: darf keinen Pfad und keine Zusätze haben.');
  return url?.origin ?? null;
}

/** A folder that can be written to, or can be made where it is. */
function dataFolder(value: string, mistakes: string[]): string {
  const folder = resolve(value);
  let there = folder;
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  try {
    if (!statSync(there).isDirectory()) mistakes.push(`DATA_DIR: ${there} ist kein Ordner.`);
    else accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    mistakes.push(`DATA_DIR: in ${there} darf Feierbild nicht schreiben.`);
  }
  return folder;
}

function storageUrl(value: string | null, env: Environment, mistakes: string[]): Config['s3'] {
  if (value === null) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || url.protocol !== 's3:' || !url.hostname) {
    mistakes.push('STORAGE_URL: muss wie s3://bucket/prefix?endpoint=…&region=… aussehen.');
    return null;
  }
  if (!env.AWS_ACCESS_KEY_ID !== !env.AWS_SECRET_ACCESS_KEY) {
    mistakes.push('AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY: gehören zusammen, eines fehlt.');
  }
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !(/^https?:\/\/./.test(endpoint) && URL.canParse(endpoint)))
    mistakes.push('STORAGE_URL: endpoint muss eine Adresse mit http:// oder https:// sein.');
  for (const name of url.searchParams.keys()) {
    if (name !== 'endpoint' && name !== 'region') mistakes.push(`STORAGE_URL: kennt „${name}“ nicht, nur endpoint und region.`);
  }
  const region = url.searchParams.get('region');
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return { bucket: url.hostname, prefix: prefix && `${prefix}/`, ...(endpoint && { endpoint }), ...(region && { region }) };
}

/** Comma-separated addresses or networks (10.0.0.0/8); everything else would trust strangers. */
function trustProxy(value: string | null, mistakes: string[]): string[] | false {
  if (value === null || value === 'off') return false;
  const proxies = value.split(',').map((part) => part.trim());
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address);
    const fits =
      family !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)));
    if (!fits && proxy !== 'loopback') mistakes.push(`TRUST_PROXY: „${proxy}“ ist keine Adresse und kein Netz wie 10.0.0.0/8.`);
  }
  return proxies;
}

function readBusiness(file: string | null, mistakes: string[]): Business | null {
  const path = file ?? DEFAULT_BUSINESS;
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    mistakes.push(`BUSINESS_FILE: ${path} ist nicht lesbar oder kein JSON (${(error as Error).message}).`);
    return null;
  }
  const result = Business.safeParse(json, { error: germanIssue });
  if (result.success) return result.data;
  for (const issue of result.error.issues) mistakes.push(`BUSINESS_FILE: „${issue.path.join('.') || path}“: ${issue.message}`);
  return null;
}
