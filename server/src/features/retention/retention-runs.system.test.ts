import { randomBytes } from 'node:crypto';
import { HOUR } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { withLease } from '../../database/leases.ts';
import { openDatabase } from '../../database/open.ts';
import { engines } from '../../database/testing.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { eventPrefix } from '../../storage/blob-store.ts';
import { tcpProxy } from '../../testing/tcp-proxy.ts';
import { createRetention, newReport } from './retention.ts';
import { DUE, premisesOf } from './testing/premises.ts';

describe.each(engines())('runs of the retention on $name', (engine) => {
  const at = premisesOf(engine);
  /** Reads the leases that are taken. */
  const leased = () => at.db.kysely.selectFrom('leases').select('name').where('expires_at', '>', 0).execute();
  const blobs = async (): Promise<string[]> => (await at.app.leftovers()).blobs;

  it('runs on one of two nodes', async () => {
    await at.event();
    at.clock.time = DUE;
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const one = at.node();
    const { purgeBytes } = one.events;
    one.events.purgeBytes = async (id) => {
      reached.resolve();
      await goOn.promise;
      return purgeBytes(id);
    };
    const other = at.node(await engine.again(at.db));
    const running = one.retention.run();
    await reached.promise;
    expect(await other.retention.run()).toBe(false);
    goOn.resolve();
    expect(await running).toBe(true);
    expect(other.lines).toEqual([]);
    expect(await at.count('audit')).toBe(1);
    expect(await other.retention.run()).toBe(true);
  });

  it.runIf(engine.name === 'postgres')('stops its work where the database fell silent and another node took its lease over', async () => {
    for (const { id } of [await at.event(), await at.event()])
      await at.app.blobs.put(`${eventPrefix(id)}${uuidv7(0)}.original`, randomBytes(9));
    const url = new URL(engine.location(at.db).url as string);
    const line = await tcpProxy(Number(url.port));
    url.port = String(line.port);
    const far = await openDatabase({ url: url.href, file: '' }, { schema: 'require', statementMs: 2000 });
    const one = at.node(far);
    const later: string[] = [];
    one.audit.forget = async () => void later.push('audit');
    const removing = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let removals = 0;
    at.store.removing = async () => {
      removals++;
      removing.resolve();
      await goOn.promise;
    };
    at.clock.time = DUE;
    const running = createRetention({ ...one, leaseMs: 4000 }).run();
    const outcome = running.then(
      () => 'went on',
      () => 'stopped',
    );
    await removing.promise;
    line.silence();
    line.silenceNew(true);
    const other = { name: 'retention', holder: 'another', duration: 60_000 };
    const others = async () => {
      // The first node wakes up while the other one works.
      goOn.resolve();
      return outcome;
    };
    let took: string | undefined;
    while (took === undefined) took = await withLease(at.db, other, others);
    expect(took).toBe('stopped');
    expect([removals, later, (await blobs()).length]).toEqual([1, [], 2]);

    at.store.removing = async () => undefined;
    expect(await at.node().retention.run()).toBe(true);
    expect(await blobs()).toEqual([]);
    await far.close();
    await line.close();
  });

  it('destroys the keys of all that are due before any bytes, and leaves the rest of a large event to the next run', async () => {
    const [large, other] = [await at.event(), await at.event()];
    for (const { id } of [large, other]) await at.app.blobs.put(`${eventPrefix(id)}${uuidv7(0)}.original`, randomBytes(9));
    const held: number[] = [];
    at.store.removing = async (prefix, signal) => {
      held.push(await at.count('event_keys'));
      // The time ends before all blobs are gone.
      if (prefix === eventPrefix(large.id) && !signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    const parts = at.node();
    at.clock.time = DUE;
    const report = newReport();
    // The other event has time enough: it waits for nothing.
    expect(await createRetention({ ...parts, purgePartMs: 3000 }).run(report)).toBe(true);
    expect([report.failures, report.purgedEvents, report.unfinishedEvents, held]).toEqual([0, 1, 1, [0, 0]]);
    expect(await blobs()).toEqual([expect.stringContaining(large.id)]);
    expect(parts.lines).toEqual([
      { event: large.id, message: 'the purge goes on in the next run' },
      { event: other.id, message: 'event purged' },
    ]);
    at.store.removing = async () => undefined;
    await parts.retention.run();
    expect(await blobs()).toEqual([]);
    expect((await at.app.row(large.id)).purged_at).toBe(DUE);
  });

  it('goes on soon where the time of a run was over for some, so that nothing waits for an hour', async () => {
    const due = [await at.event(), await at.event(), await at.event(), await at.event(), await at.event()];
    for (const { id } of due) await at.app.blobs.put(`${eventPrefix(id)}${uuidv7(0)}.original`, randomBytes(9));
    const slow = new Set(due.map(({ id }) => eventPrefix(id)));
    let begun = 0;
    at.store.removing = async (prefix, signal) => {
      if (!slow.delete(prefix)) return;
      begun++;
      if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    };
    const { lines, ...parts } = at.node();
    at.clock.time = DUE;
    const report = newReport();
    await createRetention({ ...parts, purgePartMs: 300 }).run(report);
    // The time of three parts is over: further purges are not begun.
    expect([report.unfinishedEvents, report.failures]).toEqual([5, 0]);
    expect(begun).toBeLessThan(5);
    await at.db.kysely.deleteFrom('leases').execute();
    const retention = createRetention({ ...parts, purgePartMs: 300, interval: HOUR, leaseMs: 4000 });
    retention.start();
    const purged = () => at.db.kysely.selectFrom('events').select('id').where('purged_at', 'is not', null).execute();
    await expect.poll(async () => (await purged()).length).toBe(5);
    parts.end();
    await retention.ended();
    expect(lines.map(({ message }) => message)).toContain('the purge goes on in the next run');
  });

  it('runs at the start and again and again, and ends within a run when it is closed', async () => {
    const parts = at.node();
    let runs = 0;
    let waiting = Promise.withResolvers<void>();
    let goOn = Promise.withResolvers<void>();
    parts.sessions.endExpired = async () => {
      runs++;
      waiting.resolve();
      await goOn.promise;
    };
    const later: string[] = [];
    parts.audit.forget = async () => void later.push('audit');
    const retention = createRetention({ ...parts, interval: 1 });
    retention.start();
    await waiting.promise;
    waiting = Promise.withResolvers();
    const first = goOn;
    goOn = Promise.withResolvers();
    first.resolve();
    await waiting.promise;
    expect(later).toEqual(['audit']);
    parts.end();
    goOn.resolve();
    await retention.ended();
    expect([runs, later, await leased()]).toEqual([2, ['audit'], []]);
  });

  it.each(['a purge', 'a sweep', 'a rewrite'])('gives its lease back within seconds where it ends during %s that hangs', async (step) => {
    await at.event();
    const { lines, ...parts } = at.node();
    at.clock.time = DUE;
    const begun = Promise.withResolvers<void>();
    // Such a store or database never answers, and ignores the signal.
    const hang = (): Promise<never> => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    if (step === 'a purge') at.store.removing = hang;
    if (step === 'a sweep') parts.janitor.sweepPart = hang;
    const retention = createRetention(step === 'a rewrite' ? { ...parts, db: { ...parts.db, wipe: hang } } : parts);
    const running = retention.run().catch((error: unknown) => error);
    await begun.promise;
    const began = performance.now();
    parts.end();
    expect(await running).toMatchObject({ name: 'AbortError' });
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await leased()).toEqual([]);
    expect(lines.filter(({ err }) => err)).toEqual([]);
    at.store.removing = async () => undefined;
    expect(await at.node().retention.run()).toBe(true);
    expect(await blobs()).toEqual([]);
  });
});
