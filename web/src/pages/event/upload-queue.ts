import type { Photo } from '@feierbild/contract/entities.ts';
import { backoffMs, onReturn } from '../../lib/backoff.ts';
import { recall } from '../../lib/storage.ts';
import { createStore } from '../../lib/store.ts';
import { throttle } from '../../lib/throttle.ts';
import { within } from '../../lib/time-limit.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import type { createOutboxStore } from './device/outbox-store.ts';
import type { createThumbnails } from './pictures/thumbnails.ts';
import type { createDuplicates } from './wire/duplicates.ts';
import { createLine } from './wire/line.ts';
import { createFileSender } from './wire/send-file.ts';
import type { Sender } from './wire/transfer.ts';
import { newWay } from './wire/way.ts';
import { isStored, isUnsent, isVideoFile, newWire, type Item } from './item.ts';
import { EMPTY, isSettled, step, type QueueEvent, type QueueState } from './machine.ts';
import { createPauses } from './queue/pauses.ts';
import { createPreviews } from './queue/previews.ts';
import { runUploads } from './queue/run.ts';
import { filesOf } from './queue/selection.ts';
import { createTurns } from './queue/turns.ts';

/** Least time between two redraws, ms. A timer and not frames: a hidden page has none, but its title tells how many are left. */
const REDRAW_MS = 30;
/** Delay of the check for kept files, so that it does not delay the page. */
const KEPT_CHECK_MS = 1_500;
/** Longest wait until the code that keeps files is loaded and this page has its lock; then sending begins without them. */
const TAKE_MS = 2_000;
/** A phone that draws no still picture of its video by then gives it none. */
const POSTER_MS = 20_000;
/** Happen for each file, or more often: redraws are gathered. */
const FREQUENT = new Set<QueueEvent['type']>(['started', 'progressed', 'announced', 'stored', 'failed', 'drawn', 'cloud', 'copied']);
/** Nothing of these outlives the page. */
const PASSING = new Set<QueueEvent['type']>(['progressed', 'drawn', 'announced']);

/** Code that comes after the page: the first choice needs it, or photos that an earlier page left. */
const loadAfterPaint = () => import('./after-paint.tsx');
type Tus = Awaited<ReturnType<typeof loadAfterPaint>>;
const loadPosters = () => import('./pictures/poster.ts').catch(() => null);

/**
 * The selected files of an event and their way to the server: passes events to the state machine (machine.ts), and sends, keeps and draws
 * accordingly. `onStored` gets the new photos at the end of a run, so that nothing else loads during it.
 */
export function createUploadQueue(code: string, onStored: (photos: Photo[]) => void) {
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
  let outbox: ReturnType<typeof createOutboxStore> | null = null;
  let tus: Tus | null = null;
  let duplicates: ReturnType<typeof createDuplicates> | null = null;
  let sender: Sender | null = null;
  /** Of the run that is under way. */
  let way = newWay();
  let run: Promise<void> = Promise.resolve();
  let breaking = new AbortController();
  const itemOf = (id: string): Item | undefined => state.items.find((item) => item.id === id);
  const previews = createPreviews({
    itemOf,
    send: (picture, item, signal) =>
      sender && tus && tus.sendPreview(picture, item, { sender, line, run: way, wire: item.wire, progress: () => undefined, signal }),
    announced: (id) => dispatch({ type: 'announced', id }),
    left: () => thumbnails?.more(),
  });
  const files = createFileSender(code, {
    itemOf,
    dispatch,
    terminate: (key) => void terminate(key),
    loaded: () => ({ tus, outbox, duplicates }),
  });

  function dispatch(event: QueueEvent): void {
    if (left.signal.aborted) return;
    const before = state;
    state = step(before, event);
    if (state.items !== before.items && !PASSING.has(event.type)) {
      thumbnails?.follow([...state.items, ...state.handed]);
      outbox?.follow(state.items);
      previews.keep(new Set(state.items.flatMap((item) => (isUnsent(item) ? [item.id] : []))));
    }
    if (FREQUENT.has(event.type)) showSoon();
    else {
      showSoon.cancel();
      show();
    }
    if (state.phase !== before.phase || event.type === 'ended') follow(before);
    // The preview of a photo that was taken out, or can no longer be read, goes from the server; also one that it has without this page's knowledge.
    if (event.type === 'removed' || event.type === 'failed') {
      const was = before.items.find(({ id }) => id === event.id);
      const isThere = event.type === 'removed' ? was?.wire.begun : was?.announced;
      const isOver = !state.items.some(({ id, announced }) => id === event.id && announced);
      if (was && isThere && isOver && !isStored(was)) void terminate(was.wire.key);
      // Chosen again, it is another upload: the end of this one may come late.
      if (was?.announced && event.type === 'failed' && event.state === 'lost') Object.assign(was.wire, newWire());
    }
    if (event.type === 'chosen') {
      void drawing();
      void keep();
    }
    // Nothing stays on the device where nothing can follow any more.
    if (!FREQUENT.has(event.type) && state.phase === 'idle' && isSettled(state)) void outbox?.clear();
  }

  /** Nothing of this upload stays on the server, its preview neither; resolves once the server has said so. */
  async function terminate(key: string): Promise<void> {
    const { signal } = left;
    // What was begun has told the server this device.
    const from = sender ?? { deviceId: recall('device_id') ?? '', password: '' };
    for (let attempt = 0; !signal.aborted; attempt++) {
      await keep();
      if (await tus?.terminate(key, from, signal)) return;
      await within(backoffMs(attempt), new Promise<never>(() => undefined), undefined, signal);
    }
  }

  function follow({ phase: before }: QueueState): void {
    if (before === 'waiting') pauses.cancel();
    if (state.phase === 'ending') breaking.abort();
    if (state.phase === 'waiting') pauses.wait();
    if (state.phase === 'sending') run = begin();
  }

  /** Loads what keeps files beyond the page's life. */
  function keep(): Promise<void> {
    const { signal } = left;
    keeping ??= loadAfterPaint()
      .then((loaded) => {
        if (signal.aborted) return;
        tus = loaded;
        duplicates = loaded.createDuplicates();
        const lost = async (): Promise<ReadonlyMap<string, File>> => {
          dispatch({ type: 'followed' });
          await run;
          return filesOf(state.handed);
        };
        outbox = loaded.createOutboxStore(code, { dispatch, lost, hashed: duplicates.note, replaced: (key) => void terminate(key) });
      })
      // Did not come: tried again at the next occasion.
      .catch(() => void (keeping = null));
    return keeping;
  }

  /** A run: tries each item that is to be sent once, also those that are added meanwhile. */
  async function begin(): Promise<void> {
    breaking = new AbortController();
    const { signal } = breaking;
    const taken = keep().then(() => outbox?.take());
    await within(TAKE_MS, taken, null, signal);
    const to = sender;
    if (!to || (!pauses.begin() && !signal.aborted)) return dispatch({ type: 'heldOff' });
    const turns = createTurns();
    const ahead = { tried: new Set<string>(), idleMs: 0, heldMs: 0 };
    const inFlight = new Set<string>();
    way = newWay();
    files.begin();
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
        // As it is now: it may have been given its file by another page.
        async send(id) {
          await within(TAKE_MS, keep(), null, signal);
          // The newest choice first.
          const owed = (): string[] =>
            state.items.flatMap((item) => (isUnsent(item) && item.released && !inFlight.has(item.id) ? [item.id] : [])).reverse();
          if (tus) await previews.clear(owed, ahead, signal);
          inFlight.add(id);
          return files.send(id, { sender: to, line, run: way, signal });
        },
        async stored(id, photo) {
          turns.ended(id);
          const place = photos.push(photo) - 1;
          const item = itemOf(id);
          dispatch({ type: 'stored', id });
          if (item && photo.video && isVideoFile(item)) photos[place] = await givePoster(item, photo, to);
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

  /** Gives a stored video its still picture; the photo as it is then. */
  async function givePoster(item: Item, photo: Photo, { deviceId }: Sender): Promise<Photo> {
    const given = Promise.all([loadPosters(), item.file ?? files.read(item)]).then(([posters, file]) =>
      posters && file instanceof File ? posters.sendPoster(file, photo, deviceId) : photo,
    );
    return within(POSTER_MS, given, photo, breaking.signal);
  }

  /** Loads what draws; without it nothing is drawn until the next choice. */
  async function drawing(): Promise<void> {
    const { signal } = left;
    const loaded = await loadAfterPaint().catch(() => null);
    if (!loaded || signal.aborted || thumbnails) return;
    const posterOf = async (file: File) => (await loadPosters())?.posterOf(file) ?? null;
    thumbnails = loaded.createThumbnails(dispatch, { ...previews, posterOf });
    thumbnails.follow(state.items);
  }

  /** Whether an earlier page of this browser left something. */
  function isKept(): Promise<boolean> {
    return import('./device/descriptors.ts').then((kept) => kept.isKept(code)).catch(() => false);
  }

  return {
    current: shown.current,
    subscribe: shown.subscribe,
    /** Starts drawing thumbnails and watching the network; returns what ends both. */
    open(): () => void {
      left = new AbortController();
      const { signal } = left;
      void drawing();
      // Asked here once, so that it is known when the first file is sent.
      void files.askLimits();
      const ignore = onReturn(pauses.comeBack);
      if (recall('kept')) void keep();
      // A killed browser may have lost that note: look once the page is there.
      const check = window.setTimeout(() => void isKept().then((any) => (any && !signal.aborted ? keep() : undefined)), KEPT_CHECK_MS);
      return () => {
        left.abort();
        clearTimeout(check);
        showSoon.cancel();
        ignore();
        pauses.cancel();
        breaking.abort();
        thumbnails?.close();
        outbox?.close();
        thumbnails = outbox = keeping = null;
        state = EMPTY;
        show();
      };
    },
    dispatch,
    know: previews.know,
    /** A choice is about to be made: what it needs is loaded meanwhile. */
    prepare(): void {
      void drawing().then(() => thumbnails?.prepare());
      void keep();
    },
    /** There is consent: what may be sent is sent in this guest's name. */
    send(consent: 'pressed' | 'agreed', to: Sender): void {
      sender = to;
      dispatch({ type: consent });
    },
    /** Ends the sending, and resolves then. Unsent photos leave the device, and the server as soon as it can be reached. */
    async stop(): Promise<void> {
      const wires = state.items.flatMap((item) => (isStored(item) ? [] : [item.wire]));
      dispatch({ type: 'stopped' });
      void outbox?.clear();
      await run;
      void Promise.all(wires.filter(({ begun }) => begun).map(({ key }) => terminate(key))).then(() => dispatch({ type: 'withdrawn' }));
    },
  };
}
