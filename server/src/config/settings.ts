import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isLongEnough } from '@feierbild/contract/admin-password.ts';
import { ADMIN_PASSWORD_MIN, LOGIN_NAME_MAX, PASSWORD_MAX } from '@feierbild/contract/constants.ts';
import { z } from 'zod';
import { urlsOf } from '../lib/postgres-urls.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
/** Largest sensible upload: sealed format and decoders' memory are made for photographs. */
const MAX_UPLOAD_MB = 500;
/** Largest video: a device may have 2 GB of open uploads. */
const MAX_VIDEO_MB = 2000;

/** Adds a mistake, in German, to zod's own. */
type Mistakes = { issues: unknown[] };
const mistake = ({ issues }: Mistakes, message: string): never => {
  issues.push({ code: 'custom', message, input: undefined });
  return z.NEVER;
};

const integer = (lowest: number, highest: number) =>
  z.string().transform((value, context) => {
    const number = Number(value);
    const fits = /^\d+$/.test(value) && number >= lowest && number <= highest;
    return fits ? number : mistake(context, `muss eine ganze Zahl von ${lowest} bis ${highest} sein, nicht „${value}“.`);
  });

const port = integer(1, 65_535);

const publicUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return mistake(context, 'muss eine Adresse wie https://fotos.beispiel.de sein.');
  if (url.pathname !== '/' || url.search || url.hash || url.username) return mistake(context, 'darf keinen Pfad und keine Zusätze haben.');
  return url.origin;
});

/** Tells whether there is certainly no such file: behind a folder that may not be entered there may be one. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

/** A folder that is writable or can be created. */
const dataFolder = z.string().transform((value, context) => {
  const folder = resolve(value);
  // In a file of settings nothing stands for the user's own folder. An earlier version has made one of this name.
  if (/^[~$]/.test(value) && !existsSync(folder))
    return mistake(context, `nennen Sie den ganzen Pfad; „${value}“ wäre ein Ordner dieses Namens.`);
  let existing = folder;
  while (!existsSync(existing) && existing !== dirname(existing)) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) return mistake(context, `${existing} ist kein Ordner.`);
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'EROFS' ? ' Der Datenträger ist schreibgeschützt, oder in der systemd-Einheit fehlt ReadWritePaths=.' : '';
    const denied = `in ${existing} darf Feierbild nicht schreiben (${code}).${why}`;
    if (existing === folder || !isMissing(folder)) return mistake(context, denied);
    const make = `sudo install -d -o <Benutzer des Dienstes> -m 0700 ${folder}`;
    return mistake(context, `${folder} gibt es noch nicht, und ${denied} Legen Sie den Ordner an: ${make}`);
  }
  return folder;
});

/** A URL with one or several hosts, separated by commas as for libpq. */
const databaseUrl = z.string().transform((value, context) => {
  if (!/^postgres(ql)?:\/\/./.test(value)) return mistake(context, 'muss mit postgres:// beginnen.');
  return urlsOf(value).every((url) => URL.canParse(url)) ? value : mistake(context, 'ist keine gültige Adresse.');
});

const storageUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || url.protocol !== 's3:' || !url.hostname) return mistake(context, 'muss wie s3://bucket/prefix?endpoint=…&region=… aussehen.');
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams);
  if (endpoint !== undefined && !(/^https?:\/\/./.test(endpoint) && URL.canParse(endpoint)))
    mistake(context, 'endpoint muss eine Adresse mit http:// oder https:// sein.');
  for (const name of Object.keys(others)) mistake(context, `kennt „${name}“ nicht, nur endpoint und region.`);
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '');
  return { bucket: url.hostname, prefix: prefix && `${prefix}/`, ...(endpoint && { endpoint }), ...(region && { region }) };
});

/** Comma-separated addresses or networks (10.0.0.0/8); other values are refused, because they could trust any client. */
const trustProxy = z.string().transform((value, context): string[] | false => {
  if (value === 'off') return false;
  const proxies = value.split(',').map((part) => part.trim());
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIP(address);
    const fits =
      family !== 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)));
    if (!fits && proxy !== 'loopback') mistake(context, `„${proxy}“ ist keine Adresse und kein Netz wie 10.0.0.0/8.`);
  }
  return proxies;
});

/** No message repeats the address: it may contain a password. */
const smtpUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname || (url.pathname !== '/' && url.pathname !== '') || url.search || url.hash)
    return mistake(
      context,
      'muss wie smtps://benutzer:passwort@mail.beispiel.de oder smtp://benutzer:passwort@mail.beispiel.de:587 aussehen.',
    );
  // Port 465 is encrypted from the first byte: a plain greeting is never answered.
  if (url.protocol === 'smtp:' && url.port === '465') return mistake(context, 'braucht an Port 465 smtps:// statt smtp://.');
  let auth: { user: string; pass: string } | null;
  try {
    auth = url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : null;
  } catch {
    return mistake(context, 'enthält ein % ohne seine zwei Ziffern; ein % im Passwort heißt hier %25.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // Mail that does not leave this machine needs no certificate.
  const here = ['localhost', '127.0.0.1', '::1'].includes(host);
  const tls: 'always' | 'required' | 'none' = url.protocol === 'smtps:' ? 'always' : here ? 'none' : 'required';
  return { host, port: Number(url.port) || (tls === 'always' ? 465 : tls === 'none' ? 25 : 587), tls, ...(auth && { auth }) };
});

/** `Zeltverleih Süd <feier@zelt.example>`, or the address alone. */
const mailFrom = z.string().transform((value, context) => {
  const [, name = '', bracketed] = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/.exec(value) ?? [];
  const address = bracketed ?? value.trim();
  if (!z.email().safeParse(address).success || /\p{Cc}/u.test(value))
    return mistake(context, 'muss wie Zeltverleih Süd <feier@beispiel.de> aussehen.');
  return { name, address };
});

/** No message repeats the password. */
const adminPassword = z
  .string()
  .refine(isLongEnough, `braucht mindestens ${ADMIN_PASSWORD_MIN} Zeichen.`)
  .refine((value) => value.length <= PASSWORD_MAX, `darf höchstens ${PASSWORD_MAX} Zeichen haben.`);

/** An existing, readable folder. */
const pictureFolder = z.string().transform((value, context) => {
  const folder = resolve(value);
  try {
    readdirSync(folder);
  } catch {
    mistake(context, `${folder} ist kein Ordner, den Feierbild lesen darf.`);
  }
  return folder;
});

/** All settings, by name in the environment. */
export const Settings = z.object({
  PORT: port.default(8080),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: publicUrl.optional(),
  DATA_DIR: dataFolder.prefault('./data'),
  DATABASE_URL: databaseUrl.optional(),
  /** PostgreSQL without a pooler, for work that needs a session of its own. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** Connections to PostgreSQL. */
  DATABASE_POOL: integer(2, 1000).default(10),
  /** Longest statement of a request, seconds. */
  DATABASE_TIMEOUT: integer(1, 60).default(7),
  STORAGE_URL: storageUrl.optional(),
  NODE_EXTRA_CA_CERTS: z.string().optional(),
  /** Connections to the S3 store. */
  STORAGE_POOL: integer(2, 10_000).default(512),
  /** Longest call of the S3 store, seconds; uploads get more by their size. */
  STORAGE_TIMEOUT: integer(1, 600).default(30),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  ADMIN_USERNAME: z.string().max(LOGIN_NAME_MAX, `darf höchstens ${LOGIN_NAME_MAX} Zeichen haben.`).default('admin'),
  ADMIN_PASSWORD: adminPassword.optional(),
  BUSINESS_FILE: z.string().optional(),
  DEMO: z.enum(['on', 'off'], 'muss „on“ oder „off“ sein.').default('on'),
  DEMO_PHOTOS_DIR: pictureFolder.optional(),
  /** Mail server; without it no mail is sent. */
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailFrom.optional(),
  TRUST_PROXY: trustProxy.default(false),
  MAX_UPLOAD_MB: integer(1, MAX_UPLOAD_MB).default(50),
  MAX_VIDEO_MB: integer(1, MAX_VIDEO_MB).default(500),
  /** Uploads from their first byte to their answer. Each holds up to 300 KB, and half a megabyte while its bytes arrive. */
  UPLOADS_AT_ONCE: integer(16, 10_000).default(384),
  /** Free MB on the staging disk below which a node is not ready. Default: 4 times MAX_UPLOAD_MB. */
  STAGING_ROOM_MB: integer(1, 1_000_000).optional(),
  /** Allows webhooks into private networks, and without TLS. */
  WEBHOOK_PRIVATE: z.enum(['on', 'off'], 'muss „on“ oder „off“ sein.').default('off'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `muss einer von ${LOG_LEVELS.join(', ')} sein.`).default('info'),
  /** Name in the log and in the database's list of connections. */
  NODE_NAME: z
    .string()
    .regex(/^[\w.-]{1,50}$/, 'darf nur Buchstaben, Ziffern, Punkt, Binde- und Unterstrich haben, höchstens 50.')
    .default(() => hostname().slice(0, 50)),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** Processes for all formats except HEIC. Default: one a core, at least 2. */
  DECODERS: integer(1, 64).optional(),
  HEIC_DECODERS: integer(1, 16).default(1),
  DECODER_ISOLATION: z.enum(['required', 'best'], 'muss „required“ oder „best“ sein.').optional(),
  /** Seconds. */
  SHUTDOWN_DELAY: integer(0, 600).default(5),
  SHUTDOWN_TIMEOUT: integer(1, 3600).default(60),
});

export type SettingName = keyof typeof Settings.shape;

/** Secret settings; each may also be in the file named by NAME_FILE. */
export const SECRETS: readonly SettingName[] = [
  'ADMIN_PASSWORD',
  'SMTP_URL',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];
