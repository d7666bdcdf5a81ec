import { berlinTime } from '@feierbild/contract/berlin.ts';
import { RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { latestPurgeDue } from '@feierbild/contract/event-status.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { withLease } from '../../database/leases.ts';
import type { Db } from '../../database/open.ts';
import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Audit } from '../audit/audit.ts';
import type { Limits } from '../limits/limits.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Selections } from '../archive/selections.ts';
import type { Events } from '../events/events.ts';
import type { Links } from '../links/links.ts';
import type { Reports } from '../reports/reports.ts';
import type { Janitor } from '../integrity/janitor.ts';
import { createRetentionStore } from './retention.store.ts';

const HOUR = 60 * 60 * 1000;
const MINUTE = 60 * 1000;
/** A node that crashed in a run keeps the others waiting so long, ms. */
const LEASE = 5 * MINUTE;
/** How long keys of deleted photos, links and sessions may stay in SQLite's log. */
const ERASE_MS = MINUTE;
/** The hours of a day in Berlin in which hardly anybody celebrates any more. */
const NIGHT = ['03', '04', '05'];

interface Parts {
  db: Db;
  clock: Clock;
  clockGuard: Pick<ClockGuard, 'check'>;
  log: Log;
  events: Pick<Events, 'purge'>;
  sessions: Pick<Sessions, 'endExpired'>;
  links: Pick<Links, 'endExpired'>;
  selections: Pick<Selections, 'endExpired'>;
  limits: Pick<Limits, 'prune'>;
  audit: Pick<Audit, 'forget'>;
  reports: Pick<Reports, 'forget'>;
  janitor: Janitor;
  /** From one run's end to the next, ms. */
  interval?: number;
  /** Another ERASE_MS, for tests. */
  eraseMs?: number;
}

/** What a run did; it is filled as the run goes on. */
export interface RetentionReport {
  purgedEvents: number;
  /** Steps (or purges) that failed and are tried again by the next run. */
  failures: number;
  /** The clock leapt: nothing was deleted. */
  clockLeapt: boolean;
}

export function newReport(): RetentionReport {
  return { purgedEvents: 0, failures: 0, clockLeapt: false };
}

export interface Retention {
  /** Runs now, and every hour, until closed. */
  start(): void;
  /**
   * Everything whose time is over goes, once among all nodes; false where another one is at it. Idempotent. What others would
   * notice waits for the night, unless `thorough`.
   */
  run(report?: RetentionReport, options?: { thorough?: boolean }): Promise<boolean>;
  /** When this process last ran it to the end without a failure, ms since 1970; null: not yet. */
  lastSuccess(): number | null;
  /** Waits for the step that is running; the rest is left to the next run. */
  close(): Promise<void>;
}

/** What is kept for a time only: photos 30 days, addresses 7 days, records 12 months, sessions and failures as they expire. */
export function createRetention({
  db,
  clock,
  clockGuard,
  log,
  events,
  sessions,
  links,
  selections,
  limits,
  audit,
  reports,
  janitor,
  interval = HOUR,
  eraseMs = ERASE_MS,
}: Parts): Retention {
  const store = createRetentionStore(db);
  const holder = uuidv7(clock.now());
  let closed = false;
  let succeeded: number | null = null;
  let clockLeapt = false;
  let timer: NodeJS.Timeout | undefined;
  let erasing: NodeJS.Timeout | undefined;
  let ticking: Promise<void> | undefined;

  /** One failure never stops the rest: what failed is tried again by the next run. */
  async function attempt(facts: object, report: RetentionReport, work: () => Promise<unknown>): Promise<void> {
    if (closed) return;
    try {
      await work();
    } catch (error) {
      report.failures++;
      log.error({ ...facts, err: error }, 'retention failed');
    }
  }

  /** „Dauerhaft aktiv“ lets guests in for longer, but keeps no photo: the end date alone counts. */
  async function purgeDueEvents(report: RetentionReport): Promise<void> {
    const now = clock.now();
    await store.markDue(latestPurgeDue(now), now);
    for (const { id } of await store.unfinished()) {
      await attempt({ event: id }, report, async () => {
        if (!(await events.purge(id))) return;
        report.purgedEvents++;
        log.info({ event: id }, 'event purged');
      });
    }
  }

  /** Said once each time, not with each run. */
  async function checkClock(report: RetentionReport): Promise<void> {
    report.clockLeapt = !(await clockGuard.check());
    if (report.clockLeapt && !clockLeapt)
      log.error({ step: 'clock' }, 'the clock leapt: nothing is deleted until an operator confirms it in /admin');
    if (!report.clockLeapt && clockLeapt) log.info({ step: 'clock' }, 'the clock is right: what is due is deleted again');
    clockLeapt = report.clockLeapt;
  }

  const steps: Record<string, (report: RetentionReport, thorough: boolean) => Promise<void>> = {
    events: purgeDueEvents,
    sessions: () => sessions.endExpired(),
    links: () => links.endExpired(),
    selections: () => selections.endExpired(),
    records: () => store.removePurged(clock.now() - RECORDS_KEPT),
    audit: () => audit.forget(),
    reports: () => reports.forget(),
    failures: () => limits.prune(),
    sweep: async (_, thorough) => {
      const removed = thorough ? await janitor.sweep() : 0;
      if (removed > 0) log.info({ removed }, 'orphans removed');
    },
    // Last: also what other calls have deleted since the last run (a host's old key, a session) leaves the files.
    wipe: (_, thorough) => db.wipe({ night: thorough }),
  };

  async function run(report = newReport(), { thorough = isNight(clock.now()) }: { thorough?: boolean } = {}): Promise<boolean> {
    const ran = await withLease({ db, clock }, { name: 'retention', holder, duration: LEASE }, async () => {
      await attempt({ step: 'clock' }, report, () => checkClock(report));
      // By a clock that leapt, or with a database that does not answer, nothing is deleted.
      if (report.clockLeapt || report.failures > 0) return true;
      for (const [step, work] of Object.entries(steps)) await attempt({ step }, report, () => work(report, thorough));
      if (!closed && report.failures === 0) succeeded = clock.now();
      return true;
    });
    return ran ?? false;
  }

  async function tick(): Promise<void> {
    let ran = false;
    await attempt({}, newReport(), async () => (ran = await run()));
    // Where another node was at it, or crashed in it, the next look comes when its lease is over.
    const pause = ran ? interval : Math.min(interval, LEASE);
    if (!closed) timer = setTimeout(() => (ticking = tick()), pause);
  }

  return {
    start() {
      ticking = tick();
      erasing = setInterval(() => void db.eraseDeleted(), eraseMs);
    },
    run,
    lastSuccess: () => succeeded,
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(erasing);
      await ticking;
    },
  };
}

function isNight(instant: number): boolean {
  return NIGHT.includes(berlinTime(instant).slice(11, 13));
}
