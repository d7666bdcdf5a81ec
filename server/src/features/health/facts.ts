import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Business } from '@feierbild/contract/calls/site.ts';
import { ADDRESSES_KEPT, DAY, HOUR, SESSIONS } from '@feierbild/contract/constants.ts';
import type { PaperSettings } from '@feierbild/contract/papers.ts';
import { sql } from 'kysely';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { COMMANDS, OURS } from '../../database/node-names.ts';
import type { IsolationFault } from '../../images/sandbox.ts';
import { shortAddress } from '../../lib/address.ts';
import { CLOCK_SKEW_MS } from '../../lib/clock.ts';
import { VERSION } from '../../lib/software.ts';
import type { S3Options } from '../../storage/s3-client.ts';
import type { Admins } from '../admins/admins.ts';
import type { Backup, LastBackup } from '../backup/backup.ts';
import type { Context } from '../context.ts';
import type { LastCheck } from '../integrity/integrity.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { MailServers } from '../mail/mail-server.ts';
import type { MailServer } from '../mail/smtp.ts';
import type { Retention } from '../retention/retention.ts';
import type { SettingsFeature } from '../settings/settings.ts';
import type { Uploads } from '../uploads/uploads.ts';
import { createVersioning, type Versioning } from './versioning.ts';

/** Age after which a missing signature is an error: receipts are signed within the hour, unless something of the event is still there. */
const UNSIGNED_MS = DAY;
const LOCAL = /^(localhost|127\.[\d.]+|\[?::1\]?|)$/;

export interface HealthDeps extends Pick<Context, 'db' | 'clock' | 'decoder'> {
  /** The part of the configuration that is judged. */
  config: {
    dataDir: string;
    publicUrl: string | null;
    databaseUrl: string | null;
    businessFile: Business | null;
    s3: S3Options | null;
    logLevel: string;
  };
  mailServers: Pick<MailServers, 'inForce'>;
  settings: Pick<SettingsFeature, 'get' | 'view'>;
  site: { business(): Business };
  installation: { defaultBusiness(): boolean; freeBytes(): Promise<number>; leftBehind(): Promise<string[]> };
  admins: Pick<Admins, 'initialPasswordInUse' | 'list'>;
  backup: Pick<Backup, 'last'>;
  integrity: { last(): Promise<LastCheck | null> };
  retention: Pick<Retention, 'overdue' | 'lastDone'>;
  clockGuard: Pick<ClockGuard, 'check'>;
  keyAlarm: Pick<KeyAlarm, 'eventCodes'>;
  uploads: { resumable: Pick<Uploads['resumable'], 'list'> };
  /** Values that the caller knows already, in place of the measured ones; tests use it, too. */
  told?: () => Partial<Known>;
}

/** Findings of axe by page, written by the release's tests. */
interface Accessible {
  release: string;
  axe: string;
  pages: Record<string, number>;
}
const ACCESSIBLE = JSON.parse(readFileSync(join(import.meta.dirname, '../compliance/axe-results.json'), 'utf8')) as Accessible;

/** The facts that need no request. */
export interface Known {
  release: string;
  business: Business;
  fictitious: boolean;
  /** True if the operator's data come from a file, which has no history. */
  fromFile: boolean;
  form: PaperSettings;
  publicUrl: string | null;
  /** Null if the decoders are isolated. */
  isolationFault: Pick<IsolationFault, 'cause' | 'remedy'> | null;
  /** `host` is empty for SQLite. */
  database: { engine: 'sqlite' | 'postgres'; host: string; local: boolean };
  /** Null for a folder. */
  store: { host: string; bucket: string; region: string; https: boolean } | null;
  /** The mail server's host, `local` if on this very machine; null if no mail is sent. */
  mail: { host: string; local: boolean; encrypted: boolean } | null;
  /** True if all administrators must have a second factor: without one, an administrator can only set one up. */
  secondFactor: boolean;
  logLevel: string;
  accessible: Accessible;
}

/** The facts that need the database or the store; each is read when it is first asked for, and then kept. */
export interface Readings {
  lastBackup(): Promise<LastBackup | null>;
  lastCheck(): Promise<LastCheck | null>;
  /** When a run of the hourly deletion last did everything that was due, ms since 1970; null if never. */
  lastCleaning(): Promise<number | null>;
  /** Number of events that should have been deleted a day ago. */
  overdue(): Promise<number>;
  clockRight(): Promise<boolean>;
  /** Number of deletions without a receipt after a day. */
  unsigned(): Promise<number>;
  /** Whether the audit log contains the beginning of the viewer's session. */
  loginLogged(): Promise<boolean>;
  /** Number of addresses that are still whole after their time. */
  longAddresses(): Promise<number>;
  initialPassword(): Promise<boolean>;
  /** Number of administrators, and of those with a second factor. */
  admins(): Promise<{ all: number; secured: number }>;
  /** Codes of events whose keys were changed. */
  tampered(): Promise<string[]>;
  /** Whether the history of the form contains each change with its author. */
  historyKept(): Promise<boolean>;
  /** The addresses of active webhooks. */
  webhooks(): Promise<string[]>;
  databaseEncrypted(): Promise<boolean>;
  nodes(): Promise<number>;
  /** Free bytes, and the folder on whose disk they are. */
  disk(): Promise<{ free: number; folder: string }>;
  /** Places of photos and keys that this service used before. */
  leftBehind(): Promise<string[]>;
  openUploads(): Promise<Awaited<ReturnType<Uploads['resumable']['list']>>>;
  versioning(): Promise<Versioning>;
}

/** The facts that a question may use. */
export interface Facts extends Known {
  now: number;
  read: Readings;
}

export type Health = ReturnType<typeof createHealth>;

/** Creates the facts by which an installation's health is judged (`health.ts`). */
export function createHealth(parts: HealthDeps) {
  const { config, db, clock } = parts;
  const { kysely } = db;
  const versioning = createVersioning(config.s3);

  /** Returns the facts that need no request. `mail` is null if none is sent, or if the caller does not need it. */
  function known(mail: MailServer | null): Known {
    const host = /^[^:]+:\/\/(?:[^/?#]*@)?([^/?#]*)/.exec(config.databaseUrl ?? '')?.[1] ?? '';
    const hosts = host.split(',').map((one) => one.replace(/:\d+$/, ''));
    const { s3 } = config;
    const endpoint = s3 && new URL(s3.endpoint ?? `https://s3.${s3.region ?? 'us-east-1'}.amazonaws.com`);
    return {
      release: VERSION,
      business: parts.site.business(),
      fictitious: parts.installation.defaultBusiness(),
      fromFile: config.businessFile !== null,
      form: parts.settings.get('papers') ?? {},
      publicUrl: config.publicUrl,
      isolationFault: parts.decoder.isolationFault,
      database: { engine: db.engine, host: hosts.join(', '), local: hosts.every((one) => LOCAL.test(one)) },
      store: s3 && endpoint && { host: endpoint.host, bucket: s3.bucket, region: s3.region ?? '', https: endpoint.protocol === 'https:' },
      mail: mail ? { host: mail.host, local: mail.tls === 'none', encrypted: mail.tls !== 'none' } : null,
      secondFactor: parts.settings.get('access')?.secondFactor ?? false,
      logLevel: config.logLevel,
      accessible: ACCESSIBLE,
      ...parts.told?.(),
    };
  }

  async function unsigned(now: number): Promise<number> {
    const rows = kysely.selectFrom('receipts').select(({ fn }) => fn.countAll<number>().as('n'));
    const { n } = await rows
      .where('signature', 'is', null)
      .where('begun_at', '<=', now - UNSIGNED_MS)
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  async function longAddresses(now: number): Promise<number> {
    // An hourly run shortens the addresses.
    const rows = kysely
      .selectFrom('audit')
      .select('address')
      .distinct()
      .where((is) => is.not(is.between('at', now - ADDRESSES_KEPT - 2 * HOUR + 1, now + CLOCK_SKEW_MS)));
    const addresses = await rows.where('address', 'is not', null).$narrowType<{ address: string }>().execute();
    return addresses.filter(({ address }) => shortAddress(address) !== address).length;
  }

  /** Searches the time in which a living session may have begun. A changed password begins one, too. */
  async function loginLogged(viewer: string, now: number): Promise<boolean> {
    const entries = kysely.selectFrom('audit').select('id').where('actor', '=', `admin:${viewer}`);
    const begun = entries.where('action', 'in', ['admin.login', 'admin.password']);
    return (await begun.where('at', '>', now - SESSIONS.admin.longest - HOUR).executeTakeFirst()) !== undefined;
  }

  async function historyKept(): Promise<boolean> {
    const { version, versions } = await parts.settings.view('papers');
    return (versions[0]?.version ?? 0) === version;
  }

  async function databaseEncrypted(): Promise<boolean> {
    if (db.engine === 'sqlite') return true;
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(kysely);
    return rows[0]?.ssl === true;
  }

  /** Counts the serving processes by the names of their connections; commands do not count. */
  async function nodes(): Promise<number> {
    if (db.engine === 'sqlite') return 1;
    const { rows } = await sql<{ n: number }>`select count(distinct application_name) as n from pg_stat_activity
      where datname = current_database() and application_name like ${`${OURS}%`}
        and application_name not like ${`${COMMANDS}%`}`.execute(kysely);
    return Number(rows[0]?.n);
  }

  /** Returns the readings; `viewer` is the administrator who asks. */
  function readings(viewer: string, now: number): Readings {
    return eachOnce<Readings>({
      lastBackup: parts.backup.last,
      lastCheck: parts.integrity.last,
      lastCleaning: parts.retention.lastDone,
      overdue: parts.retention.overdue,
      clockRight: parts.clockGuard.check,
      unsigned: () => unsigned(now),
      loginLogged: () => loginLogged(viewer, now),
      longAddresses: () => longAddresses(now),
      initialPassword: parts.admins.initialPasswordInUse,
      async admins() {
        const admins = await parts.admins.list();
        return { all: admins.length, secured: admins.filter(({ secured }) => secured).length };
      },
      tampered: parts.keyAlarm.eventCodes,
      historyKept,
      webhooks: async () => (await kysely.selectFrom('webhooks').select('url').where('active', '=', 1).execute()).map(({ url }) => url),
      databaseEncrypted,
      nodes,
      disk: async () => ({ free: await parts.installation.freeBytes(), folder: config.dataDir }),
      leftBehind: parts.installation.leftBehind,
      openUploads: parts.uploads.resumable.list,
      versioning,
    });
  }

  function facts(mail: MailServer | null = null, viewer = ''): Facts {
    const now = clock.now();
    return { ...known(mail), now, read: readings(viewer, now) };
  }

  return {
    /** Returns the facts without a request to the database; `mail` is the mail server in force. */
    facts,
    /** Returns the facts for an administrator, with the mail server in force. */
    factsFor: async (viewer: string): Promise<Facts> => facts((await parts.mailServers.inForce())?.server, viewer),
  };
}

function eachOnce<T extends { [K in keyof T]: () => Promise<unknown> }>(readers: T): T {
  const read = new Map<string, Promise<unknown>>();
  const once = ([name, reader]: [string, () => Promise<unknown>]) => {
    const known = (): Promise<unknown> => {
      const reading = read.get(name) ?? reader();
      read.set(name, reading);
      return reading;
    };
    return [name, known];
  };
  return Object.fromEntries(Object.entries<() => Promise<unknown>>(readers).map(once)) as T;
}
