import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DrawnSlide, PlayerState } from './player.ts';
import styles from './slideshow.module.css';
import { createStage } from './stage.ts';

/** As much of an element as the stage asks for. */
class FakeElement {
  parent: FakeElement | null = null;
  children: FakeElement[] = [];
  className = '';
  alt = '';
  style = {};
  readonly clientWidth = 1920;
  readonly clientHeight = 1080;
  readonly listeners: ((event: { target: FakeElement }) => void)[] = [];
  readonly classList = { add: (name: string) => void (this.className += ` ${name}`), toggle: () => false };
  set textContent(_text: string) {
    while (this.children.length > 0) this.children[0]?.remove();
  }
  get isConnected(): boolean {
    return this === root || (this.parent?.isConnected ?? false);
  }
  append(...added: FakeElement[]): void {
    for (const one of added) this.insertBefore(one, null);
  }
  prepend(one: FakeElement): void {
    this.insertBefore(one, this.children[0] ?? null);
  }
  before(one: FakeElement): void {
    this.parent?.insertBefore(one, this);
  }
  insertBefore(one: FakeElement, next: FakeElement | null): void {
    one.remove();
    one.parent = this;
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, one);
  }
  remove(): void {
    const siblings = this.parent?.children;
    siblings?.splice(siblings.indexOf(this), 1);
    this.parent = null;
  }
  contains(one: FakeElement): boolean {
    return one === this || this.children.some((child) => child.contains(one));
  }
  cloneNode(): FakeElement {
    return Object.assign(new FakeElement(), { className: this.className, alt: this.alt });
  }
  addEventListener(_name: string, listener: (event: { target: FakeElement }) => void): void {
    this.listeners.push(listener);
  }
  setAttribute(): void {}
  getContext = () => null;
  querySelector = () => null;
}

let root: FakeElement;
beforeEach(() => {
  root = new FakeElement();
  vi.stubGlobal('document', { createElement: () => new FakeElement(), visibilityState: 'visible' });
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined });
  vi.stubGlobal('getComputedStyle', () => ({ animationName: 'fade' }));
});
afterEach(() => vi.unstubAllGlobals());

/** A stage, and what shows one photo on it. */
function staged() {
  let state: PlayerState = { slide: null, playing: true, total: 9 };
  let changed = (): void => undefined;
  const subscribe = (listener: () => void) => ((changed = listener), () => undefined);
  createStage(root as unknown as HTMLElement, { current: () => state, subscribe, pass: () => undefined }, () => ({ width: 0, height: 0 }));
  return (id: number, image = new FakeElement()) => {
    const photo = { id: `photo ${id}`, width: 3, height: 2, device: { name: '' } };
    const slide = { id, pictures: [{ photo, place: 0, url: '', image }], fresh: false } as unknown as DrawnSlide;
    state = { ...state, slide };
    changed();
  };
}

it('keeps three layers under quick presses: the lowest, which covers the wall, and the newest; the newest alone once it has come', () => {
  const show = staged();
  const seen: FakeElement[] = [];
  for (let id = 0; id < 9; id++) {
    show(id);
    seen.push(root.children.at(-1) as FakeElement);
    expect(root.children.length).toBeLessThanOrEqual(3);
    expect(root.children[0]).toBe(seen[0]);
  }
  const newest = seen.at(-1) as FakeElement;
  expect(root.children.at(-1)).toBe(newest);
  for (const listener of newest.listeners) listener({ target: newest });
  expect(root.children).toEqual([newest]);
});

it('leaves a copy of a picture that is shown again on the layer before, which does not fade in anew', () => {
  const show = staged();
  const image = new FakeElement();
  show(1, image);
  const [frame] = image.parent ? [image.parent] : [];
  image.className = `${styles.photo} ${styles.better}`;
  show(2, image);
  expect(frame?.children.map(({ className }) => className)).toEqual([styles.photo]);
  expect(image.parent).not.toBe(frame);
});
