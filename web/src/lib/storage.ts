/** Local storage, or memory where the browser blocks it. */
const memory = new Map<string, string>();
/** Keys whose newest value the browser did not take: what it gives is older. */
const unsaved = new Set<string>();

/** Each is named in the privacy text, but for the admin's. */
type Key = 'userName' | 'device_id' | 'expandedEvents' | 'slideshowQr' | 'shareText' | 'persist' | EventsKey | 'drawing';
/** Of these the values are codes of events. */
type EventsKey = 'consent' | 'kept';

/** A key names so many events; the oldest goes first. */
const MOST_EVENTS = 20;

/**
 * Whether pages of this browser can agree by a lock. Older ones and plain http cannot; and where cookies are blocked, all that pages share is refused:
 * locks, channels, databases, and the sight of `localStorage`.
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

/** The codes of the events that a key names. */
export function eventsIn(key: EventsKey): string[] {
  return (recall(key) ?? '').split(' ').filter(Boolean);
}

/** Lets a key name an event, as the newest, or no longer. */
export function noteEvent(key: EventsKey, code: string, named: boolean): void {
  const others = eventsIn(key).filter((other) => other !== code);
  const events = named ? [...others, code].slice(-MOST_EVENTS) : others;
  if (events.length > 0) remember(key, events.join(' '));
  else forget(key);
}
