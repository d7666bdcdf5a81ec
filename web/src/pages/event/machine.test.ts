import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createItem, isOwed, newWire, type Item } from './item.ts';
import { EMPTY, step, type QueueEvent, type QueueState } from './machine.ts';

const NO_NETWORK = { code: 'no_connection', message: '' } as const;
const REFUSED = { code: 'not_a_photo', message: '' } as const;
const itemOf = (name: string): Item => createItem(new File([name], name, { lastModified: 1 }), name);
const chosen = (...names: string[]): QueueEvent => ({ type: 'chosen', items: names.map(itemOf) });
const failed = (id: string): QueueEvent => ({ type: 'failed', id, state: 'waiting', failure: NO_NETWORK });
const play = (...events: QueueEvent[]): QueueState => events.reduce(step, EMPTY);
const sending = [chosen('a', 'b'), { type: 'pressed' }] as const;

describe('the queue', () => {
  it('takes the sending, sends, waits for what did not get through, and is idle when all is stored', () => {
    const waiting = play(...sending, { type: 'stored', id: 'a' }, failed('b'), { type: 'ended', gaveUp: false });
    expect([waiting.phase, waiting.trouble]).toEqual(['waiting', 'line']);
    const done = [{ type: 'woken' }, { type: 'stored', id: 'b' }, { type: 'ended', gaveUp: false }] as const;
    expect(done.reduce<QueueState>(step, waiting)).toMatchObject({ phase: 'idle', trouble: null });
  });

  it('goes on at once with what came during a run, and says nothing of waiting', () => {
    const stored = { type: 'stored', id: 'a' } as const;
    const late = { ...createItem(new File(['c'], 'c'), 'c'), submitted: true, earlier: true };
    const state = play(...sending, stored, { ...stored, id: 'b' }, { type: 'led', kept: [late] }, { type: 'ended', gaveUp: false });
    expect([state.phase, state.trouble]).toEqual(['sending', null]);
  });

  it('tells a server in trouble from a lost line', () => {
    const refused: QueueEvent = { type: 'failed', id: 'a', state: 'waiting', failure: { code: 'unavailable', message: '' } };
    expect(play(chosen('a'), ...sending.slice(1), refused, { type: 'ended', gaveUp: true }).trouble).toBe('server');
    expect(play(...sending, { type: 'line', lost: true }).trouble).toBe('line');
    // A proxy has answered, or the server answers everything but photos.
    const foreign: QueueEvent = { type: 'failed', id: 'a', state: 'waiting', failure: { code: 'not_ours', message: '' } };
    expect(play(...sending, foreign, failed('b'), { type: 'ended', gaveUp: true }).trouble).toBe('way');
    const unanswered = play(...sending, failed('a'), failed('b'), { type: 'ended', gaveUp: true });
    expect(unanswered.trouble).toBe('line');
    const held = step(unanswered, { type: 'held' });
    expect([held.trouble, held.items.map(({ failure }) => failure?.code)]).toEqual(['way', ['not_ours', 'not_ours']]);
    expect(play(...sending, { type: 'line', lost: true }, { type: 'progressed', id: 'a', progress: 0.1 }).trouble).toBeNull();
  });

  it('breaks a run off without a word about its files, and keeps what was stored in that moment', () => {
    const state = play(...sending, { type: 'stopped' }, failed('a'), { type: 'stored', id: 'b' }, { type: 'ended', gaveUp: true });
    expect(state.items.map((item) => [item.state, item.failure])).toEqual([
      ['waiting', null],
      ['stored', null],
    ]);
    expect(state.phase).toBe('idle');
  });

  it('hands its files to the page that sends, and has them again where that could note nothing of them', () => {
    const followed = play(...sending, { type: 'followed' }, { type: 'ended', gaveUp: true });
    expect(followed).toMatchObject({ phase: 'idle', items: [], handed: [{ id: 'a' }, { id: 'b' }] });
    const told = step(followed, { type: 'elsewhere', progress: { stored: 1, total: 2 }, done: ['a'] });
    const back = step(told, { type: 'led', kept: [] });
    expect(back.items.map(({ id, state }) => [id, state])).toEqual([['b', 'waiting']]);
    expect(back.phase).toBe('sending');
  });

  it('waits for nothing where the last that is owed is stored, or taken out, between two runs', () => {
    const waiting = play(chosen('a'), { type: 'pressed' }, { type: 'ended', gaveUp: true });
    expect(waiting.phase).toBe('waiting');
    expect(step(waiting, { type: 'stored', id: 'a' })).toMatchObject({ phase: 'idle', trouble: null });
    expect(step(waiting, { type: 'removed', id: 'a' })).toMatchObject({ phase: 'idle', trouble: null });
  });

  it('says that the page has to stay open until what was taken out is off the server, and nothing of an end where others are sent', () => {
    const begun = { ...itemOf('a'), wire: { ...newWire(), begun: true } };
    const stuck = [{ type: 'chosen', items: [begun, itemOf('b')] }, { type: 'pressed' }, { type: 'ended', gaveUp: true }] as const;
    const then = (...events: QueueEvent[]): QueueState['ended'] => play(...stuck, ...events).ended;
    expect(then({ type: 'removed', id: 'b' })).toBeNull();
    expect(then({ type: 'removed', id: 'a' })).toBe('removing');
    expect(then({ type: 'removed', id: 'a' }, { type: 'withdrawn' })).toBeNull();
    expect(then({ type: 'stopped' }, { type: 'withdrawn' })).toBe('removed');
    // Neither further files nor a press end the removal.
    for (const next of [chosen('c'), { type: 'pressed' }] as const) {
      expect(then({ type: 'removed', id: 'a' }, next)).toBe('removing');
      expect(then({ type: 'removed', id: 'a' }, next, { type: 'withdrawn' })).toBeNull();
      expect(then({ type: 'stopped' }, { type: 'withdrawn' }, next)).toBeNull();
    }
    expect(then({ type: 'removed', id: 'a' }, { type: 'removed', id: 'b' }, { type: 'stopped' })).toBe('removing');
    // Of a refused file, the server keeps nothing.
    const refused: QueueEvent = { type: 'failed', id: 'a', state: 'refused', failure: REFUSED };
    expect(then({ type: 'woken' }, refused, { type: 'ended', gaveUp: false }, { type: 'removed', id: 'a' })).toBeNull();
  });

  it('loses no chosen file unsaid, whatever happens in whatever order', () => {
    const names = fc.subarray(['a', 'b', 'c', 'd']);
    /** Makes an event for the n-th step, which may concern one of the items. */
    type Happening = (state: QueueState, n: number) => QueueEvent;
    const always =
      (event: QueueEvent): Happening =>
      () =>
        event;
    const toOne = (event: (id: string, item?: Item) => QueueEvent): fc.Arbitrary<Happening> =>
      fc.nat(9).map((index) => ({ items, handed }) => {
        const item = [...items, ...handed][index];
        return event(item?.id ?? 'none', item);
      });
    const happening: fc.Arbitrary<Happening> = fc.oneof(
      fc
        .constantFrom('pressed', 'agreed', 'woken', 'heldOff', 'stopped', 'withdrawn', 'followed')
        .map((type) => always({ type } as QueueEvent)),
      names.map((some): Happening => (_, n) => ({ type: 'chosen', items: some.map((name) => ({ ...itemOf(name), id: `${name}${n}` })) })),
      toOne((id) => ({ type: 'removed', id })),
      toOne((id) => ({ type: 'started', id })),
      toOne((id) => ({ type: 'stored', id })),
      toOne((id) => ({ type: 'copied', id })),
      // Only an item with a copy can be left with its copy alone.
      toOne((id, item) => ({ type: item?.kept ? 'copyOnly' : 'copied', id })),
      fc.constantFrom('waiting', 'refused', 'lost').chain((state) => toOne((id) => ({ type: 'failed', id, state, failure: NO_NETWORK }))),
      fc.boolean().map((gaveUp) => always({ type: 'ended', gaveUp })),
      fc.boolean().map((lost) => always({ type: 'line', lost })),
      // Another page has noted some of the files that it was given, and perhaps others that this page never had.
      fc.tuple(names, fc.constantFrom('waiting', 'stored', 'lost')).map(([some, state]): Happening => ({ handed }) => ({
        type: 'led',
        kept: some.map((name) => {
          const { id } = handed.find((item) => item.name === name) ?? { id: `kept ${name}` };
          return { ...itemOf(name), id, file: null, earlier: true, submitted: true, state };
        }),
      })),
      names.map((some): Happening => ({ handed }) => ({
        type: 'elsewhere',
        progress: { stored: 0, total: 0 },
        done: handed.filter(({ name }) => some.includes(name)).map(({ id }) => id),
      })),
    );
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        let state = EMPTY;
        /** Files that were not yet reported as stored, or removed by the guest. */
        const open = new Set<string>();
        const story: string[] = [];
        for (const [n, happens] of happenings.entries()) {
          const before = state;
          const event = happens(before, n);
          state = step(before, event);
          story.push(JSON.stringify(event));
          const named = (ids: readonly string[]): string[] =>
            [...before.items, ...before.handed].flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
          if (event.type === 'chosen') event.items.forEach(({ name }) => open.add(name));
          if (event.type === 'stored' || event.type === 'removed') named([event.id]).forEach((name) => open.delete(name));
          if (event.type === 'elsewhere') named(event.done).forEach((name) => open.delete(name));
          // The page that sends also has the files that this page knows by their copy alone.
          if (event.type === 'followed') before.items.forEach(({ name, kept, file }) => kept && !file && open.delete(name));
          // Files of an earlier page are given up, which the page says.
          if (event.type === 'stopped') before.items.forEach(({ name, earlier }) => earlier && open.delete(name));
          const here = new Set([...state.items, ...state.handed].map(({ name }) => name));
          expect(
            [...open].filter((name) => !here.has(name)),
            story.join('\n'),
          ).toEqual([]);
          expect(new Set(state.items.map(({ id }) => id)).size).toBe(state.items.length);
          if (state.phase === 'waiting') expect(state.agreed && state.items.some(isOwed)).toBe(true);
          if (state.phase === 'idle' || state.phase === 'ending') expect(state.trouble).toBeNull();
          if (event.type === 'ended') expect(state.items.some((item) => item.state === 'sending')).toBe(false);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
