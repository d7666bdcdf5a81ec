import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventsIn, forget, noteEvent, recall, remember } from './storage.ts';

/** Stubs a local storage that can be full: it then stores nothing new, but returns its old values. */
function storage() {
  const kept = new Map<string, string>();
  const state = { full: false };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem(key: string, value: string) {
      if (state.full) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, value);
    },
    removeItem: (key: string) => kept.delete(key),
  });
  return { kept, state };
}

/** Clears the memory, which the tests of a process share. */
function forgetAll(): void {
  forget('userName');
  forget('kept');
}

beforeEach(forgetAll);
afterEach(() => {
  forgetAll();
  vi.unstubAllGlobals();
});

describe('what a page remembers on a full device', () => {
  it('is the newest word, although the device gives an older one', () => {
    const { state } = storage();
    remember('userName', 'Ana');
    noteEvent('kept', 'first', true);
    state.full = true;
    remember('userName', 'Ben');
    noteEvent('kept', 'second', true);
    expect(recall('userName')).toBe('Ben');
    expect(eventsIn('kept')).toEqual(['first', 'second']);
  });

  it('is what another page has written, once the device took this one’s word again', () => {
    const { kept, state } = storage();
    state.full = true;
    remember('userName', 'Ana');
    state.full = false;
    remember('userName', 'Ben');
    kept.set('userName', 'Cem');
    expect(recall('userName')).toBe('Cem');
  });

  it('goes when it is to be forgotten', () => {
    const { kept, state } = storage();
    state.full = true;
    remember('userName', 'Ana');
    forget('userName');
    kept.set('userName', 'Cem');
    expect(recall('userName')).toBe('Cem');
  });
});
