/**
 * Supplies functions that older televisions' browsers lack (LG's of 2020 has Chromium 68) and the wall's code, or code that it shares with
 * other pages, uses. Must be imported first.
 */

function supply(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true });
}

supply(Array.prototype, 'at', function (this: unknown[], place: number): unknown {
  return this[place < 0 ? this.length + place : place];
});
supply(Array.prototype, 'flatMap', function (this: unknown[], make: (each: unknown, place: number) => unknown): unknown[] {
  return ([] as unknown[]).concat(...this.map(make));
});
supply(Object, 'fromEntries', (entries: Iterable<[string, unknown]>): object => {
  const made: Record<string, unknown> = {};
  for (const [key, value] of entries) made[key] = value;
  return made;
});

// The texts that the wall shares with other pages use ListFormat.
supply(
  Intl,
  'ListFormat',
  class {
    format(list: Iterable<string>): string {
      const parts = [...list];
      const last = parts.pop() ?? '';
      return parts.length > 0 ? `${parts.join(', ')} und ${last}` : last;
    }
  },
);

/** Tells whether listeners can be ended by a signal. */
function knowsSignals(): boolean {
  let known = false;
  const options = {
    get signal() {
      known = true;
      return undefined;
    },
  };
  (document.createElement('i') as EventTarget).addEventListener('known', null, options as object);
  return known;
}

if (!knowsSignals()) {
  const { addEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (this: EventTarget, type, listener, options) {
    addEventListener.call(this, type, listener, options);
    const { signal } = typeof options === 'object' ? options : {};
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener, options));
  };
}
