import type { Photo } from '@feierbild/contract/entities.ts';
import { recall } from '../../lib/storage.ts';
import type { Watched } from '../../lib/store.ts';
import { within } from '../../lib/time-limit.ts';
import { keepAwake } from '../../lib/wake-lock.ts';
import { t } from '../../texts/guest/guest.ts';
import type { Attempt } from './attempt.ts';
import { isKept } from './device/forget-kept.ts';
import type { Keeper } from './device/keeper.ts';
import type { Thumbnails } from './pictures/thumbnails.ts';
import { sendForm } from './wire/form.ts';
import type { Known } from './wire/known.ts';
import { limitsOf } from './wire/limits.ts';
import { createLine } from './wire/line.ts';
import { refusedBefore, unreached, unreadable, type Sender, type Sending } from './wire/transfer.ts';
import { createItem, isOwed, isStored, isVideoFile, newKey, newWire, type Item } from './item.ts';
import { EMPTY, isSettled, step, type QueueEvent, type QueueState } from './queue/machine.ts';
import { createPauses } from './queue/pauses.ts';
import { runUploads } from './queue/run.ts';
import { filesOf } from './queue/selection.ts';

/** Least time between two redraws, ms. A timer and not frames: a hidden page has none, but its title tells how many are left. */
const REDRAW_MS = 30;
/** Delay of the check for kept files, so that it does not delay the page. */
const KEPT_CHECK_MS = 1_500;
/** Longest wait until the code that keeps files is loaded and this page has its lock; then sending begins without them. */
const TAKE_MS = 2_000;
/** A file that is slow to read, as from a cloud, is sent without asking whether the server has it. Longer than a request may stall. */
const KNOWN_MS = 45_000;
/** A copy that does not come by then is read again later: after a sleep, storage of some phones answers nothing. */
const READ_MS = 10_000;
/** A phone that draws no still picture of its video by then gives it none. */
const POSTER_MS = 20_000;
/** Larger files are resumable from their start; smaller ones go as a form while the line holds. */
const FORM_BYTES = 4_000_000;

const ALTERED = { kind: 'refused', code: 'altered', message: t.failed.altered } as const;
/** Happen for each file, or more often: redraws are gathered. */
const FREQUENT = new Set<QueueEvent['type']>(['started', 'progressed', 'stored', 'failed', 'drawn', 'copied']);
/** Nothing of these is noted for later pages. */
const PASSING = new Set<QueueEvent['type']>(['progressed', 'drawn', 'cloud', 'line', 'elsewhere', 'followed']);

export interface UploadQueue extends Watched<QueueState> {
  /** Starts drawing thumbnails and watching the network; returns what ends both. */
  open(): () => void;
  add(files: readonly File[]): void;
  remove(id: string): void;
  start(sender: Sender): void;
  /** There is consent already: what an earlier page was told to send goes on. */
  goOn(sender: Sender): void;
  /** The consent is withdrawn: nothing is sent by itself until the next start. */
  withdraw(): void;
  /** Ends the sending; nothing of what was not sent stays on the device or the server. */
  stop(): void;
}

/** What comes later than the page: it is needed from the first choice on, or where an earlier page left something. */
const loadKeeping = () => Promise.all([import('./device/keeper.ts'), import('./wire/tus.ts'), import('./wire/known.ts')]);
type Tus = Awaited<ReturnType<typeof loadKeeping>>[1];
const loadPosters = () => import('./pictures/poster.ts').catch(() => null);

/**
 * The selected files of an event and their way to the server: lets things happen to the machine (machine.ts), and sends, keeps and draws
 * what follows. `onStored` is told of new photos at the end of a run, so that nothing else loads during it; `posters`: of whose videos the
 * server has got still pictures since.
 */
export function createUploadQueue(code: string, onStored: (photos: Photo[], posters: boolean) => void): UploadQueue {
  let state = EMPTY;
  let redraw = 0;
  const listeners = new Set<() => void>();
  const line = createLine((lost) => dispatch({ type: 'line', lost }));
  const pauses = createPauses(line.doubt, () => dispatch({ type: 'woken' }));
  /** Aborted when the page is left. */
  let left = new AbortController();
  let thumbnails: Thumbnails | null = null;
  let keeping: Promise<void> | null = null;
  let keeper: Keeper | null = null;
  let tus: Tus | null = null;
  let known: Known | null = null;
  let sender: Sender | null = null;
  let run: Promise<void> = Promise.resolve();
  let breaking = new AbortController();

  function dispatch(event: QueueEvent): void {
    if (left.signal.aborted) return;
    const before = state;
    state = step(before, event);
    keepAndDraw(before, event);
    if (!FREQUENT.has(event.type)) notify();
    else redraw ||= window.setTimeout(notify, REDRAW_MS);
    if (state.phase !== before.phase || event.type === 'ended') send(before);
    // Nothing stays on the device where nothing can follow any more.
    if (!FREQUENT.has(event.type) && state.phase === 'idle' && isSettled(state)) keeper?.clear();
  }

  function notify(): void {
    clearTimeout(redraw);
    redraw = 0;
    listeners.forEach((listener) => listener());
  }

  /** Frees what belongs to items that left, and notes the others as they are now. */
  function keepAndDraw(before: QueueState, event: QueueEvent): void {
    if (state.items === before.items || event.type === 'progressed') return;
    if (!FREQUENT.has(event.type)) {
      const stay = new Set([...state.items, ...state.handed].map(({ id }) => id));
      const gone = [...before.items, ...before.handed].filter(({ id }) => !stay.has(id));
      if (event.type !== 'followed') thumbnails?.forget((id) => !stay.has(id));
      for (const { thumbnail } of gone) if (thumbnail) URL.revokeObjectURL(thumbnail);
      if (event.type !== 'followed') keeper?.drop(gone);
    }
    if (PASSING.has(event.type)) return;
    const old = new Set(before.items);
    keeper?.note(event.type === 'led' ? state.items : state.items.filter((item) => !old.has(item)), state.items);
  }

  function send({ phase: before }: QueueState): void {
    if (before === 'waiting') pauses.cancel();
    if (state.phase === 'ending') breaking.abort();
    if (state.phase === 'waiting') pauses.wait();
    if (state.phase === 'taking') void take();
    if (state.phase === 'sending') run = begin();
  }

  /** Loads what keeps files beyond the page's life. */
  function keep(): Promise<void> {
    const { signal } = left;
    keeping ??= loadKeeping()
      .then(([{ createKeeper }, loaded, { createKnown }]) => {
        if (signal.aborted) return;
        tus = loaded;
        known = createKnown();
        keeper = createKeeper(code, {
          gained: (kept) => dispatch({ type: 'led', kept }),
          async lost() {
            dispatch({ type: 'followed' });
            await run;
            return filesOf(state.handed);
          },
          given: (files) => dispatch({ type: 'given', files }),
          elsewhere: (progress, done) => dispatch({ type: 'elsewhere', progress, done }),
          copied: (id) => dispatch({ type: 'copied', id }),
          hashed: known.note,
        });
      })
      // Did not come: tried again at the next occasion.
      .catch(() => void (keeping = null));
    return keeping;
  }

  async function take(): Promise<void> {
    await within(
      TAKE_MS,
      keep().then(() => keeper?.take()),
      null,
    );
    dispatch({ type: 'taken' });
  }

  /** A run: all that is owed, also what comes meanwhile, each once. */
  async function begin(): Promise<void> {
    const to = sender;
    if (!to || !pauses.begin()) {
      // Not while the event that led here is still told.
      await Promise.resolve();
      return dispatch({ type: 'heldOff' });
    }
    void keep();
    breaking = new AbortController();
    const { signal } = breaking;
    const tried = new Set<string>();
    const shared = { broken: false };
    const photos: Photo[] = [];
    let posters = false;
    const letSleep = keepAwake();
    const next = (): Item | undefined => state.items.find((item) => isOwed(item) && !tried.has(item.id));
    const { pauseMs, gaveUp } = await runUploads<string, Photo>(
      {
        next: () => next()?.id,
        started(id) {
          tried.add(id);
          dispatch({ type: 'started', id });
        },
        // As it is now: it may have been given its file by another page.
        send: (id) =>
          sendOne(id, (wire) => ({
            sender: to,
            wire,
            line,
            run: shared,
            signal,
            progress: (progress) => dispatch({ type: 'progressed', id, progress }),
          })),
        async stored(id, photo) {
          photos.push(photo);
          const item = state.items.find((one) => one.id === id);
          dispatch({ type: 'stored', id, photo });
          if (item && photo.video && isVideoFile(item)) posters = (await givePoster(item, photo, to)) || posters;
        },
        failed: (id, end, failure) => dispatch({ type: 'failed', id, state: end, failure }),
      },
      signal,
    );
    letSleep();
    pauses.ran(photos.length > 0, pauseMs);
    onStored(photos, posters);
    dispatch({ type: 'ended', gaveUp });
  }

  /** One attempt to send one file. */
  async function sendOne(id: string, sendingOf: (wire: Item['wire']) => Sending): Promise<Attempt<Photo>> {
    const item = state.items.find((one) => one.id === id);
    if (!item) return unreached;
    const { wire } = item;
    const sending = sendingOf(wire);
    const { signal } = sending;
    const refused = refusedBefore(item.size, sending.sender);
    if (refused) return refused;
    const file = item.file ?? (await read(item, signal));
    if (file === 'late') return { kind: 'unreached', code: 'device_silent', message: t.failed.device_silent, pauseMs: 0 };
    if (!file) return unreadable;
    const before = await within(KNOWN_MS, isKnown(item, file, sending), null, signal);
    if (before) return before;
    if (signal.aborted) return unreached;
    // Whether it is the file that was begun could not be found out: two files must not become one.
    if (wire.chosenAgain) Object.assign(wire, newWire());
    const asForm = !tus || (file.size <= FORM_BYTES && !wire.begun && !sending.run.broken);
    const end = await (asForm ? sendForm : tus!.sendResumable)(file, item.name, sending);
    // A file that was gone before the page was there has the size 0, and so has its copy.
    if (end.kind === 'lost' && item.file) {
      const copy = await read(item, signal);
      if (copy !== 'late' && copy?.size) {
        dispatch({ type: 'copyOnly', id });
        return sendOne(id, sendingOf);
      }
    }
    if (end.kind !== 'stored') return end;
    const { photo, sha256 } = end.value;
    if (sha256 === null || wire.sha256 === null || sha256 === wire.sha256) return { kind: 'stored', value: photo };
    if (wire.resent) return ALTERED;
    // Once more from the beginning: the file may have been changed since it was hashed.
    Object.assign(wire, { ...newWire(), resent: true });
    return unreached;
  }

  /** Ends the way of a file that the server has from this device already, or whose copy is damaged. Null: it has to be sent. */
  async function isKnown(item: Item, file: File, sending: Sending): Promise<Attempt<Photo> | null> {
    const eventId = limitsOf(code).then((limits) => limits?.eventId ?? null);
    const fingerprint = (await keeper?.fingerprint(item, file, { deviceId: sending.sender.deviceId, eventId })) ?? null;
    if (fingerprint === false) return unreadable;
    // Where other bytes than these were stored, the server's word for them is not asked for.
    return fingerprint === null || !known || item.wire.resent ? null : known.ask(fingerprint, sending);
  }

  /** The kept bytes; null where there are none. */
  async function read(item: Item, signal?: AbortSignal): Promise<File | null | 'late'> {
    return keeper ? within(READ_MS, keeper.read(item), 'late', signal) : null;
  }

  /** Gives a stored video its still picture; whether the server has it now. */
  async function givePoster(item: Item, photo: Photo, { deviceId }: Sender): Promise<boolean> {
    const given = Promise.all([loadPosters(), item.file ?? read(item)]).then(([posters, file]) =>
      posters && file instanceof File ? posters.sendPoster(file, photo, deviceId) : false,
    );
    return within(POSTER_MS, given, false, breaking.signal);
  }

  /** Loads what draws; without it nothing is drawn until the next choice. */
  async function drawing(): Promise<void> {
    const { signal } = left;
    const loaded = await import('./pictures/thumbnails.ts').catch(() => null);
    if (!loaded || signal.aborted || thumbnails) return;
    thumbnails = loaded.createThumbnails({
      drawn: (id, thumbnail) => dispatch({ type: 'drawn', id, thumbnail }),
      cloud: (cloud) => cloud !== state.cloud && dispatch({ type: 'cloud', cloud }),
    });
    state.items.forEach(draw);
  }

  function draw({ id, file, isHeic, ...item }: Item): void {
    if (!file) return;
    const isVideo = isVideoFile(item);
    thumbnails?.add(id, file, !isHeic && !isVideo);
    if (!isVideo) return;
    const drawn = loadPosters().then((posters) => posters?.posterOf(file) ?? null);
    void drawn.then((picture) => dispatch({ type: 'drawn', id, thumbnail: picture && URL.createObjectURL(picture) }));
  }

  return {
    current: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open() {
      left = new AbortController();
      const { signal } = left;
      void drawing();
      const stopWatching = pauses.open();
      if (recall('kept')) void keep();
      // Where a browser was killed, it may have forgotten the note: looked for once the page is there.
      const check = window.setTimeout(() => void isKept(code).then((any) => (any && !signal.aborted ? keep() : undefined)), KEPT_CHECK_MS);
      return () => {
        left.abort();
        clearTimeout(check);
        clearTimeout(redraw);
        redraw = 0;
        stopWatching();
        breaking.abort();
        thumbnails?.close();
        keeper?.close();
        thumbnails = keeper = keeping = null;
        for (const { thumbnail } of [...state.items, ...state.handed]) if (thumbnail) URL.revokeObjectURL(thumbnail);
        state = EMPTY;
      };
    },
    add(files) {
      const before = new Set(state.items.map(({ file }) => file));
      dispatch({ type: 'chosen', items: files.map((file) => createItem(file, newKey())) });
      if (thumbnails) for (const item of state.items) if (!before.has(item.file)) draw(item);
      if (!thumbnails) void drawing();
      void keep();
    },
    remove: (id) => dispatch({ type: 'removed', id }),
    start(to) {
      sender = to;
      dispatch({ type: 'pressed' });
    },
    goOn(to) {
      sender = to;
      dispatch({ type: 'agreed' });
    },
    withdraw: () => dispatch({ type: 'withdrawn' }),
    async stop() {
      const from = sender;
      const unsent = state.items.filter((item) => !isStored(item));
      dispatch({ type: 'stopped' });
      await run;
      if (from) for (const { wire } of unsent) if (wire.begun) tus?.terminate(wire.key, from);
      keeper?.clear();
    },
  };
}
