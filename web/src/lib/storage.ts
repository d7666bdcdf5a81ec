/** The values by key, also where the browser blocks local storage. */
const memory = new Map<string, string>();
/** Keys whose newest value the browser did not store; the stored value is older. */
const unsaved = new Set<string>();

/** The keys. The privacy text names each but the admin's. */
type Key = 'userName' | 'device_id' | 'expandedEvents' | 'slideshowQr' | 'shareText' | 'persist' | EventsKey | 'drawing';
/** Keys whose values are codes of events. */
type EventsKey = 'consent' | 'kept';

/** Number of events that a key names at most; the oldest is dropped first. */
const MOST_EVENTS = 20;

/**
 * Tells whether pages of this browser can use locks. Older browsers and plain http cannot; where cookies are blocked, the browser refuses
 * everything that pages share: locks, channels, databases, and access to `localStorage`.
 */
export function hasLocks(): boolean {
  try {
    return localStorage !== undefined && 'locks' in navigator;
  } catch {
    return false;
  }
}

export function remember(key: Key, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
    unsaved.delete(key);
  } catch {
    unsaved.add(key);
    // Blocked or full: this page remembers it all the same.
  }
}

export function forget(key: Key): void {
  memory.delete(key);
  unsaved.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Blocked: it was in memory only.
  }
}

export function recall(key: Key): string | null {
  try {
    return (unsaved.has(key) ? null : localStorage.getItem(key)) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}

/** Returns the codes of the events that a key names. */
export function eventsIn(key: EventsKey): string[] {
  return (recall(key) ?? '').split(' ').filter(Boolean);
}

/** Adds an event to a key as its newest, or removes it. */
export function noteEvent(key: EventsKey, code: string, named: boolean): void {
  const others = eventsIn(key).filter((other) => other !== code);
  const events = named ? [...others, code].slice(-MOST_EVENTS) : others;
  if (events.length > 0) remember(key, events.join(' '));
  else forget(key);
}
