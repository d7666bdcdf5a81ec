import { expect, it, vi } from 'vitest';
import { reconcile } from './photo-list.ts';

it('takes over what went, came and changed, and keeps the objects of what did not', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ id, slideshow: true })) as [Shown, Shown, Shown];
  const next = reconcile([a, b, c], [{ ...a }, { ...c, slideshow: false }, { id: 'd', slideshow: true }]);
  expect(next).toEqual([a, { id: 'c', slideshow: false }, { id: 'd', slideshow: true }]);
  expect(next[0]).toBe(a);
});

interface Shown {
  id: string;
  slideshow: boolean;
}

it('looks into no object that is the very one of before', () => {
  const looked = vi.fn<() => object>(() => ({}));
  const one = { id: 'a', toJSON: looked };
  expect(reconcile([one], [one])).toEqual([one]);
  expect(looked).not.toHaveBeenCalled();
});
