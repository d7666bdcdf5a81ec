import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { Db } from '../../database/open.ts';
import { withLease } from '../../database/leases.ts';
import { shortAddress } from '../../lib/address.ts';
import type { Clock } from '../../lib/clock.ts';
import { randomToken } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { eventPrefix, type BlobStore } from '../../storage/blob-store.ts';
import type { Audit } from '../accounts/audit.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { purgeEvent } from '../events/purge.ts';
import type { Links } from '../links/links.ts';
import { createRetentionStore } from './retention.store.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** What an event's and the audit's rows outlive the photos by. */
const ROWS_KEPT = 365 * DAY;
const ADDRESSES_KEPT = 7 * DAY;
/** How long a photo store that was away at a purge is asked again to remove the bytes (which nobody can read any more). */
const BYTES_RETRIED = 30 * DAY;
const BATCH = 500;

export interface Retention {
  /** Does now what is due; nothing where another node is at it. Never throws for a single event: that one is tried again. */
  run(): Promise<void>;
  /** Runs at once and then every hour, until closed. */
  start(): void;
  /** Resolves once nothing is running any more. */
  close(): Promise<void>;
}

interface Parts {
  db: Db;
  blobs: BlobStore;
  clock: Clock;
  log: Pick<Log, 'info' | 'error'>;
  audit: Audit;
  sessions: Pick<Sessions, 'endExpired'>;
  links: Pick<Links, 'endExpired'>;
}

/** Keeps the promise that nothing stays: photos go 30 days after their event, sessions, links, addresses and rows in their time. */
export function createRetention({ db, blobs, clock, log, audit, sessions, links }: Parts): Retention {
  const store = createRetentionStore(db);
  const holder = randomToken();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Runs one step; what fails is said, and tried again at the next run. */
  async function attempt(what: string, step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      log.error({ err: error }, `retention: ${what} failed`);
    }
  }

  async function purgeDue(): Promise<void> {
    const due = await store.due(addDays(berlinDay(clock.now()), -PHOTOS_KEPT_DAYS));
    for (const { id, code } of due) {
      await attempt('a purge', async () => {
        // Keys and rows are gone even where the store then fails to remove the bytes.
        await purgeEvent({ db, blobs, clock }, id).finally(() =>
          audit.record({ actor: 'system', action: 'event.purged', eventId: id, eventCode: code }),
        );
        log.info({ eventId: id }, 'the photos of an event were deleted, and its keys destroyed');
      });
    }
    if (due.length > 0) await store.emptyLog();
  }

  async function removeBytes(): Promise<void> {
    for (const id of await store.purgedSince(clock.now() - BYTES_RETRIED)) {
      await attempt('removing bytes', () => blobs.removePrefix(eventPrefix(id)));
    }
  }

  async function anonymise(): Promise<void> {
    for (;;) {
      const rows = await store.addresses(clock.now() - ADDRESSES_KEPT, BATCH);
      for (const { id, address } of rows) await store.shorten(id, shortAddress(address as string));
      if (rows.length < BATCH) return;
    }
  }

  async function work(): Promise<void> {
    await attempt('purging', purgeDue);
    await attempt('removing bytes', removeBytes);
    await attempt('ending sessions', () => sessions.endExpired());
    await attempt('ending links', () => links.endExpired());
    await attempt('anonymising', anonymise);
    await attempt('forgetting events', () => store.forgetEvents(clock.now() - ROWS_KEPT));
    await attempt('forgetting the audit', () => store.forgetAudit(clock.now() - ROWS_KEPT));
  }

  async function run(): Promise<void> {
    await withLease({ db, clock }, { name: 'retention', holder, duration: HOUR }, work);
  }

  function runNow(): void {
    running = running.then(() => attempt('the run', run));
  }

  return {
    run,
    start() {
      runNow();
      timer = setInterval(runNow, HOUR);
      timer.unref();
    },
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
