import { describe, expect, it } from 'vitest';
import { createStore } from './store.ts';

describe('a store', () => {
  const created = () => createStore({ photos: 1, names: false });

  it('sets what changed and keeps the rest', () => {
    const store = created();
    store.set({ photos: 2 });
    expect(store.current()).toEqual({ photos: 2, names: false });
  });

  it('gives the same object until something changes, and then another one', () => {
    const store = created();
    const before = store.current();
    expect(store.current()).toBe(before);
    store.set({ photos: 2 });
    expect(store.current()).not.toBe(before);
    expect(before).toEqual({ photos: 1, names: false });
  });

  it('tells each listener once the change is there, until that ends', () => {
    const store = created();
    const heard: string[] = [];
    const ends = ['a', 'b'].map((name) => store.subscribe(() => heard.push(`${name} ${store.current().photos}`)));
    store.set({ photos: 2 });
    ends[0]?.();
    store.set({ photos: 3 });
    expect(heard).toEqual(['a 2', 'b 2', 'b 3']);
  });
});
