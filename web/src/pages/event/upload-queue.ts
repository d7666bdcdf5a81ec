import type { Photo } from '@feierbild/contract/entities.ts';
import { call } from '../../api/client.ts';
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
import { sendForm, unreached, unreadable, type Sender, type Sending } from './wire/transfer.ts';
import { newWay } from './wire/way.ts';
import { isStored, isUnsent, isVideoFile, newWire, type Attempt, type Item, type Wire } from './item.ts';
import { EMPTY, SILENCES, isSettled, step, type QueueEvent, type QueueState } from './machine.ts';
import { createPreviewLane } from './queue/preview-lane.ts';
import { createPauses } from './queue/pauses.ts';
import { runUploads } from './queue/run.ts';
import { filesOf } from './queue/selection.ts';
import { createTurns } from './queue/turns.ts';
import { loadAfterPaint } from './use-after-paint.ts';

/** Least time between two redraws, ms. A timer and not frames: a hidden page has none, but its title tells how many are left. */
const REDRAW_MS = 30;
/** Delay of the check for kept files, so that it does not delay the page. */
const KEPT_CHECK_MS = 1_500;
/** Longest wait until the code that keeps files is loaded and this page has its lock; then sending begins without them. */
const TAKE_MS = 2_000;
/** For the question what the server takes: nothing of a file is sent before its answer. */
const LIMITS_MS = 15_000;
/** A file that is slow to read, as from a cloud, is sent without asking whether the server has it. Longer than a request may stall. */
const KNOWN_MS = 45_000;
/** A copy that does not come by then is read again later: after a sleep, storage of some phones answers nothing. */
const READ_MS = 10_000;
/** A phone that draws no still picture of its video by then gives it none. */
const POSTER_MS = 20_000;
/** After so many requests that nothing answered on a line that holds, the browser may refuse to send the file: its bytes are read, and sent from memory. */
const UNANSWERED = 3;
/** Larger files have no place in memory. */
const MEMORY_BYTES = 100 * 1024 * 1024;
/** Larger files are resumable from their start; smaller ones go as a form while the line holds. */
const FORM_BYTES = 4_000_000;
/** No preview is sent of a smaller file, or of one that the line takes in less time, ms: the file itself is there as soon. */
const PREVIEWED_BYTES = 600_000;
const PREVIEWED_MS = 1_000;
/** A preview's bytes: as many as the line takes in this time, ms, within these limits; the least while the line's speed is unknown. */
const PREVIEW_MS = 750;
const LEAST_PREVIEW_BYTES = 90_000;
const MOST_PREVIEW_BYTES = 300_000;
/** The server refused a preview: for so long, ms, it would refuse the next ones, too. */
const REFUSED_MS = 10 * 60_000;

const ALTERED = { kind: 'refused', code: 'altered', message: '' } as const;
const TOO_LARGE = { kind: 'refused', code: 'too_large', message: '' } as const;
/** Happen for each file, or more often: redraws are gathered. */
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
/** Nothing of these outlives the page. */
const PASSING = new Set<QueueEvent['type']>(['progressed', 'drawn', 'announced']);

type Tus = Awaited<ReturnType<typeof loadAfterPaint>>;
type Limits = Awaited<ReturnType<typeof call<'GET /event/:code/max'>>>;
const loadPosters = () => import('./pictures/poster.ts').catch(() => null);

/** The event's password is another one by now. */
const isPasswordRefused = (end: Attempt<unknown>): end is Attempt<never> => end.kind === 'refused' && end.code === 'wrong_event_password';

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
  /** The server's limits for the event; null where it could not be asked. */
  let limits: Promise<Limits | null> | null = null;
  let sender: Sender | null = null;
  const lane = createPreviewLane(announce, () => thumbnails?.more());
  const here = new Set<string>();
  /** The line's speed at the last preview, bytes per ms; null: none was sent yet. */
  let lineRate: number | null = null;
  /** By `performance.now()`. */
  let noneUntil = 0;
  /** Of the run that is under way. */
  let way = newWay();
  /** The event's password was refused in this run: the next files would be, too, and each would count as a guess of everybody in this network. */
  let passwordRefusal: Attempt<never> | null = null;
  let run: Promise<void> = Promise.resolve();
  let breaking = new AbortController();

  const itemOf = (id: string): Item | undefined => state.items.find((item) => item.id === id);

  function dispatch(event: QueueEvent): void {
    if (left.signal.aborted) return;
    const before = state;
    state = step(before, event);
    if (state.items !== before.items && !PASSING.has(event.type)) {
      thumbnails?.follow([...state.items, ...state.handed]);
      outbox?.follow(state.items);
      lane.keep(new Set(state.items.flatMap((item) => (isUnsent(item) ? [item.id] : []))));
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
      // The host may have let videos in since.
      askLimits();
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
    if (!limits) askLimits();
    const turns = createTurns();
    const ahead = { tried: new Set<string>(), idleMs: 0, heldMs: 0 };
    const inFlight = new Set<string>();
    way = newWay();
    passwordRefusal = null;
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
          if (tus) await lane.clear(owed, ahead, signal);
          inFlight.add(id);
          return sendOne(id, { sender: to, line, run: way, signal });
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

  /** Sends a photo's preview ahead of it. False: to be tried again. */
  async function announce(id: string, picture: Blob, signal: AbortSignal): Promise<boolean> {
    const item = itemOf(id);
    const began = performance.now();
    if (!item || !sender || !tus || item.announced || passwordRefusal || !mostBytes(item)) return true;
    const { wire } = item;
    const end = await tus.sendPreview(picture, item, { sender, line, run: way, wire, progress: () => undefined, signal });
    if (end.kind === 'refused' && end.code === 'preview_refused') noneUntil = began + REFUSED_MS;
    if (isPasswordRefused(end)) passwordRefusal = end;
    if (end.kind !== 'stored') return end.kind !== 'unreached';
    lineRate = picture.size / (performance.now() - began);
    dispatch({ type: 'announced', id });
    return true;
  }

  /** One attempt to send one file. */
  async function sendOne(id: string, inRun: Omit<Sending, 'wire' | 'progress'>): Promise<Attempt<Photo>> {
    const item = itemOf(id);
    if (!item) return unreached;
    const { wire } = item;
    const { signal } = inRun;
    const sending = { ...inRun, wire, progress: (progress: number) => dispatch({ type: 'progressed', id, progress }) };
    const taken = limits && (await within(KNOWN_MS, limits, null, signal));
    // The answer to a file that is much too large does not always get through: the server closes the connection before it has read it all.
    if (taken && item.size > (taken.max_video_bytes ?? taken.max_file_bytes)) return TOO_LARGE;
    const file = item.file ?? (await read(item, signal));
    if (file === 'late') return silent(wire);
    if (!file) return unreadable;
    const before = await within(KNOWN_MS, askDuplicate(item, file, taken?.event_id ?? null, sending), null, signal);
    if (before?.kind === 'stored' && item.announced) void terminate(wire.key);
    if (before) return before;
    if (signal.aborted) return unreached;
    // What is begun needs no password.
    if (passwordRefusal && !wire.begun) return passwordRefusal;
    // Whether it is the file that was begun could not be found out: two files must not become one.
    if (wire.chosenAgain) {
      void terminate(wire.key);
      Object.assign(wire, newWire());
    }
    const isSmall = file.size <= FORM_BYTES && !way.broken;
    const isForm = !taken || file.size <= taken.max_file_bytes;
    // The code that sends in parts did not come.
    if (!tus && !isForm) return unreached;
    const asForm = !tus || (isForm && !wire.begun && file.size <= way.mostBytes && (isSmall || way.whole));
    const body = wire.unanswered < UNANSWERED ? file : await inMemory(item, file, signal);
    const end = await (asForm ? sendForm : tus!.sendResumable)(body, item.name, sending);
    if (asForm && end.kind === 'unreached') Object.assign(way, { broken: true, whole: false });
    // A file that was gone before the page was there has the size 0, and so has its copy.
    if (end.kind === 'lost' && item.file) {
      const copy = await read(item, signal);
      const isKept = itemOf(id)?.kept;
      if (copy === 'late' && isKept) return silent(wire);
      if (copy instanceof File && copy.size) {
        dispatch({ type: 'copyOnly', id });
        return sendOne(id, inRun);
      }
    }
    if (isPasswordRefused(end)) passwordRefusal = end;
    if (end.kind !== 'stored') return end;
    const { photo, sha256 } = end.value;
    if (sha256 === null || wire.sha256 === null || sha256 === wire.sha256) return { kind: 'stored', value: photo };
    if (wire.resent) return ALTERED;
    // Once more from the beginning: the file may have been changed since it was hashed.
    Object.assign(wire, { ...newWire(), resent: true });
    return unreached;
  }

  /** The device does not give its copy: it may at the next visit; until then the guest can choose the photo again. */
  function silent(wire: Wire): Attempt<never> {
    return ++wire.silences >= SILENCES ? unreadable : { kind: 'unreached', code: 'device_silent', message: '', pauseMs: 0 };
  }

  /** How the attempt ends without sending: the server has the file from this device already, or its copy is damaged. Null: it has to be sent. */
  async function askDuplicate(item: Item, file: File, eventId: string | null, sending: Sending): Promise<Attempt<Photo> | null> {
    const fingerprint = (await outbox?.fingerprint(item, file, sending.sender.deviceId, eventId)) ?? null;
    if (fingerprint === false) return unreadable;
    // The server stored other bytes under this fingerprint once: it is not asked again.
    return fingerprint === null || !duplicates || item.wire.resent ? null : duplicates.ask(fingerprint, sending);
  }

  /** The kept bytes; null where there are none. */
  async function read(item: Item, signal?: AbortSignal): Promise<File | null | 'late'> {
    return outbox ? within(READ_MS, outbox.read(item), 'late', signal) : null;
  }

  /** The file's bytes, where this device gives them: those of its copy, else of the file itself. */
  async function inMemory(item: Item, file: File, signal: AbortSignal): Promise<Blob> {
    if (item.size > MEMORY_BYTES || item.file === null) return file;
    const copy = item.kept ? await read(item, signal) : null;
    if (copy instanceof File) return copy;
    const bytes = await within(
      KNOWN_MS,
      file.arrayBuffer().catch(() => null),
      null,
      signal,
    );
    return bytes ? new Blob([bytes], { type: file.type }) : file;
  }

  /** Gives a stored video its still picture; the photo as it is then. */
  async function givePoster(item: Item, photo: Photo, { deviceId }: Sender): Promise<Photo> {
    const given = Promise.all([loadPosters(), item.file ?? read(item)]).then(([posters, file]) =>
      posters && file instanceof File ? posters.sendPoster(file, photo, deviceId) : photo,
    );
    return within(POSTER_MS, given, photo, breaking.signal);
  }

  function askLimits(): void {
    limits = call('GET /event/:code/max', { params: { code }, limitMs: LIMITS_MS }).catch(() => (limits = null));
  }

  /** Whether a preview of a file is of use. */
  function wants({ id, name, type, size, wire }: Item): boolean {
    const isNews = !here.has(`${name} ${size}`) && !wire.begun && !wire.chosenAgain;
    const isWanted = type.startsWith('image/') && size >= PREVIEWED_BYTES && isNews;
    if (isWanted) lane.expect(id);
    return isWanted;
  }

  /** The largest preview; 0 where the line takes the photo itself as soon, or the server takes none. */
  function mostBytes({ size }: Item): number {
    const isSoon = lineRate !== null && size / lineRate < PREVIEWED_MS;
    if (isSoon || performance.now() < noneUntil) return 0;
    return Math.min(MOST_PREVIEW_BYTES, Math.max(LEAST_PREVIEW_BYTES, (lineRate ?? 0) * PREVIEW_MS));
  }

  /** Loads what draws; without it nothing is drawn until the next choice. */
  async function drawing(): Promise<void> {
    const { signal } = left;
    const loaded = await loadAfterPaint().catch(() => null);
    if (!loaded || signal.aborted || thumbnails) return;
    const posterOf = async (file: File) => (await loadPosters())?.posterOf(file) ?? null;
    thumbnails = loaded.createThumbnails(dispatch, { wants, isFull: lane.isFull, mostBytes, drawn: lane.drawn, posterOf });
    thumbnails.follow(state.items);
  }

  return {
    current: shown.current,
    subscribe: shown.subscribe,
    /** Starts drawing thumbnails and watching the network; returns what ends both. */
    open(): () => void {
      left = new AbortController();
      const { signal } = left;
      void drawing();
      askLimits();
      const ignore = onReturn(pauses.comeBack);
      if (recall('kept')) void keep();
      // A killed browser may have lost that note: look once the page is there.
      const check = window.setTimeout(() => {
        loadAfterPaint()
          .then((kept) => kept.isKept(code))
          .then((any) => (any && !signal.aborted ? keep() : undefined))
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
        outbox?.close();
        thumbnails = outbox = keeping = null;
        state = EMPTY;
        show();
      };
    },
    dispatch,
    /** A choice is about to be made: what it needs is loaded meanwhile. */
    prepare(): void {
      void drawing().then(() => thumbnails?.prepare());
      void keep();
    },
    /** Photos of this device on the server: chosen again, they need no preview. */
    know(photos: readonly Photo[]): void {
      for (const { filename, size } of photos) here.add(`${filename} ${size}`);
    },
    /** There is consent: what may be sent is sent in this guest's name. */
    send(consent: 'pressed' | 'agreed', to: Sender): void {
      sender = to;
      dispatch({ type: consent });
    },
    /** Ends the sending, and resolves then. Unsent photos leave the device, and the server as soon as it can be reached. */
    async stop(): Promise<void> {
      let { items } = state;
      const { elsewhere } = state;
      dispatch({ type: 'stopped' });
      // What another page of this browser sends ends, too.
      if (elsewhere) {
        await within(
          TAKE_MS,
          keep().then(() => outbox?.take()),
          null,
        );
        items = [...items, ...state.items];
        dispatch({ type: 'stopped' });
      }
      const unsent = items.filter((item) => !isStored(item));
      outbox?.tell(unsent.map(({ id }) => id));
      void outbox?.clear();
      await run;
      void Promise.all(unsent.map(async ({ wire }) => wire.begun && terminate(wire.key))).then(() => dispatch({ type: 'withdrawn' }));
    },
  };
}
