import { HOUR, MINUTE } from '@feierbild/contract/constants.ts';
import { describe, expect, it } from 'vitest';
import { engines } from '../../database/testing.ts';
import { createQuickVault } from '../../vault/testing/quick-vault.ts';
import { addEvent } from '../testing.ts';
import type { Entry, Outcome } from './outbox.ts';
import { PAUSES } from './pauses.ts';
import { outboxOf } from './testing.ts';

const DAY = 24 * HOUR;

describe.each(engines())('the outbox on $name', (engine) => {
  const { at, clock, start, add, rows, states } = outboxOf(engine);

  it('keeps a secret in no row: only its process delivers that, and when this has ended it fails', async () => {
    const id = await add({ secret: 'geheim', topic: 'invitation' });
    expect(JSON.stringify(await rows())).not.toContain('geheim');
    const other = start();
    await other.run();
    expect(at.arrived).toEqual([]);
    at.answer = async () => ({ what: 'failed', answer: '450' });
    await at.node.run();
    expect(at.arrived.map(({ secret }) => secret)).toEqual(['geheim']);
    clock.time += HOUR;
    await other.run();
    expect(await states()).toEqual(['waiting']);
    // The process ends in the pause of twelve hours, and the next one notices at once.
    await at.db.kysely
      .updateTable('outbox')
      .set({ due_at: clock.time + 12 * HOUR })
      .execute();
    await at.node.ended();
    await other.run();
    expect(await rows()).toMatchObject([{ state: 'failed', answer: 'Der Server wurde neu gestartet, bevor das ankam.' }]);
    await expect(other.again(id as string)).rejects.toMatchObject({ code: 'delivery_not_found' });
  });

  it('fails what a killed process kept, once its lease is over', async () => {
    await add({ secret: 'geheim', topic: 'invitation', dueAt: clock.time + 12 * HOUR });
    const other = start();
    await other.run();
    expect(await states()).toEqual(['waiting']);
    // Ends the lease, as the database's clock does within a minute.
    await at.db.kysely.updateTable('leases').set({ expires_at: 1 }).execute();
    await other.run();
    expect(await states()).toEqual(['failed']);
    await other.forget();
    expect(await at.db.kysely.selectFrom('leases').select('name').execute()).toEqual([]);
  });

  it('delivers in the end what another process gave up while the one that keeps it was cut off or frozen, and nothing that was settled meanwhile', async () => {
    const due = clock.time + HOUR;
    const id = await add({ secret: 'geheim', topic: 'invitation', dueAt: due });
    const settled = (await add({ secret: 'alt', topic: 'invitation', dueAt: due, lane: 'b' })) as string;
    const other = start();
    await at.db.kysely.updateTable('leases').set({ expires_at: 1 }).execute();
    await other.run();
    expect(await states()).toEqual(['failed', 'failed']);
    await other.dismiss(settled);
    clock.time = due;
    await at.node.run();
    expect(at.arrived.map((entry) => [entry.id, entry.secret])).toEqual([[id, 'geheim']]);
    expect((await states()).toSorted()).toEqual(['delivered', 'dropped']);
    await other.run();
    expect((await states()).toSorted()).toEqual(['delivered', 'dropped']);
  });

  it('goes on with what was given up in the middle of an attempt that then fails', async () => {
    const attempt = Promise.withResolvers<Outcome>();
    at.answer = () => attempt.promise;
    await add({ secret: 'geheim', topic: 'invitation' });
    const frozen = at.node.run();
    await expect.poll(() => at.arrived.length).toBe(1);
    // Ends the lease and the hold, as the database's clock does within minutes.
    await at.db.kysely.updateTable('leases').set({ expires_at: 1 }).execute();
    await at.db.kysely.updateTable('outbox').set({ held_until: 1 }).execute();
    await start().run();
    expect(await states()).toEqual(['failed']);
    attempt.resolve({ what: 'failed', answer: 'Die andere Seite hat nicht rechtzeitig geantwortet.' });
    await frozen;
    at.answer = async () => ({ what: 'delivered', answer: '250 ok' });
    await at.node.run();
    expect([await states(), at.arrived.at(-1)?.secret]).toEqual([['delivered'], 'geheim']);
  });

  it.runIf(engine.name === 'sqlite')('fails at the start what the process before it kept: the file is its alone', async () => {
    await add({ secret: 'geheim', topic: 'invitation', dueAt: clock.time + 12 * HOUR });
    const ending = new AbortController();
    start(ending.signal).start();
    await expect.poll(states).toEqual(['failed']);
    ending.abort();
  });

  it('takes no process for lost that has too much to do', async () => {
    const silence = Promise.withResolvers<Outcome>();
    at.answer = () => silence.promise;
    await add({ topic: 'silent' });
    const running = at.node.run();
    await expect.poll(() => at.arrived.length).toBe(1);
    await add({ secret: 'geheim', topic: 'invitation' });
    const other = start();
    for (let minutes = 0; minutes < 30; minutes += 5) {
      clock.time += 5 * MINUTE;
      await at.node.run();
      await other.run();
    }
    at.answer = async () => ({ what: 'delivered', answer: '' });
    silence.resolve({ what: 'delivered', answer: '' });
    await running;
    await expect.poll(states).toEqual(['delivered', 'delivered']);
  });

  it('forgets: an event’s entries with the event, others after 90 days, failed ones 90 days after they failed', async () => {
    const { id: eventId } = await addEvent({ db: at.db, vault: createQuickVault() }, { created_at: clock.time });
    await add({ eventId, topic: 'of an event' });
    await add({ topic: 'of none' });
    await add({ topic: 'failed', lane: 'b' });
    await add({ eventId, topic: 'failed of an event', lane: 'c' });
    at.answer = async ({ topic }) => ({ what: topic.startsWith('failed') ? 'failed' : 'delivered', answer: '' });
    const written = clock.time;
    for (const pause of [0, ...PAUSES]) {
      clock.time += pause;
      await at.node.run();
    }
    const triedFor = clock.time - written;
    const left = async () => {
      await at.node.forget();
      return (await rows()).map(({ topic }) => topic);
    };
    clock.time = written + 90 * DAY - 1;
    expect(await left()).toHaveLength(4);
    clock.time += 1;
    expect((await left()).toSorted()).toEqual(['failed', 'failed of an event', 'of an event']);
    expect(await at.node.failed('invitation')).toEqual([{ kind: 'mail', count: 2 }]);
    clock.time += triedFor;
    expect((await left()).toSorted()).toEqual(['failed of an event', 'of an event']);
    await at.db.kysely.deleteFrom('events').where('id', '=', eventId).execute();
    expect(await left()).toEqual([]);
  });

  it('forgets the address of a failed entry 14 days after it failed, at the latest when its time is over, and still says that it failed', async () => {
    const [address, longest] = ['lena@example.org', 30 * DAY];
    const refuse = async ({ payload }: Entry): Promise<Outcome> => {
      const { notBefore } = payload as { notBefore?: number };
      if (notBefore !== undefined && clock.time < notBefore) return { what: 'later', until: clock.time + 5 * MINUTE };
      return { what: 'refused', answer: `550 <${address}>: unbekannt` };
    };
    at.node.handle('letter', refuse, { deleted: longest });
    const letter = { kind: 'letter', topic: 'deleted', payload: { address } };
    const early = await add(letter);
    const late = await add({ ...letter, payload: { address, notBefore: clock.time + 20 * DAY } });
    const other = await add({ kind: 'letter', topic: 'report' });
    const held = async () => {
      await at.node.forget();
      return (await rows()).filter(({ payload, answer }) => `${payload} ${answer}`.includes(address)).map(({ id }) => id);
    };
    await at.node.run();
    clock.time += 14 * DAY - 1;
    expect((await held()).toSorted()).toEqual([early, late, other].toSorted());
    clock.time += 1;
    expect(await held()).toHaveLength(2);
    await expect(at.node.again(early as string)).rejects.toMatchObject({ code: 'delivery_not_found' });
    clock.time += 6 * DAY;
    await at.node.run();
    clock.time += 10 * DAY - 1;
    expect(await held()).toContain(late);
    clock.time += 1;
    expect(await held()).toEqual([other]);
    expect(await at.node.failed('invitation')).toEqual([{ kind: 'letter', count: 3 }]);
    await at.node.again(other as string);
    await at.node.dismiss(early as string);
    expect(await at.node.failed('invitation')).toEqual([{ kind: 'letter', count: 1 }]);
  });
});
