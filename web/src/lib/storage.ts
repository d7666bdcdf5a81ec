/** Local storage, or memory where the browser blocks it. */
const memory = new Map<string, string>();

/** Each is named in the privacy text, but for the admin's. */
type Key = 'userName' | 'device_id' | 'expandedEvents' | 'slideshowQr' | 'consent' | 'kept' | 'persist';

export function remember(key: Key, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Blocked or full: this page remembers it all the same.
  }
}

export function forget(key: Key): void {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // Blocked: it was in memory only.
  }
}

export function recall(key: Key): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}
