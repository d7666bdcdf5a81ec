import { newKey } from '../item.ts';
import type { QueueEvent } from '../machine.ts';

/** Time without an answer after which a page counts as frozen or busy, and another one takes over. */
const ANSWER_MS = 1_500;

/** Messages between pages of the same event. */
export type Message =
  /** A visible page asks which page sends. */
  | { type: 'hello' }
  /** A page in which the guest acts becomes the one that sends. */
  | { type: 'take' }
  /** The page that sends tells of stored ids; a page that stops sending hands over its files. */
  | Extract<QueueEvent, { type: 'elsewhere' | 'given' }>;

interface Hooks {
  /** Called when this page sends from now on, until `reign` is aborted; resolves when the page knows its files. */
  gained(reign: AbortSignal): Promise<void>;
  /** Called when another page sends from now on; resolves when this one has stopped. */
  lost(): Promise<void>;
  heard(message: Message): void;
}

/**
 * Lets one page at a time send: the leader holds a Web Lock, for which the others wait. The leader gives the lock up when the guest acts in
 * another page, or when another page is visible and the leader is hidden. If the leader does not answer within ANSWER_MS, the lock is
 * stolen; the leader learns of it when it runs again.
 */
export function createLeader(name: string, hooks: Hooks) {
  const channel = new BroadcastChannel(name);
  let release: (() => void) | null = null;
  let reign = new AbortController();
  let queued = new AbortController();
  /** Whether the next request for the lock takes it from its holder. */
  let steal = false;
  let takers: (() => void)[] = [];
  let timer = 0;
  let closed = false;
  /** This page's id in the browser's list of locks. Names of locks must not begin with a hyphen, as one key of 64 does. */
  const me = navigator.locks.request(`page:${newKey()}`, (lock) => idOfHolder(lock?.name)).catch(() => undefined);

  const hold = async (): Promise<void> => {
    clearTimeout(timer);
    steal = false;
    if (closed) return;
    const over = new Promise<void>((resolve) => (release = resolve));
    reign = new AbortController();
    const { signal } = reign;
    await hooks.gained(signal);
    // The lock may have been stolen meanwhile; then another page sends.
    if (!signal.aborted) takers.splice(0).forEach((taken) => taken());
    await over;
  };

  /** Ends this page's leadership; returns the function that frees the lock, or null if the page held none. */
  const stepDown = (): (() => void) | null => {
    const letGo = release;
    release = null;
    reign.abort();
    return letGo;
  };

  const compete = async (): Promise<void> => {
    while (!closed) {
      queued = new AbortController();
      try {
        await navigator.locks.request(name, steal ? { steal } : { signal: queued.signal }, hold);
      } catch (error) {
        // The lock was stolen, maybe while this page handed it over, or this page has stopped waiting in order to steal it.
        if (stepDown()) await hooks.lost();
        // The browser refuses locks.
        else if ((error as Error).name !== 'AbortError') return;
      }
    }
  };

  /** Steals the lock after ANSWER_MS, unless its leader answers meanwhile. */
  const stealLater = (): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      steal = !release;
      if (steal) queued.abort();
    }, ANSWER_MS);
  };

  const handOver = async (): Promise<void> => {
    const letGo = stepDown();
    if (!letGo) return;
    await hooks.lost();
    letGo();
  };

  const askLeader = (): void => {
    if (release || document.visibilityState !== 'visible') return;
    channel.postMessage({ type: 'hello' } satisfies Message);
    stealLater();
  };

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.type === 'elsewhere' && takers.length === 0) clearTimeout(timer);
    if (data.type === 'take' || (data.type === 'hello' && document.visibilityState !== 'visible')) void handOver();
    else hooks.heard(data);
  };
  document.addEventListener('visibilitychange', askLeader);
  void compete();
  askLeader();

  return {
    /** Makes this page the one that sends. */
    take(): Promise<void> {
      if (release) return Promise.resolve();
      const taken = new Promise<void>((resolve) => takers.push(resolve));
      channel.postMessage({ type: 'take' } satisfies Message);
      stealLater();
      return taken;
    },
    /** Asks the browser whether this page still holds the lock: a page that was frozen may not know yet that it was stolen. */
    async holds(): Promise<boolean> {
      const [holder, page] = await Promise.all([idOfHolder(name), me]);
      return holder !== undefined && holder === page;
    },
    post: (message: Message): void => channel.postMessage(message),
    close(): void {
      closed = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', askLeader);
      queued.abort();
      stepDown()?.();
      channel.close();
    },
  };
}

/** Returns the browser's id of the page that holds a lock. */
async function idOfHolder(name: string | undefined): Promise<string | undefined> {
  const { held = [] } = await navigator.locks.query();
  return held.find((lock) => lock.name === name)?.clientId;
}
