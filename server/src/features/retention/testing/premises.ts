import { randomBytes } from 'node:crypto';
import { DAY } from '@feierbild/contract/constants.ts';
import { purgeDue } from '@feierbild/contract/event-status.ts';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Db } from '../../../database/open.ts';
import type { Database } from '../../../database/schema.ts';
import type { Engine } from '../../../database/testing.ts';
import { createLog } from '../../../lib/log.ts';
import { wireFeatures } from '../../../wiring.ts';
import { eventPrefix, type BlobStore } from '../../../storage/blob-store.ts';
import { openApp, openPortless, type PortlessApp, type TestApp } from '../../testing.ts';
import { useDecoder } from '../../testing/use-decoder.ts';
import { createJanitor } from '../../integrity/janitor.ts';
import { createRetention } from '../retention.ts';

export const PARTY = { start_date: '2026-05-16', end_date: '2026-05-17' };
/** When the party's photos are deleted. */
export const DUE = purgeDue(PARTY);

/** Every table with rows of an event, besides its own row and the audit trail. */
export const HOLDINGS = [
  'photos',
  'photo_keys',
  'event_secrets',
  'link_keys',
  'archives',
  'devices',
  'guest_keys',
  'sessions',
  'session_keys',
  'hosts',
  'host_keys',
  'event_passwords',
  'event_keys',
] as const satisfies (keyof Database)[];

type Premises<A extends PortlessApp> = Awaited<ReturnType<typeof openPremises<A>>>;
type Opening<A> = (wiring: Parameters<typeof openPortless>[0]) => Promise<A>;

/**
 * Sets up premises for each test of a suite by its hooks; the fields belong to the running test. They have no port, and decode no photo.
 */
export function portlessPremisesOf(engine: Engine): Premises<PortlessApp> {
  afterAll(() => engine.dispose());
  return setUp(engine, openPortless);
}

/** Sets up premises with a port and a decoder. */
export function premisesOf(engine: Engine): Premises<TestApp> {
  const decoder = useDecoder([engine]);
  return setUp(engine, (wiring) => openApp({ ...wiring, decoder }));
}

function setUp<A extends PortlessApp>(engine: Engine, open: Opening<A>): Premises<A> {
  const premises = {} as Premises<A>;
  beforeEach(async () => void Object.assign(premises, await openPremises(engine, open)));
  afterEach(() => premises.app.close());
  return premises;
}

/** Opens a system on the day before the party's last day, with a clock that tests move, and nodes that run the retention. */
async function openPremises<A extends PortlessApp>(engine: Engine, open: Opening<A>) {
  const clock = { time: DUE - DAY, now: () => clock.time };
  /** Ids of events whose blobs the photo store fails to remove. */
  const stuck = new Set<string>();
  /** Called before the blobs of an event are removed. */
  const store = { removing: async (_prefix: string, _signal?: AbortSignal): Promise<void> => undefined };
  /** Lead of the janitor's clock over the files' times, ms. */
  const janitor = { later: 0 };
  const db = await engine.open();
  const app = await open({ db, clock, wrapStore: failing });

  function failing(blobs: BlobStore): BlobStore {
    return {
      ...blobs,
      async removePrefix(prefix, signal) {
        if ([...stuck].some((id) => prefix === eventPrefix(id))) throw new Error('the store does not answer');
        await store.removing(prefix, signal);
        await blobs.removePrefix(prefix, signal);
      },
    };
  }

  /** Makes the parts of one node, with the moved clock. */
  function node(on: Db = db) {
    const lines: Record<string, unknown>[] = [];
    const log = createLog('silent');
    log.info = ((fields: unknown, message?: unknown) => lines.push({ ...(fields as object), message })) as typeof log.info;
    log.error = ((fields: unknown, message?: unknown) => lines.push({ ...(fields as object), message })) as typeof log.error;
    const wired = wireFeatures(app.config, log, { ...app, db: on });
    // Files have real timestamps.
    const sweeper = createJanitor({ db: on, blobs: app.blobs, clock: { now: () => Date.now() + janitor.later } });
    const parts = { ...wired, janitor: sweeper };
    return { ...parts, lines, retention: createRetention(parts) };
  }

  const count = async (table: keyof Database): Promise<number> =>
    (
      await db.kysely
        .selectFrom(table)
        .select((select) => select.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n;

  /** Adds an event with rows in every table, but without photos. */
  async function event(days: { start_date: string; end_date: string } = PARTY) {
    const made = await app.event({ ...days, is_active: 1 }, { upload: 'Größe 42' });
    const owner = { event_id: made.id, created_at: 0 };
    await db.kysely
      .insertInto('hosts')
      .values({ ...owner, reset_at: null, reset_seen_at: null })
      .execute();
    await db.kysely
      .insertInto('host_keys')
      .values({ event_id: made.id, wrapped: randomBytes(100) })
      .execute();
    const archive = { status: 'complete', progress: 100, started_at: 0, finished_at: 0, etag: 'e', size: 1, photo_count: 1 };
    await db.kysely
      .insertInto('archives')
      .values({ event_id: made.id, ...archive, manifest: randomBytes(100) })
      .execute();
    return made;
  }

  return { db, app, clock, stuck, store, janitor, node, event, count };
}
