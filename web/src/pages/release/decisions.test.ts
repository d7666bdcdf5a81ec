import { errors, type ErrorCode } from '@feierbild/contract/errors.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { createPhotoList, type PhotoList } from '../../lib/photo-list.ts';
import { createDecisions, hiddenOf, waitingOf, type Told } from './decisions.ts';

const photoOf = (id: string, n: number) => ({ id, created_at: new Date(1_779_000_000_000 + n).toISOString() }) as Photo;
let ALL = ['a', 'b', 'c', 'd'].map(photoOf);

/** Ids of the photos that wait on the server. */
let server: string[];
let changed: string[];
let list: PhotoList;
let decisions: ReturnType<typeof createDecisions>;
/** The calls made, with functions that answer them. */
let told: { id: string; told: Told; answer: PromiseWithResolvers<void> }[];

const refusal = (code: ErrorCode) => new ApiError(errors[code].status, code, 'x');
const waiting = () => waitingOf(list.current().photos, decisions.current().pending).map(({ id }) => id);
const decided = () => decisions.current().decided.map(({ id }) => id);
const [A, B] = ALL as [Photo, Photo];

/** Lets the server accept the n-th call, change the photo, and answer. */
async function take(n: number): Promise<void> {
  await settled();
  const { id, told: what, answer } = told[n]!;
  server = 'waiting' in what ? [...server, id] : server.filter((one) => one !== id);
  changed.push(id);
  answer.resolve();
  await settled();
}
async function refuse(n: number, error: Error): Promise<void> {
  await settled();
  told[n]!.answer.reject(error);
  await settled();
}
const settled = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve();
  await list.retry();
};

beforeEach(async () => {
  [server, changed, told] = [['a', 'b', 'c', 'd'], [], []];
  ALL = server.map(photoOf);
  const rows = () => ALL.filter(({ id }) => server.includes(id));
  list = createPhotoList({
    page: async () => ({ photos: rows(), total: server.length, next: 9, end: true, seq: 0, beside: {} }),
    async changes() {
      const ids = changed.splice(0);
      const photos = rows().filter(({ id }) => ids.includes(id));
      return { photos, gone: ids.filter((id) => !server.includes(id)), total: server.length, seq: 1, beside: {} };
    },
  });
  decisions = createDecisions(list, (id, what) => {
    const answer = Promise.withResolvers<void>();
    told.push({ id, told: what, answer });
    return answer.promise;
  });
  await list.all();
  vi.spyOn(console, 'error').mockReturnValue();
});

it('what is decided waits no more, at once, whatever an answer says that was on its way', async () => {
  decisions.decide(A, true);
  expect([waiting(), decided(), decisions.current().sending]).toEqual([['b', 'c', 'd'], ['a'], 1]);
  changed.push('a');
  await list.loadNew();
  expect(waiting()).toEqual(['b', 'c', 'd']);
  await take(0);
  expect([waiting(), decisions.current().sending, list.current().total]).toEqual([['b', 'c', 'd'], 0, 3]);
  expect(told.map(({ told: what }) => what)).toEqual([{ value: true, believed: 'waiting', replaced: false }]);
});

it('decisions are taken back one after the other, the last first', async () => {
  decisions.decide(A, true);
  decisions.decide(B, false);
  await take(0);
  expect([decisions.undo()?.id, waiting()]).toEqual(['b', ['b', 'c', 'd']]);
  // The first call about b is in flight.
  expect(told.length).toBe(2);
  await take(1);
  expect([decisions.undo()?.id, waiting()]).toEqual(['a', ['a', 'b', 'c', 'd']]);
  expect(decisions.undo()).toBe(null);
  await take(2);
  await take(3);
  expect(told.slice(2).map(({ id, told: what }) => [id, what])).toEqual([
    ['b', { waiting: true, believed: 'hidden' }],
    ['a', { waiting: true, believed: 'shown' }],
  ]);
  expect([waiting(), decisions.current().sending, list.current().total]).toEqual([['a', 'b', 'c', 'd'], 0, 4]);
});

it('a photo whose decision did not arrive waits again, and it is said until it was read', async () => {
  decisions.decide(A, true);
  await refuse(0, new Error('no signal'));
  expect([waiting(), decided(), decisions.current().failed]).toEqual([['a', 'b', 'c', 'd'], [], 1]);
  decisions.read();
  expect(decisions.current().failed).toBe(0);
  // The undone photo waits already, so no call is left.
  decisions.decide(B, true);
  decisions.undo();
  await refuse(1, new Error('no signal'));
  expect([waiting(), decisions.current().failed, decisions.current().sending, told.length]).toEqual([['a', 'b', 'c', 'd'], 0, 0, 2]);
});

it('what could not be taken back waits here, and is decided about as the server has it', async () => {
  decisions.decide(A, true);
  await take(0);
  decisions.undo();
  await refuse(1, new Error('no signal'));
  expect([waiting(), decisions.current().failed, decisions.current().sending]).toEqual([['a', 'b', 'c', 'd'], 1, 0]);
  decisions.decide(A, false);
  await take(2);
  expect([told[2]?.told, waiting()]).toEqual([{ value: false, believed: 'shown', replaced: false }, ['b', 'c', 'd']]);
});

it('each of many decisions that did not arrive is counted, also those that cannot be taken back any more', async () => {
  for (let n = 0; n < 120; n++) decisions.decide(photoOf(`p${n}`, n), true);
  expect(decided().length).toBe(50);
  for (let n = 0; n < 120; n++) await refuse(n, new Error('no signal'));
  expect([decisions.current().failed, decided(), decisions.current().sending]).toEqual([120, [], 0]);
});

it('four calls are on their way at a time', async () => {
  for (let n = 0; n < 6; n++) decisions.decide(photoOf(`p${n}`, n), true);
  await settled();
  expect(told.length).toBe(4);
  await take(0);
  expect(told.length).toBe(5);
});

it('what is decided or deleted elsewhere goes, and a decision that came too late is said', async () => {
  decisions.decide(A, false);
  server = ['b', 'c', 'd'];
  changed.push('a');
  await refuse(0, refusal('decided_elsewhere'));
  expect([waiting(), decided(), decisions.current().elsewhere]).toEqual([['b', 'c', 'd'], [], 1]);
  decisions.decide(B, true);
  await refuse(1, refusal('photo_not_found'));
  expect([waiting(), decided(), decisions.current()]).toEqual([['c', 'd'], [], expect.objectContaining({ elsewhere: 1, failed: 0 })]);
  // Somebody else undoes the decision.
  server = ['a', 'c', 'd'];
  changed.push('a');
  await list.loadNew();
  expect(waiting()).toEqual(['a', 'c', 'd']);
});

it('what turned out to be another picture is asked about again, and nothing is said of others', async () => {
  decisions.decide({ ...A, replaced: true }, true);
  await refuse(0, refusal('picture_replaced'));
  expect(told[0]?.told).toEqual({ value: true, believed: 'waiting', replaced: true });
  expect([waiting(), decided()]).toEqual([['a', 'b', 'c', 'd'], []]);
  expect(decisions.current()).toMatchObject({ elsewhere: 0, failed: 0, sending: 0 });
});

it('all that waited is shown, and what came while that was asked waits on', async () => {
  const meant = waitingOf(list.current().photos, decisions.current().pending);
  // Two guests send a photo each before the answer.
  ALL.push(photoOf('e', 4), photoOf('f', 5));
  server.push('e', 'f');
  changed.push('e', 'f');
  await list.loadNew();
  expect(waiting()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  await decisions.showAll({ meant, hidden: [] }, async (except) => {
    expect(except).toEqual([]);
    server = ['e', 'f'];
    changed.push('a', 'b', 'c', 'd');
  });
  expect([waiting(), list.current().total]).toEqual([['e', 'f'], 2]);
});

it.each(['before the answer', 'after it'])(
  'what was hidden before all is shown stays hidden where that does not arrive: %s',
  async (when) => {
    decisions.decide(A, false);
    decisions.decide(B, false);
    const meant = waitingOf(list.current().photos, decisions.current().pending);
    const hidden = hiddenOf(decisions.current().pending);
    await take(1);
    if (when === 'before the answer') await refuse(0, new Error('no signal'));
    const show = vi.fn(async (except: readonly string[]) => {
      const shown = server.filter((id) => !except.includes(id));
      server = server.filter((id) => except.includes(id));
      changed.push(...shown);
    });
    const all = decisions.showAll({ meant, hidden }, show);
    if (when === 'after it') await refuse(0, new Error('no signal'));
    await all;
    expect(show.mock.calls).toEqual([[['a']]]);
    expect([waiting(), list.current().total, decisions.current().failed]).toEqual([['a'], 1, 1]);
  },
);
