import type { Photo } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
import { onReturn } from '../../lib/backoff.ts';
import { recall } from '../../lib/storage.ts';
import { createStore } from '../../lib/store.ts';
import { throttle } from '../../lib/throttle.ts';
import { within } from '../../lib/time-limit.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import type { createThumbnails } from './pictures/thumbnails.ts';
import { createLine } from './wire/line.ts';
import type { Sender } from './wire/transfer.ts';
import { newWay } from './wire/way.ts';
import { isStored, isUnsent, isVideoFile, newWire, type Item } from './item.ts';
import { EMPTY, isSettled, step, type QueueEvent, type QueueState } from './machine.ts';
import { createPreviews } from './previews.ts';
import type { QueueContext } from './queue-context.ts';
import { createRemovals } from './removals.ts';
import { givePoster, loadPosters, sendFile } from './send-file.ts';
import { createPauses } from './queue/pauses.ts';
import { runUploads } from './queue/run.ts';
import { filesOf } from './queue/selection.ts';
import { createTurns } from './queue/turns.ts';
import { loadAfterPaint } from './use-after-paint.ts';

/** Minimum time between two redraws. A timer, because a hidden page has no frames, but its title tells how many photos are left. */
const REDRAW_MS = 30;
/** Delay of the check for kept files, so that it does not slow the page's start. */
const KEPT_CHECK_MS = 1_500;
/** Longest wait for the code that keeps files and for the page's lock, after which sending begins without them. */
const TAKE_MS = 2_000;
/** Limit of the request for the server's limits, before whose answer no file is sent. */
const LIMITS_MS = 15_000;
/** Events that happen for each file or more often, and whose redraws are gathered. */
const FREQUENT = new Set<QueueEvent['type']>([
  'started',
  'progressed',
  'announced',
  'stored',
  'failed',
  'drawn',
  'cloud',
  'copied',
  'noted',
]);
/** Events that change nothing which outlives the page. */
const PASSING = new Set<QueueEvent['type']>(['progressed', 'drawn', 'announced']);

/**
 * Creates the queue of an event's selected files: passes events to the state machine (machine.ts), and sends, keeps and draws accordingly.
 * `onStored` gets the new photos at the end of a run, so that nothing else loads during it. `onWithdrawn` is called when all removals are
 * confirmed: the server may have photos of which this page does not know, because their answers were lost.
 */
export function createUploadQueue(code: string, onStored: (photos: Photo[]) => void, onWithdrawn: () => void) {
  let state = EMPTY;
  const shown = createStore(EMPTY);
  const show = (): void => shown.set(state);
  const showSoon = throttle(show, REDRAW_MS);
  const held = (): void => dispatch({ type: 'held' });
  const line = createLine((lost) => dispatch({ type: 'line', lost }), held);
  const pauses = createPauses(line.doubt, () => dispatch({ type: 'woken' }), held);
  /** Aborted when the page is left. */
  let left = new AbortController();
  let thumbnails: ReturnType<typeof createThumbnails> | null = null;
  let keeping: Promise<void> | null = null;
  const context: QueueContext = {
    line,
    dispatch,
    itemOf: (id) => state.items.find((item) => item.id === id),
    terminate: (key) => terminate(key),
    sender: null,
    way: newWay(),
    limits: null,
    tus: null,
    duplicates: null,
    deviceStore: null,
  };
  const { itemOf } = context;
  const previews = createPreviews(context, () => thumbnails?.more());
  const { lane } = previews;
  const { terminate, withdraw } = createRemovals(context, {
    load: keep,
    left: () => left.signal,
    confirmed() {
      dispatch({ type: 'withdrawn' });
      onWithdrawn();
    },
  });
  let run: Promise<void> = Promise.resolve();
  let breaking = new AbortController();

  function dispatch(event: QueueEvent): void {
    if (left.signal.aborted) return;
    const before = state;
    state = step(before, event);
    if (state.items !== before.items && !PASSING.has(event.type)) {
      thumbnails?.follow([...state.items, ...state.handed]);
      context.deviceStore?.follow(state.items);
      lane.keep(new Set(state.items.flatMap((item) => (isUnsent(item) ? [item.id] : []))));
    }
    if (FREQUENT.has(event.type)) showSoon();
    else {
      showSoon.cancel();
      show();
    }
    if (state.phase !== before.phase || event.type === 'ended') follow(before);
    // The server drops the preview of a photo that was removed, or can no longer be read. It may have a preview unknown to this page.
    if (event.type === 'removed' || event.type === 'failed') {
      const was = before.items.find(({ id }) => id === event.id);
      const isThere = event.type === 'removed' ? was?.wire.begun : was?.announced;
      const isOver = !state.items.some(({ id, announced }) => id === event.id && announced);
      if (was && isThere && isOver && !isStored(was)) withdraw([was.wire.key]);
      // A file chosen again is another upload, because this one's end may come late.
      if (was?.announced && event.type === 'failed' && event.state === 'lost') Object.assign(was.wire, newWire());
    }
    if (event.type === 'chosen') {
      void drawing();
      void keep();
      // The host may have allowed videos meanwhile.
      askLimits();
    }
    // The device keeps nothing once nothing remains to be sent.
    if (!FREQUENT.has(event.type) && state.phase === 'idle' && isSettled(state)) void context.deviceStore?.clear();
  }

  function follow({ phase: before }: QueueState): void {
    if (before === 'waiting') pauses.cancel();
    if (state.phase === 'ending') breaking.abort();
    if (state.phase === 'waiting') pauses.wait();
    if (state.phase === 'sending') run = begin();
  }

  /** Loads the code that keeps files beyond the page's life. */
  function keep(): Promise<void> {
    const { signal } = left;
    keeping ??= loadAfterPaint()
      .then((loaded) => {
        if (signal.aborted) return;
        context.tus = loaded;
        const duplicates = (context.duplicates = loaded.createDuplicates());
        const lost = async (): Promise<ReadonlyMap<string, File>> => {
          dispatch({ type: 'followed' });
          await run;
          return filesOf(state.handed);
        };
        context.deviceStore = loaded.createDeviceStore(code, {
          dispatch,
          lost,
          hashed: duplicates.note,
          replaced: (key) => void terminate(key),
        });
      })
      // If the code did not come, the next occasion tries again.
      .catch(() => void (keeping = null));
    return keeping;
  }

  /** Makes a run: tries each submitted item once, also those that are added meanwhile. */
  async function begin(): Promise<void> {
    breaking = new AbortController();
    const { signal } = breaking;
    const taken = keep().then(() => context.deviceStore?.take());
    await within(TAKE_MS, taken, null, signal);
    const to = context.sender;
    if (!to || (!pauses.begin() && !signal.aborted)) return dispatch({ type: 'heldOff' });
    if (!context.limits) askLimits();
    const turns = createTurns();
    const ahead = { tried: new Set<string>(), idleMs: 0, heldMs: 0 };
    const inFlight = new Set<string>();
    context.way = newWay();
    const photos: Photo[] = [];
    const letSleep = keepAwake();
    const next = (): Item | undefined => (signal.aborted ? undefined : turns.next(state.items));
    const { pauseMs, gaveUp } = await runUploads<string, Photo>(
      {
        next: () => next()?.id,
        started(id) {
          turns.began({ id, size: itemOf(id)?.size ?? 0 });
          dispatch({ type: 'started', id });
        },
        // The item is read anew, because another page may have given it its file.
        async send(id) {
          await within(TAKE_MS, keep(), null, signal);
          // The newest photos come first.
          const owed = (): string[] =>
            state.items.flatMap((item) => (isUnsent(item) && item.submitted && !inFlight.has(item.id) ? [item.id] : [])).reverse();
          if (context.tus) await lane.clear(owed, ahead, signal);
          inFlight.add(id);
          return sendFile(context, id, to, signal);
        },
        async stored(id, photo) {
          turns.ended(id);
          const place = photos.push(photo) - 1;
          const item = itemOf(id);
          dispatch({ type: 'stored', id });
          if (item && photo.video && isVideoFile(item)) photos[place] = await givePoster(context, item, photo, to, signal);
        },
        failed(id, end, failure) {
          turns.ended(id);
          dispatch({ type: 'failed', id, state: end, failure });
        },
      },
      signal,
    );
    letSleep();
    pauses.ran(photos.length > 0, pauseMs);
    onStored(photos);
    dispatch({ type: 'ended', gaveUp });
  }

  function askLimits(): void {
    context.limits = call('GET /event/:code/max', { params: { code }, limitMs: LIMITS_MS }).catch(() => (context.limits = null));
  }

  /** Loads the code that draws; without it nothing is drawn until the next choice. */
  async function drawing(): Promise<void> {
    const { signal } = left;
    const loaded = await loadAfterPaint().catch(() => null);
    if (!loaded || signal.aborted || thumbnails) return;
    const posterOf = async (file: File) => (await loadPosters())?.posterOf(file) ?? null;
    thumbnails = loaded.createThumbnails(dispatch, {
      wants: previews.wants,
      isFull: lane.isFull,
      mostBytes: previews.mostBytes,
      drawn: lane.drawn,
      posterOf,
    });
    thumbnails.follow(state.items);
  }

  return {
    current: shown.current,
    subscribe: shown.subscribe,
    /** Starts drawing thumbnails and watching the network; returns a function that ends both. */
    open(): () => void {
      left = new AbortController();
      const { signal } = left;
      void drawing();
      askLimits();
      const ignore = onReturn(pauses.comeBack);
      if (recall('kept')) void keep();
      // A killed browser may have lost that note, so the database is read after the page's start.
      const check = window.setTimeout(() => {
        loadAfterPaint()
          .then((device) => device.rowsOf(code))
          .then((rows) => (rows.length > 0 && !signal.aborted ? keep() : undefined))
          .catch(() => undefined);
      }, KEPT_CHECK_MS);
      return () => {
        left.abort();
        clearTimeout(check);
        showSoon.cancel();
        ignore();
        pauses.cancel();
        breaking.abort();
        thumbnails?.close();
        context.deviceStore?.close();
        thumbnails = context.deviceStore = keeping = null;
        state = EMPTY;
        show();
      };
    },
    dispatch,
    /** Loads the code for a choice that is about to be made. */
    prepare(): void {
      void drawing().then(() => thumbnails?.prepare());
      void keep();
    },
    know: previews.know,
    /** Sends after a consent, in this guest's name. */
    send(consent: 'pressed' | 'agreed', to: Sender): void {
      context.sender = to;
      dispatch({ type: consent });
    },
    /** Ends the sending, and resolves then. Unsent photos are removed from the device, and from the server as soon as it can be reached. */
    async stop(): Promise<void> {
      let { items } = state;
      const { elsewhere } = state;
      dispatch({ type: 'stopped' });
      // The sending of another page of this browser ends, too.
      if (elsewhere) {
        await within(
          TAKE_MS,
          keep().then(() => context.deviceStore?.take()),
          null,
        );
        items = [...items, ...state.items];
        dispatch({ type: 'stopped' });
      }
      const unsent = items.filter((item) => !isStored(item));
      context.deviceStore?.tell(unsent.map(({ id }) => id));
      void context.deviceStore?.clear();
      await run;
      withdraw(unsent.flatMap(({ wire }) => (wire.begun ? wire.key : [])));
    },
  };
}
