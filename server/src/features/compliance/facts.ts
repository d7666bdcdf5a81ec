import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Business } from '@feierbild/contract/calls/site.ts';
import { contract } from '@feierbild/contract/contract.ts';
import { EventForm } from '@feierbild/contract/entities.ts';
import { ADDRESSES_KEPT, DAY, HOUR, LOGIN_FAILURES, SESSIONS } from '@feierbild/contract/constants.ts';
import type { PaperSettings } from '@feierbild/contract/papers.ts';
import { sql } from 'kysely';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { TABLES } from '../../database/tables.ts';
import { shortAddress } from '../../lib/address.ts';
import { withDeadline } from '../../lib/deadline.ts';
import { Refusal } from '../../lib/errors.ts';
import { randomToken } from '../../lib/ids.ts';
import { VERSION } from '../../lib/release.ts';
import type { S3Options } from '../../storage/s3-client.ts';
import type { Admins } from '../admins/admins.ts';
import type { Backup, LastBackup } from '../backup/backup.ts';
import { deviceHash } from '../devices/devices.ts';
import type { Ground } from '../ground.ts';
import type { LastCheck } from '../integrity/integrity.ts';
import type { KeyAlarm } from '../key-alarm/key-alarm.ts';
import type { Limits } from '../limits/limits.ts';
import type { MailServer } from '../mail/smtp.ts';
import type { Retention } from '../retention/retention.ts';
import type { SettingsFeature } from '../settings/settings.ts';

/** A receipt is signed within the hour; one that is not after this time means that something of an event is still there. */
const UNSIGNED_MS = DAY;
/** What costs something to find out is asked anew after this time. */
const PROBE_MS = 10 * 60 * 1000;
/** The pages of the administration wait for the store's answer no longer. */
const STORE_MS = 3000;
/** A device that nobody has. */
const PROBE = randomToken();
const LOCAL = /^(localhost|127\.[\d.]+|\[?::1\]?|)$/;

export interface ComplianceParts extends Pick<Ground, 'db' | 'vault' | 'clock' | 'decoder'> {
  /** Of the configuration what papers speak of. */
  config: {
    publicUrl: string | null;
    databaseUrl: string | null;
    businessFile: Business | null;
    s3: S3Options | null;
    logLevel: string;
    mail: { server: MailServer } | null;
  };
  settings: Pick<SettingsFeature, 'get' | 'view' | 'save'>;
  site: { business(): Business };
  installation: { defaultBusiness(): boolean };
  admins: Pick<Admins, 'initialPasswordInUse' | 'list'>;
  backup: Pick<Backup, 'last'>;
  integrity: { last(): Promise<LastCheck | null> };
  retention: Pick<Retention, 'overdue' | 'lastDone'>;
  clockGuard: Pick<ClockGuard, 'check'>;
  keyAlarm: Pick<KeyAlarm, 'eventCodes'>;
  limits: Pick<Limits, 'serialized'>;
  /** What is known elsewhere, in place of what stands below; tests tell more. */
  told?: () => Partial<Known>;
  /** Another time, for tests. */
  probeMs?: number;
}

/** What axe found on which pages, as the release's tests have written it down. */
interface Accessible {
  release: string;
  axe: string;
  pages: Record<string, number>;
}
const ACCESSIBLE = JSON.parse(readFileSync(join(import.meta.dirname, 'axe-results.json'), 'utf8')) as Accessible;

/** What is known without asking anything. */
export interface Known {
  release: string;
  business: Business;
  fictitious: boolean;
  /** The operator's data come from a file, which has no history. */
  fromFile: boolean;
  form: PaperSettings;
  publicUrl: string | null;
  isolated: boolean;
  /** `host`: empty for SQLite. */
  database: { engine: 'sqlite' | 'postgres'; host: string; local: boolean };
  /** Null: a folder. */
  store: { host: string; bucket: string; region: string; https: boolean } | null;
  /** The host that mail goes through, `local` on this very machine; null: none is sent. */
  mail: { host: string; local: boolean; encrypted: boolean } | null;
  /** All administrators need one: who has none can do nothing but set one up. */
  secondFactor: boolean;
  logLevel: string;
  accessible: Accessible;
  /** Names of tables and calls. */
  names: string[];
  /** What an event is that somebody gave nothing but a title and days. */
  newEvent: Pick<EventForm, 'with_videos'>;
}

/** What only the database, the store or a try says. */
export interface Found {
  lastBackup: LastBackup | null;
  lastCheck: LastCheck | null;
  /** When a run of the hourly deletion last did all that was due; null: never. */
  lastCleaning: number | null;
  overdue: number;
  clockRight: boolean;
  unsigned: number;
  loginLogged: boolean;
  longAddresses: number;
  initialPassword: boolean;
  /** How many administrators there are, and have a second factor. */
  admins: { all: number; secured: number };
  tampered: string[];
  /** Whether each change of what was typed is there, with who made it. */
  historyKept: boolean;
  /** How the gallery of a new event is, as the database has it: SQL. */
  newGallery: string;
  /** Addresses that are told what happens, of active webhooks. */
  webhooks: string[];
  databaseEncrypted: boolean;
  nodes: number;
  now: number;
  probes: Probes;
}

interface Probes {
  /** What was sealed opens, what was changed does not; and the head of a password's verifier. */
  sealed: boolean;
  /** A device has another hash in each event. */
  apart: boolean;
  verifier: string;
  limited: boolean;
  versioning: 'off' | 'on' | 'suspended' | 'unknown';
}

/** What a check may ask. */
export interface Facts extends Known {
  found(): Promise<Found>;
}

/** Finds out what the papers speak of; `viewer` is the administrator who looks. */
export function createFacts(parts: ComplianceParts) {
  const { config, db, vault, clock, limits } = parts;
  const { kysely } = db;
  let probed: { at: number; probes: Promise<Probes> } | null = null;

  function known(): Known {
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
      isolated: parts.decoder.isolated,
      database: { engine: db.engine, host: hosts.join(', '), local: hosts.every((one) => LOCAL.test(one)) },
      store: s3 && endpoint && { host: endpoint.host, bucket: s3.bucket, region: s3.region ?? '', https: endpoint.protocol === 'https:' },
      mail: config.mail && {
        host: config.mail.server.host,
        local: config.mail.server.tls === 'none',
        encrypted: config.mail.server.tls !== 'none',
      },
      secondFactor: parts.settings.get('access')?.secondFactor ?? false,
      logLevel: config.logLevel,
      accessible: ACCESSIBLE,
      names: [...Object.keys(TABLES), ...Object.keys(contract)],
      newEvent: EventForm.parse({ title: 'probe', start_date: '2026-01-01', end_date: '2026-01-01' }),
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
    // A run every hour shortens them.
    const rows = kysely
      .selectFrom('audit')
      .select('address')
      .distinct()
      .where('at', '<=', now - ADDRESSES_KEPT - 2 * HOUR);
    const addresses = await rows.where('address', 'is not', null).$narrowType<{ address: string }>().execute();
    return addresses.filter(({ address }) => shortAddress(address) !== address).length;
  }

  /** Whether the login by which the viewer is here is in the audit log: sessions live no longer than its entries were looked for. */
  async function loginLogged(viewer: string, now: number): Promise<boolean> {
    const entries = kysely.selectFrom('audit').select('id').where('actor', '=', `admin:${viewer}`).where('action', '=', 'admin.login');
    return (await entries.where('at', '>', now - SESSIONS.admin.longest - HOUR).executeTakeFirst()) !== undefined;
  }

  async function find(viewer: string): Promise<Found> {
    const now = clock.now();
    const admins = await parts.admins.list();
    if (!probed || performance.now() - probed.at > (parts.probeMs ?? PROBE_MS)) probed = { at: performance.now(), probes: probe() };
    // A failed one is not kept.
    const { probes } = probed;
    probes.catch(() => void (probed = null));
    return {
      now,
      lastBackup: await parts.backup.last(),
      lastCheck: await parts.integrity.last(),
      lastCleaning: await parts.retention.lastDone(),
      overdue: await parts.retention.overdue(),
      clockRight: await parts.clockGuard.check(),
      unsigned: await unsigned(now),
      loginLogged: await loginLogged(viewer, now),
      longAddresses: await longAddresses(now),
      initialPassword: await parts.admins.initialPasswordInUse(),
      admins: { all: admins.length, secured: admins.filter(({ secured }) => secured).length },
      tampered: await parts.keyAlarm.eventCodes(),
      historyKept: await historyKept(),
      webhooks: (await kysely.selectFrom('webhooks').select('url').where('active', '=', 1).execute()).map(({ url }) => url),
      newGallery: await newGallery(),
      databaseEncrypted: await databaseEncrypted(),
      nodes: await nodes(),
      probes: await probes,
    };
  }

  async function historyKept(): Promise<boolean> {
    const { version, versions } = await parts.settings.view('papers');
    return (versions[0]?.version ?? 0) === version;
  }

  async function newGallery(): Promise<string> {
    const columns =
      db.engine === 'sqlite'
        ? sql<{ preset: string }>`select dflt_value as preset from pragma_table_info('events') where name = 'gallery_mode'`
        : sql<{ preset: string }>`select column_default as preset from information_schema.columns
            where table_schema = current_schema() and table_name = 'events' and column_name = 'gallery_mode'`;
    return (await columns.execute(kysely)).rows[0]?.preset ?? '';
  }

  async function databaseEncrypted(): Promise<boolean> {
    if (db.engine === 'sqlite') return true;
    const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(kysely);
    return rows[0]?.ssl === true;
  }

  /** Processes that serve, by the names that their connections have. */
  async function nodes(): Promise<number> {
    if (db.engine === 'sqlite') return 1;
    const { rows } = await sql<{ n: number }>`select count(distinct application_name) as n from pg_stat_activity
      where datname = current_database() and application_name like 'feierbild%'`.execute(kysely);
    return Number(rows[0]?.n);
  }

  async function probe(): Promise<Probes> {
    return {
      sealed: seals(),
      apart: !Buffer.from(deviceHash(vault, PROBE, 'one')).equals(deviceHash(vault, PROBE, 'other')),
      verifier: (await vault.createVerifier(randomToken())).split('$').slice(0, 4).join('$'),
      limited: await limitsHold(),
      versioning: await versioning(),
    };
  }

  function seals(): boolean {
    const { publicKey, privateKey } = vault.createKeyPair();
    const sealed = Buffer.from(vault.seal(publicKey, Buffer.from('probe'), 'papers'));
    const opened = Buffer.from(vault.open(privateKey, sealed, 'papers')).toString() === 'probe' && !sealed.includes('probe');
    sealed[sealed.length - 1]! ^= 1;
    try {
      vault.open(privateKey, sealed, 'papers');
      return false;
    } catch {
      return opened;
    }
  }

  /** Tries wrong passwords for a name that nobody has, until it is refused. */
  async function limitsHold(): Promise<boolean> {
    const name = randomToken();
    const wrong = async (): Promise<boolean> =>
      limits
        .serialized('login', ['papers', name], async (attempt) => attempt.failed())
        .then(
          () => false,
          (error: unknown) => error instanceof Refusal && error.code === 'too_many_attempts',
        );
    for (let n = 0; n < LOGIN_FAILURES.count; n++) if (await wrong()) return false;
    return wrong();
  }

  async function versioning(): Promise<Probes['versioning']> {
    if (!config.s3) return 'off';
    const { bucketVersioning } = await import('../../storage/s3-client.ts');
    return withDeadline(bucketVersioning(config.s3), STORE_MS, 'the bucket').catch(() => 'unknown' as const);
  }

  return {
    known,
    /** What checks may ask, for an administrator; what is found out is found out once. */
    factsFor(viewer: string): Facts {
      let found: Promise<Found> | undefined;
      return { ...known(), found: () => (found ??= find(viewer)) };
    },
  };
}
