/** Local storage, or memory where the browser blocks it. */
const memory = new Map<string, string>();

export function remember(key: 'userName' | 'device_id' | 'expandedEvents', value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(key, value);
  } catch {
    // Blocked or full: this page remembers it all the same.
  }
}

export function recall(key: 'userName' | 'device_id' | 'expandedEvents'): string | null {
  try {
    return localStorage.getItem(key) ?? memory.get(key) ?? null;
  } catch {
    return memory.get(key) ?? null;
  }
}
