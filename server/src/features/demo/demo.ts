import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addDays, berlinDay, berlinInstant } from '@feierbild/contract/berlin.ts';
import { DEMO_BYTES, DEMO_RESET, EVENT_CODE_LENGTH, GB, MINUTE } from '@feierbild/contract/constants.ts';
import { EventForm } from '@feierbild/contract/event-form.ts';
import type { Selectable } from 'kysely';
import { withLease } from '../../database/leases.ts';
import type { Database } from '../../database/schema.ts';
import { yieldEvery } from '../../lib/concurrency/yield-every.ts';
import { Refusal } from '../../lib/errors.ts';
import { every, type Loop } from '../../lib/every.ts';
import { generateHostPassword } from '../../lib/generated-passwords.ts';
import { randomCode, randomShortToken, uuidv7 } from '../../lib/ids.ts';
import { single } from '../../lib/stages.ts';
import type { Events } from '../events/events.ts';
import { NOBODY } from '../../http/visitor.ts';
import type { Context } from '../context.ts';
import type { Photos } from '../photos/photos.ts';
import type { Uploads } from '../uploads/uploads.ts';
import type { Sample, SampleFolder } from './samples.ts';

/** Time after which other nodes may take over from a node that crashed during a reset. */
const LEASE_MS = 2 * MINUTE;
/** Pause after a failed reset. */
const RETRY_MS = 5 * MINUTE;
/** Interval of checks until another node has made the first demo. */
const FIRST_DEMO_POLL_MS = 5000;
const TITLE = 'Live-Demo: Hochzeit von Lena und Jonas';
const SUBTITLE = 'Was Sie hier hochladen, sieht nur Ihr Browser. Alle 2 Stunden wird alles gelöscht.';

export type Demo = ReturnType<typeof createDemo>;

/** The table's only row. Code and password stay the same over all resets, so that printed ones keep working. */
type DemoRow = Selectable<Database['demo']>;

interface Deps extends Pick<Context, 'db' | 'clock' | 'log' | 'ending'> {
  events: Pick<Events, 'openDemo' | 'publishDemo' | 'demoIds' | 'removeDemo'>;
  uploads: Pick<Uploads, 'receive'>;
  photos: Pick<Photos, 'makeSample'>;
  pictures: SampleFolder;
  /** If false, there is no demo, and the events of an earlier one are removed. */
  on: boolean;
  /** Replaces FIRST_DEMO_POLL_MS in tests. */
  firstPollMs?: number;
}

/**
 * Creates the public demo. Each reset creates a new event with new keys, which takes over the code; then the old event is purged with
 * everything that visitors uploaded. So there is always a demo, and the next reset removes what a crash leaves behind.
 */
export function createDemo({ db, clock, log, events, uploads, photos, pictures, on, ending, firstPollMs = FIRST_DEMO_POLL_MS }: Deps) {
  const { kysely } = db;
  const holder = uuidv7(clock.now());
  let shown: { code: string; password: string } | null = null;
  let loop: Loop | undefined;

  const read = (): Promise<DemoRow | undefined> => kysely.selectFrom('demo').selectAll().where('id', '=', 1).executeTakeFirst();

  function form(): EventForm {
    const today = berlinDay(clock.now());
    const days = { start_date: addDays(today, -1), end_date: addDays(today, 1) };
    return EventForm.parse({ title: TITLE, subtitle: SUBTITLE, ...days, is_active: true, storage_limit: DEMO_BYTES / GB });
  }

  /** Uploads the samples, with a device for each guest. Skips an operator's picture that is refused. */
  async function fill(eventCode: string, signal: AbortSignal): Promise<void> {
    const devices = new Map<string, string>();
    const evening = addDays(berlinDay(clock.now()), -1);
    const yieldOften = yieldEvery(5);
    for (const sample of pictures.samples) {
      signal.throwIfAborted();
      await yieldOften();
      const deviceId = devices.get(sample.guest) ?? randomShortToken();
      devices.set(sample.guest, deviceId);
      try {
        const { photo } = await send(eventCode, deviceId, sample, signal);
        await photos.makeSample(photo.id, berlinInstant(`${evening}T${sample.at}`));
      } catch (error) {
        if (!(error instanceof Refusal) || error.code === 'unavailable') throw error;
        log.warn({ file: sample.file, code: error.code }, 'a picture of the demo was refused');
      }
    }
  }

  async function send(eventCode: string, deviceId: string, { file, name, guest }: Sample, gone: AbortSignal) {
    const bytes = await readFile(join(pictures.folder, file));
    return uploads.receive({
      linkToken: null,
      visitor: { ...NOBODY, deviceId, address: '' },
      eventCode,
      deviceName: guest,
      password: null,
      contentLength: null,
      connection: { gone, hangUp: () => undefined },
      form: (async function* () {
        yield { kind: 'file' as const, filename: name, bytes: single(bytes) };
      })(),
    });
  }

  /** Resets the demo. Stops if another node may have begun a reset; that node removes the photos of this one. */
  async function reset({ code, password, event_id: before }: DemoRow, signal: AbortSignal): Promise<void> {
    // Removes events that a crashed reset left behind.
    for (const id of await events.demoIds()) if (id !== before) await events.removeDemo(id, signal);
    const event = await events.openDemo(form(), password);
    await fill(event.code, signal);
    signal.throwIfAborted();
    await db.transaction(async (trx) => {
      await events.publishDemo(trx, { id: event.id, code });
      await trx.updateTable('demo').set({ event_id: event.id, reset_at: clock.now() }).where('id', '=', 1).execute();
    });
    if (before) await events.removeDemo(before, signal);
    log.info({ event: event.id }, 'demo reset');
  }

  function isDue({ event_id, reset_at }: DemoRow): boolean {
    if (event_id === null || reset_at === null) return true;
    const age = clock.now() - reset_at;
    // A reset time in the future comes from a clock that was ahead.
    return age >= DEMO_RESET || age < -DEMO_RESET;
  }

  /** Resets the demo if it is due and no other node is doing it. Returns its row. */
  async function run(): Promise<DemoRow | undefined> {
    if (!on) {
      for (const id of await events.demoIds()) await events.removeDemo(id, ending);
      await kysely.deleteFrom('demo').execute();
      return undefined;
    }
    const first = { id: 1, code: randomCode(EVENT_CODE_LENGTH), password: generateHostPassword(), event_id: null, reset_at: null };
    await kysely
      .insertInto('demo')
      .values(first)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await withLease(db, { name: 'demo', holder, duration: LEASE_MS, ending }, async (signal) => {
      const due = await read();
      if (due && isDue(due)) await reset(due, signal);
    });
    const row = await read();
    shown = row?.event_id ? { code: row.code, password: row.password } : null;
    return row;
  }

  /** Runs once and returns the time until the next run, ms. */
  async function look(): Promise<number> {
    const row = await run();
    if (!on) return Infinity;
    if (row?.reset_at) return Math.min(DEMO_RESET, Math.max(MINUTE, row.reset_at + DEMO_RESET - clock.now()));
    return row && row.event_id === null ? firstPollMs : RETRY_MS;
  }

  return {
    /** Returns code and password, which are public on purpose; null if the demo is off or not ready yet. */
    current: () => shown,
    /** Creates the demo and resets it every two hours, until the process ends. */
    start(): void {
      loop = every(RETRY_MS, { log, ending, failed: 'demo failed' }, look);
    },
    run,
    /** Resets an existing demo if it is due; never creates the first one. True if this call has reset or removed it. */
    async refresh(): Promise<boolean> {
      const row = await read();
      if (!row || (on && !isDue(row))) return false;
      return (await run())?.reset_at !== row.reset_at;
    },
    /** Waits until the loop has ended, after the process began to end. */
    ended: async (): Promise<void> => loop?.ended(),
  };
}
