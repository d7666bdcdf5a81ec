import { berlinTime } from '@feierbild/contract/berlin.ts';
import { DAY, HOUR, MINUTE, RECORDS_KEPT } from '@feierbild/contract/constants.ts';
import { latestPurgeDue } from '@feierbild/contract/event-status.ts';
import { pruneChanges } from '../../database/changes.ts';
import type { ClockGuard } from '../../database/clock-guard.ts';
import { shortenAhead } from '../../database/expiry.ts';
import { withLease } from '../../database/leases.ts';
import { readSetting, writeSetting } from '../../database/settings.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { Context } from '../context.ts';
import { every, type Loop } from '../../lib/every.ts';
import { instantText } from '../../lib/german.ts';
import type { Mail } from '../mail/mail.ts';
import type { Events } from '../events/events.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { Renewal } from '../photo-keys/renewal.ts';
import type { Janitor } from '../integrity/janitor.ts';

/** After this time other nodes may take over from a node that crashed during a run. */
const LEASE_MS = 5 * MINUTE;
/**
 * In one run, removing the blobs of one event may take PURGE_PART_MS, and those of all events PURGE_PARTS times as long. If blobs are left
 * after that, the next run begins after LEASE_MS instead of an hour.
 */
const PURGE_PART_MS = 10 * MINUTE;
const PURGE_PARTS = 3;
/** How long expired codes may stay, and keys of deleted photos, links and sessions in SQLite's log. */
const ERASE_MS = MINUTE;
/** The hours in Berlin with the least traffic. */
const NIGHT_HOURS = ['03', '04', '05'];
/** The setting with the time of the last run on any node that did every step. */
const DONE = 'last_cleaning';

/** A feature whose rows expire. */
interface Expiring {
  endExpired(signal?: AbortSignal): Promise<unknown>;
}

interface Deps
  extends
    Pick<Context, 'db' | 'clock' | 'log' | 'ending' | 'sealedMetadata'>,
    Record<'sessions' | 'links' | 'selections' | 'idempotency' | 'wall', Expiring> {
  clockGuard: Pick<ClockGuard, 'check' | 'refusedAt' | 'isBehind'>;
  events: Pick<Events, 'purgeRows' | 'purgeBytes'>;
  limits: { prune(): Promise<unknown> };
  audit: { forget(signal: AbortSignal): Promise<unknown> };
  reports: { forget(): Promise<unknown> };
  outbox: { forget(): Promise<unknown> };
  mail: Pick<Mail, 'toOperator'>;
  dueMail: { write(): Promise<unknown> };
  grants: Expiring;
  uploads: { resumable: Expiring };
  janitor: Janitor;
  renewal: Renewal;
  receipts: Pick<Receipts, 'wiping' | 'signDue'>;
  /** Time from the end of a run to the next one, ms. */
  interval?: number;
  /** Values for tests, in place of the constants. */
  eraseMs?: number;
  leaseMs?: number;
  purgePartMs?: number;
}

/** The result of a run; filled in while it runs. */
export function newReport() {
  return {
    purgedEvents: 0,
    /** Events whose blobs were not all removed in the time of a run. */
    unfinishedEvents: 0,
    /** Number of steps (or purges) that failed; the next run repeats them. */
    failures: 0,
    /** The clock jumped ahead, so nothing was deleted. */
    clockLeapt: false,
  };
}
export type RetentionReport = ReturnType<typeof newReport>;

/** The options of the current run. */
interface Run {
  /** Also do the steps that slow down other requests: at night, or when `maintain` asks. */
  thorough: boolean;
  /** `maintain` waits for this run: purge and sweep have no time limit. */
  asked: boolean;
  /** Aborted when another node may have begun, or the process ends. */
  signal: AbortSignal;
}

export type Retention = ReturnType<typeof createRetention>;

/** Deletes data after its time limit: photos 30 days, addresses 7 days, records 12 months, sessions and failures when they expire. */
export function createRetention(parts: Deps) {
  const { db, clock, log, events, janitor, ending } = parts;
  const { interval = HOUR, eraseMs = ERASE_MS, leaseMs = LEASE_MS, purgePartMs = PURGE_PART_MS } = parts;
  const regularly = Math.max(0, interval - leaseMs);
  const retryMs = Math.min(interval, leaseMs);
  const holder = uuidv7(clock.now());
  let succeeded: number | null = null;
  let clockLeapt = false;
  /** Whether the next run may begin although another node has just run. */
  let atOnce = db.engine === 'sqlite';
  let loop: Loop | undefined;

  /** Runs a step and tells whether it succeeded. A failure does not stop the other steps; the next run repeats it. */
  async function attempt(fields: object, report: RetentionReport, work: () => Promise<unknown>, signal?: AbortSignal): Promise<boolean> {
    if (ending.aborted || signal?.aborted) return false;
    try {
      await work();
      return true;
    } catch (error) {
      if (ending.aborted) return false;
      report.failures++;
      log.error({ ...fields, err: error }, 'retention failed');
      return false;
    }
  }

  /**
   * Purges the events that are due. Only the end date counts: „Dauerhaft aktiv“ extends the access of guests, but not the storage of
   * photos. The keys of all events go first: the bytes of a large one may take long.
   */
  async function purgeDueEvents(report: RetentionReport, { signal, asked }: Run): Promise<void> {
    const now = clock.now();
    // From now on these events accept no uploads or changes.
    const marked = db.kysely.updateTable('events').set({ purging_at: now }).where('end_date', '<=', latestPurgeDue(now));
    await marked.where('purging_at', 'is', null).execute();
    const unfinished = db.kysely.selectFrom('events').select('id').where('purging_at', 'is not', null).where('purged_at', 'is', null);
    const due = await unfinished.orderBy('purging_at').orderBy('id').execute();
    const begun: string[] = [];
    for (const { id } of due) if (await attempt({ event: id }, report, () => events.purgeRows(id, signal), signal)) begun.push(id);
    const timeOfAll = asked ? null : AbortSignal.timeout(PURGE_PARTS * purgePartMs);
    for (const id of begun) {
      if (timeOfAll?.aborted) report.unfinishedEvents++;
      else await attempt({ event: id }, report, () => purgeSome(id, report, signal, timeOfAll), signal);
    }
  }

  /** Purges an event's bytes; takes some minutes at most, unless `timeOfAll` is null. */
  async function purgeSome(id: string, report: RetentionReport, signal: AbortSignal, timeOfAll: AbortSignal | null): Promise<void> {
    const time = timeOfAll && AbortSignal.any([timeOfAll, AbortSignal.timeout(purgePartMs)]);
    try {
      if (!(await events.purgeBytes(id, time ? AbortSignal.any([signal, time]) : signal))) return;
    } catch (error) {
      if (!time?.aborted || error !== time.reason) throw error;
      report.unfinishedEvents++;
      return log.info({ event: id }, 'the purge goes on in the next run');
    }
    report.purgedEvents++;
    log.info({ event: id }, 'event purged');
  }

  /** Logs a jump of the clock once, not with each run. */
  async function checkClock(report: RetentionReport): Promise<void> {
    report.clockLeapt = !(await parts.clockGuard.check());
    if (report.clockLeapt && !clockLeapt) {
      log.error({ step: 'clock' }, 'the clock leapt: nothing is deleted until an operator confirms it in /admin');
      const at = (await parts.clockGuard.refusedAt()) ?? clock.now();
      await parts.mail.toOperator('clock', { zeit: instantText(at) }, { once: `clock:${at}` });
    }
    if (!report.clockLeapt && clockLeapt) log.info({ step: 'clock' }, 'the clock is right: what is due is deleted again');
    clockLeapt = report.clockLeapt;
  }

  async function logRemoved(removing: Promise<number>): Promise<void> {
    const removed = await removing;
    if (removed > 0) log.info({ removed }, 'orphans removed');
  }

  const steps: Record<string, (report: RetentionReport, run: Run) => Promise<unknown>> = {
    // Mails that warn of a deletion are written before it.
    mail: () => parts.dueMail.write(),
    events: purgeDueEvents,
    // On a clock that is behind, all that is right would seem to end too late.
    ahead: async () => (await parts.clockGuard.isBehind()) || shortenAhead(db.kysely, clock.now()),
    sessions: () => parts.sessions.endExpired(),
    links: () => parts.links.endExpired(),
    invitations: () => parts.grants.endExpired(),
    codes: () => parts.wall.endExpired(),
    selections: () => parts.selections.endExpired(),
    answers: () => parts.idempotency.endExpired(),
    records: () =>
      db.kysely
        .deleteFrom('events')
        .where('purged_at', '<=', clock.now() - RECORDS_KEPT)
        .execute(),
    audit: (_, { signal }) => parts.audit.forget(signal),
    reports: () => parts.reports.forget(),
    outbox: () => parts.outbox.forget(),
    uploads: (_, { signal }) => parts.uploads.resumable.endExpired(signal),
    changes: () => pruneChanges(db.kysely, Date.now() - HOUR),
    failures: () => parts.limits.prune(),
    orphans: (_, { signal }) => logRemoved(janitor.removeKnown(signal)),
    sweep: (_, { thorough, asked, signal }) =>
      logRemoved(asked ? janitor.sweep({ signal }) : janitor.sweepPart({ night: thorough, signal })),
    renew: (_, { thorough, signal }) => parts.renewal.run({ night: thorough, signal }),
    // Runs after all that delete keys, so that it also removes the bytes of keys that other calls have deleted (a host's old key, a
    // session).
    wipe: (_, { thorough, signal }) => parts.receipts.wiping(() => db.wipe({ night: thorough, signal })),
    receipts: () => parts.receipts.signDue(),
  };

  /**
   * Deletes everything that has expired; only one node does it at a time, and this returns false if another one is doing it. Idempotent.
   * Steps that slow down other requests only run at night, unless `thorough`. `every`: least time since the last run of any node began, ms.
   */
  async function run(report = newReport(), { thorough: asked = false, every = 0 }: { thorough?: boolean; every?: number } = {}) {
    const thorough = asked || NIGHT_HOURS.includes(berlinTime(clock.now()).slice(11, 13));
    const lease = { name: 'retention', holder, duration: leaseMs, every, ending };
    const ran = await withLease(db, lease, async (signal) => {
      await attempt({ step: 'clock' }, report, () => checkClock(report));
      // Nothing is deleted if the clock jumped ahead or the database does not answer.
      if (report.clockLeapt || report.failures > 0) return true;
      for (const [step, work] of Object.entries(steps))
        await attempt({ step }, report, () => work(report, { thorough, asked, signal }), signal);
      if (signal.aborted) throw signal.reason;
      if (report.failures === 0) {
        succeeded = clock.now();
        await writeSetting(db, DONE, String(succeeded));
      }
      return true;
    });
    return ran ?? false;
  }

  /** Runs once, and returns the time until the next run, ms. */
  async function look(): Promise<number> {
    const report = newReport();
    // Each node has its own memory.
    await attempt({ step: 'memory' }, newReport(), () => parts.sealedMetadata.forgetPurged(db.kysely));
    const ran = await run(report, { every: atOnce ? 0 : regularly });
    atOnce = report.unfinishedEvents > 0;
    // If another node did it or crashed during it, this node asks again when the lease has expired.
    return ran && !atOnce ? interval : retryMs;
  }

  return {
    /** Starts the runs, at once and every hour, until the process ends; of several nodes one runs in an hour. */
    start(): void {
      loop = every(retryMs, { log, ending, failed: 'retention failed' }, look);
      every(eraseMs, { log, ending, failed: 'deleted keys were not erased', first: eraseMs }, async () => {
        // Also where the clock leapt: a host makes a new code with a tap.
        await parts.wall.endExpired();
        await db.eraseDeleted();
      });
    },
    /** Begins the next run now instead of within the hour, after an operator has said that the clock is right. Needs `start`. */
    soon(): void {
      atOnce = true;
      loop?.soon();
    },
    run,
    /** Returns when the last run of this process ended without a failure, ms since 1970; null if none has. */
    lastSuccess: (): number | null => succeeded,
    /** Returns when the last run on any node ended without a failure, ms since 1970; null if none has. */
    async lastDone(): Promise<number | null> {
      const noted = await readSetting(db, DONE);
      return noted && Number(noted.toString());
    },
    /** Counts the events whose photos should have been deleted a day ago or more, and are not. */
    async overdue(): Promise<number> {
      const { count } = await db.kysely
        .selectFrom('events')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('end_date', '<=', latestPurgeDue(clock.now() - DAY))
        .where('purged_at', 'is', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    /** Resolves when nothing runs any more, once the process ends. */
    ended: async (): Promise<void> => loop?.ended(),
  };
}
