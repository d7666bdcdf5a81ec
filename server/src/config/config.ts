import { isDeepStrictEqual } from 'node:util';
import { MB } from '@feierbild/contract/constants.ts';
import type { Business } from '@feierbild/contract/entities.ts';
import type { z } from 'zod';
import { readBusiness } from './business.ts';
import type { Environment } from './environment.ts';
import { KNOWN, misspelt, readSettings } from './read-settings.ts';
import { strayLines } from './settings-file.ts';
import { Settings } from './settings.ts';

/** Staging must have space for this many files of the largest size. */
const STAGED_UPLOADS = 4;

export interface Config {
  port: number;
  host: string;
  /** Without a slash at the end; null: from the request. */
  publicUrl: string | null;
  dataDir: string;
  /** PostgreSQL, or null for SQLite in dataDir. */
  databaseUrl: string | null;
  /** PostgreSQL without a pooler between; null: as databaseUrl. */
  databaseDirectUrl: string | null;
  /** Connections to PostgreSQL. */
  databasePool: number;
  /** Longest statement of a request, ms. */
  databaseTimeoutMs: number;
  /** S3, or null for a folder in dataDir. Without credentials the AWS client finds them. */
  s3: {
    bucket: string;
    prefix: string;
    endpoint?: string;
    region?: string;
    credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
    callMs: number;
    connections: number;
  } | null;
  adminUsername: string;
  /** Null: generate one. */
  adminPassword: string | null;
  business: Business;
  /** True while the fictitious business that ships is in use, or a copy of it. */
  defaultBusiness: boolean;
  demo: boolean;
  /** A folder with the operator's own pictures for the demo; null: the drawn ones. */
  demoPhotosDir: string | null;
  /** Addresses and networks of trusted proxies, or false. */
  trustProxy: string[] | false;
  maxUploadBytes: number;
  /** Of a video. */
  maxVideoBytes: number;
  /** Uploads in work. */
  uploadsAtOnce: number;
  /** Free bytes that staging must have, or this node is not ready. */
  stagingRoomBytes: number;
  logLevel: string;
  /** This node's name, in the log and in the database's list of connections. */
  nodeName: string;
  /** Where metrics are served, or null. */
  metrics: { port: number; host: string } | null;
  /** Decoder processes for all formats but HEIC; null: as many as the machine has cores, at least 2. */
  decoders: number | null;
  heicDecoders: number;
  /** `required`: the service does not start where decoders cannot be isolated. */
  decoderIsolation: 'required' | 'best';
  /** How long requests are still served after SIGTERM, ms. */
  shutdownDelayMs: number;
  /** How long running requests may then take to finish, ms. */
  shutdownTimeoutMs: number;
}

/**
 * Checks the settings, and the file that some of them come from. Returns the configuration with warnings, or one line for each
 * mistake. Reads the business file and the files of secrets, writes nothing.
 */
export function readConfig(env: Environment, file: string | null = null): { config: Config; warnings: string[] } | { mistakes: string[] } {
  const mistakes = file === null ? [] : strayLines(file, KNOWN);
  const warnings = misspelt(env);
  const given = readSettings(env, mistakes);
  const result = Settings.safeParse(given);
  for (const { path, message } of result.error?.issues ?? []) mistakes.push(`${path.join('.')}: ${message}`);
  if (given.METRICS_PORT !== undefined && given.METRICS_PORT === (given.PORT ?? '8080'))
    mistakes.push('METRICS_PORT: muss ein anderer Port sein als PORT.');
  if (given.STORAGE_URL && !given.AWS_ACCESS_KEY_ID !== !given.AWS_SECRET_ACCESS_KEY)
    mistakes.push('AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY: gehören zusammen, eines fehlt.');
  const business = readBusiness(given.BUSINESS_FILE, mistakes, warnings);
  if (!result.data || !business || mistakes.length > 0) return { mistakes };

  const settings = result.data;
  return {
    warnings,
    config: {
      port: settings.PORT,
      host: settings.HOST,
      publicUrl: settings.PUBLIC_URL ?? null,
      dataDir: settings.DATA_DIR,
      databaseUrl: settings.DATABASE_URL ?? null,
      databaseDirectUrl: settings.DATABASE_DIRECT_URL ?? null,
      databasePool: settings.DATABASE_POOL,
      databaseTimeoutMs: settings.DATABASE_TIMEOUT * 1000,
      s3: settings.STORAGE_URL
        ? {
            ...settings.STORAGE_URL,
            ...credentialsOf(settings),
            callMs: settings.STORAGE_TIMEOUT * 1000,
            connections: settings.STORAGE_POOL,
          }
        : null,
      adminUsername: settings.ADMIN_USERNAME,
      adminPassword: settings.ADMIN_PASSWORD ?? null,
      business,
      defaultBusiness: isDeepStrictEqual(business, readBusiness(undefined, [], [])),
      demo: settings.DEMO === 'on',
      demoPhotosDir: settings.DEMO_PHOTOS_DIR ?? null,
      trustProxy: settings.TRUST_PROXY,
      maxUploadBytes: settings.MAX_UPLOAD_MB * MB,
      maxVideoBytes: settings.MAX_VIDEO_MB * MB,
      uploadsAtOnce: settings.UPLOADS_AT_ONCE,
      stagingRoomBytes: (settings.STAGING_ROOM_MB ?? STAGED_UPLOADS * settings.MAX_UPLOAD_MB) * MB,
      logLevel: settings.LOG_LEVEL,
      nodeName: settings.NODE_NAME,
      metrics: settings.METRICS_PORT === undefined ? null : { port: settings.METRICS_PORT, host: settings.METRICS_HOST },
      decoders: settings.DECODERS ?? null,
      heicDecoders: settings.HEIC_DECODERS,
      decoderIsolation: settings.DECODER_ISOLATION ?? (settings.PUBLIC_URL?.startsWith('https:') ? 'required' : 'best'),
      shutdownDelayMs: settings.SHUTDOWN_DELAY * 1000,
      shutdownTimeoutMs: settings.SHUTDOWN_TIMEOUT * 1000,
    },
  };
}

function credentialsOf({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN }: z.output<typeof Settings>) {
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return {};
  return {
    credentials: {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    },
  };
}
