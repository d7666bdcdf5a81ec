import { HELD_UP, WAITING, isHopeless, isMissing, isOwed, isStored, isUnsent, type Failure, type Item } from './item.ts';
import { addFiles, submit, takeBack, withdraw, withFiles } from './queue/selection.ts';

/**
 * The queue of an event's chosen files as a state machine: `QueueState`, `QueueEvent`, and the state after an event (`step`). It is
 * pure; upload-queue.ts sends, keeps and draws accordingly.
 */

export type Phase =
  /** Nothing is sent. */
  | 'idle'
  /** A run is in progress. It begins by making this page the one of its browser that sends. */
  | 'sending'
  /** The run is being cancelled. */
  | 'ending'
  /** A run left unsent items; the next one begins by itself. */
  | 'waiting';

export interface QueueState {
  phase: Phase;
  items: readonly Item[];
  /** Items of this page that another page of this browser sends. */
  handed: readonly Item[];
  /**
   * `removing` after the guest ended the sending, or took out an item that had begun, until the server has removed its parts; then `removed`
   * if the sending is over.
   */
  ended: 'removing' | 'removed' | null;
  /** Whether the guest has consented to the sending. */
  agreed: boolean;
  /** The reason why submitted items make no progress; null while they do. */
  trouble: 'line' | 'server' | 'way' | 'device' | null;
  /** Progress of another page of this browser, while it is the one that sends. */
  elsewhere: { stored: number; total: number } | null;
  /** Whether the device still loads a chosen file from a cloud. */
  cloud: boolean;
  /** Number of times that the device did not give this page's kept items; 0: none is missing. Infinity: it has lost them all. */
  silent: number;
}

export type QueueEvent =
  | { type: 'chosen'; items: readonly Item[] }
  | { type: 'removed'; id: string }
  /** A file's picture is drawn; null if it cannot be drawn. */
  | { type: 'drawn'; id: string; thumbnail: string | null }
  | { type: 'copied'; id: string }
  /** This device has noted the press for the item. */
  | { type: 'noted'; id: string }
  /** The item's file can no longer be read, but its copy can. */
  | { type: 'copyOnly'; id: string }
  | { type: 'cloud'; cloud: boolean }
  /** The guest pressed the button. */
  | { type: 'pressed' }
  /** The guest consented on an earlier page, so its submitted items continue. */
  | { type: 'agreed' }
  /** The pause between two runs is over. */
  | { type: 'woken' }
  /** The server still asks for a pause. */
  | { type: 'heldOff' }
  | { type: 'started'; id: string }
  | { type: 'progressed'; id: string; progress: number }
  /** The server shows the item's preview. */
  | { type: 'announced'; id: string }
  | { type: 'stored'; id: string }
  | { type: 'failed'; id: string; state: 'refused' | 'lost' | 'waiting'; failure: Failure }
  /** The run has ended. `gaveUp`: there may be files that were not tried. */
  | { type: 'ended'; gaveUp: boolean }
  /** The server stopped answering, or answers again. */
  | { type: 'line'; lost: boolean }
  /** The server is reachable, but does not answer the uploads. */
  | { type: 'held' }
  /** The guest ended the sending or withdrew the consent: nothing is sent until the next press. */
  | { type: 'stopped' }
  /** The server has confirmed that it keeps nothing of the ended sending and of removed items. */
  | { type: 'withdrawn' }
  /**
   * This page becomes the one that sends. `kept`: the saved items of earlier and other pages; null while the device does not give them.
   * `gone`: the device has lost them.
   */
  | { type: 'led'; kept: readonly Item[] | null; gone?: boolean }
  /** Another page sends from now on. */
  | { type: 'followed' }
  /** Another page hands over these files. */
  | { type: 'given'; files: ReadonlyMap<string, File> }
  /** The page that sends reports its progress. `done`: ids that it has just stored, or whose sending the guest ended. */
  | { type: 'elsewhere'; progress: { stored: number; total: number }; done: readonly string[] };

export const EMPTY: QueueState = {
  phase: 'idle',
  items: [],
  handed: [],
  ended: null,
  agreed: false,
  trouble: null,
  elsewhere: null,
  cloud: false,
  silent: 0,
};

type Table = Record<Phase, Partial<Record<QueueEvent['type'], Phase>>>;

/** The next phase, by phase and event; other events do not change it. Only owed items lead to `sending` and `waiting` (`guarded`). */
const NEXT: Table = {
  idle: { pressed: 'sending', agreed: 'sending', led: 'sending', given: 'sending' },
  sending: { ended: 'waiting', heldOff: 'waiting', stopped: 'ending', followed: 'ending' },
  ending: { ended: 'sending' },
  waiting: {
    woken: 'sending',
    pressed: 'sending',
    agreed: 'sending',
    led: 'sending',
    given: 'sending',
    stopped: 'idle',
    followed: 'idle',
  },
};

/** Returns the queue after an event. */
export function step(state: QueueState, event: QueueEvent): QueueState {
  const changed = { ...state, ...changes(state, event) };
  const next = NEXT[state.phase][event.type];
  const phase = next ? guarded(changed, next, event) : state.phase;
  // The last owed item may be stored or removed between two runs.
  const after = { ...changed, phase: phase === 'waiting' && !changed.items.some(isOwed) ? 'idle' : phase };
  return { ...after, trouble: troubleOf(after, event) };
}

function guarded({ agreed, items }: QueueState, phase: Phase, event: QueueEvent): Phase {
  if (phase !== 'sending' && phase !== 'waiting') return phase;
  const owed = items.filter(isOwed);
  if (!agreed || owed.length === 0) return 'idle';
  // Items that came during the run were not tried yet, so the next run need not wait.
  const untried = event.type === 'ended' && !event.gaveUp && owed.some(({ failure }) => failure === null);
  return untried ? 'sending' : phase;
}

function troubleOf({ phase, trouble, items }: QueueState, event: QueueEvent): QueueState['trouble'] {
  if (phase === 'idle' || phase === 'ending' || event.type === 'stored') return null;
  if (event.type === 'heldOff') return 'server';
  if (event.type === 'line' && phase === 'sending' && event.lost) return 'line';
  if (event.type === 'progressed' || (event.type === 'line' && phase === 'sending')) return trouble === 'line' ? null : trouble;
  if (event.type === 'held') return 'way';
  if (event.type !== 'ended' || phase !== 'waiting') return trouble;
  const codes = items.filter(isOwed).flatMap(({ failure }) => (failure ? [failure.code] : []));
  if (codes.length > 0 && codes.every((code) => code === 'device_silent')) return 'device';
  // The last failure had an answer from the server or a proxy, so the network works.
  if (codes.includes('not_ours')) return 'way';
  return codes.length > 0 && !codes.includes('no_connection') ? 'server' : 'line';
}

function changes(state: QueueState, event: QueueEvent): Partial<QueueState> {
  const { items, handed, phase } = state;
  /** Only the server's word ends the removal. */
  const ended = state.ended === 'removing' ? 'removing' : null;
  const one = (id: string, change: Partial<Item>): Partial<QueueState> => ({
    items: items.map((item) => (item.id === id ? { ...item, ...change } : item)),
  });
  switch (event.type) {
    case 'chosen':
      return { items: addFiles(items, event.items), ended, ...(state.silent === Infinity && { silent: 0 }) };
    case 'removed':
      return {
        items: items.filter(({ id }) => id !== event.id),
        ...(items.some((item) => item.id === event.id && item.wire.begun && isUnsent(item)) && { ended: 'removing' }),
      };
    case 'drawn':
      return one(event.id, { thumbnail: event.thumbnail });
    case 'copied':
      return one(event.id, { kept: true });
    case 'noted':
      return one(event.id, { noted: true });
    case 'copyOnly':
      return one(event.id, { file: null });
    case 'cloud':
      return { cloud: event.cloud };
    case 'pressed':
      return phase === 'idle' || phase === 'waiting' ? { agreed: true, items: submit(items), trouble: null, ended } : {};
    case 'agreed':
      return { agreed: true };
    case 'started':
      return one(event.id, { ...WAITING, state: 'sending' });
    case 'announced':
      return one(event.id, { announced: true });
    case 'progressed':
      return one(event.id, { progress: event.progress });
    case 'stored':
      return { ...one(event.id, { ...WAITING, state: 'stored', progress: 1 }), handed: handed.filter(({ id }) => id !== event.id) };
    case 'failed': {
      const { id, state: end, failure } = event;
      // Failures in a cancelled run do not count.
      return one(id, phase === 'sending' ? { state: end, failure, ...(end === 'lost' && { announced: false }) } : WAITING);
    }
    case 'ended':
      return { items: items.map((item) => (item.state === 'sending' ? { ...item, ...WAITING } : item)) };
    case 'stopped':
      return { agreed: false, items: withdraw(items), ended: items.some((item) => item.submitted && isUnsent(item)) ? 'removing' : ended };
    case 'withdrawn':
      // After the removal of a single item, the sending goes on.
      return { ended: state.ended && !state.agreed ? 'removed' : null };
    case 'led':
      return {
        items: takeBack(items, event.kept ?? [], handed),
        handed: [],
        elsewhere: null,
        silent: event.kept === null ? state.silent + 1 : event.gone ? Infinity : 0,
      };
    case 'followed': {
      const mine = items.filter(({ submitted }) => submitted);
      // Items that were chosen here and not submitted stay with this page, and their copies are gone.
      const chosen = items.flatMap((item) => (item.submitted || item.earlier ? [] : [{ ...item, kept: false }]));
      return { items: chosen, handed: [...handed, ...mine.filter(({ file }) => file)], silent: 0 };
    }
    case 'given':
      return { items: withFiles(items, event.files) };
    case 'elsewhere': {
      const done = new Set(event.done);
      return { elsewhere: event.progress, ...(done.size > 0 && { handed: handed.filter((item) => !done.has(item.id)) }) };
    }
    case 'held':
      return { items: items.map((item) => (item.failure?.code === 'no_connection' ? { ...item, failure: HELD_UP } : item)) };
    case 'woken':
    case 'heldOff':
    case 'line':
      return {};
  }
}

/** Tells whether a run is in progress: the button is the progress bar, and nothing can be chosen or removed. */
export function isRunning({ phase }: Pick<QueueState, 'phase'>): boolean {
  return phase === 'sending' || phase === 'ending';
}

/** Tells whether submitted items wait for the network or the server; they continue by themselves. */
export function isStuck({ trouble, items }: Pick<QueueState, 'trouble' | 'items'>): boolean {
  return trouble !== null && items.some((item) => item.submitted && isUnsent(item));
}

/** Number of silences of the device after which the page asks the guest to choose the files again. */
export const SILENCES = 3;

/** Tells whether nothing remains to be sent: all items are stored or refused for good. */
export function isSettled({ items, handed }: QueueState): boolean {
  return handed.length === 0 && items.every((item) => isStored(item) || (isHopeless(item) && !isMissing(item)));
}
