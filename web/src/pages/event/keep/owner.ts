/** A page that does not answer for this long is frozen, or busy: another one takes over. */
const ANSWER_MS = 1_500;

/** What pages of the same event tell each other. */
export type Message =
  /** A page that is looked at asks who sends. */
  | { type: 'hello' }
  /** A page where somebody acts wants to be the one that sends. */
  | { type: 'take' }
  /** By the one that sends. */
  | { type: 'state'; stored: number; total: number }
  /** By the one that sent before: files that it was given. */
  | { type: 'files'; files: [id: string, file: File][] };

interface Hooks {
  /** This page sends from now on; resolves when it knows what. */
  gained(): Promise<void>;
  /** Another page sends from now on; resolves when this one has stopped. */
  lost(): Promise<void>;
  heard(message: Message): void;
}

export interface Owner {
  /** Makes this page the one that sends. */
  take(): Promise<void>;
  post(message: Message): void;
  close(): void;
}

/** Whether this browser can agree on one page that sends: older ones and plain http cannot. */
export const canOwn = (): boolean => typeof navigator !== 'undefined' && 'locks' in navigator && 'BroadcastChannel' in window;

/**
 * One page at a time sends what is kept: it holds a lock. Others wait for the lock. Where somebody acts, or looks while the owner is
 * hidden, the owner hands over; a frozen one is robbed, and hears of it when it wakes up.
 */
export function createOwner(name: string, hooks: Hooks): Owner {
  const channel = new BroadcastChannel(name);
  let release: (() => void) | null = null;
  let queued = new AbortController();
  let takers: (() => void)[] = [];
  let timer = 0;
  let closed = false;

  const hold = async (): Promise<void> => {
    clearTimeout(timer);
    const over = new Promise<void>((resolve) => (release = resolve));
    await hooks.gained();
    takers.splice(0).forEach((taken) => taken());
    await over;
  };

  const ask = async (steal: boolean): Promise<void> => {
    queued.abort();
    queued = new AbortController();
    const { signal } = queued;
    try {
      await navigator.locks.request(name, steal ? { steal } : { signal }, hold);
    } catch {
      if (signal.aborted || closed) return;
      // Robbed.
      release = null;
      await hooks.lost();
    }
    if (!closed) void ask(false);
  };

  /** Robs whoever holds the lock, unless somebody answers meanwhile. */
  const robLater = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (!release && !closed) void ask(true);
    }, ANSWER_MS);
  };

  const handOver = async (): Promise<void> => {
    const letGo = release;
    if (!letGo) return;
    release = null;
    await hooks.lost();
    letGo();
  };

  const look = (): void => {
    if (release || document.visibilityState !== 'visible') return;
    channel.postMessage({ type: 'hello' } satisfies Message);
    robLater();
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'state' && takers.length === 0) clearTimeout(timer);
    if (data.type === 'take' || (data.type === 'hello' && document.visibilityState !== 'visible')) void handOver();
    else hooks.heard(data);
  };
  document.addEventListener('visibilitychange', look);
  void ask(false);
  look();

  return {
    take() {
      if (release) return Promise.resolve();
      const taken = new Promise<void>((resolve) => takers.push(resolve));
      channel.postMessage({ type: 'take' } satisfies Message);
      robLater();
      return taken;
    },
    post: (message) => channel.postMessage(message),
    close() {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', look);
      queued.abort();
      release?.();
      release = null;
      channel.close();
    },
  };
}
