import { useEffect, useState, type RefObject } from 'react';

export interface Viewport {
  /** Visible part of the element, in its own coordinates. */
  from: number;
  to: number;
  /** Of the element. */
  width: number;
  /** Of the window. */
  windowWidth: number;
}

/** Which part of an element is visible; changes at most once a frame. */
export function useViewport(ref: RefObject<HTMLElement | null>): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ from: 0, to: 0, width: 0, windowWidth: 0 });
  useEffect(() => {
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const box = ref.current?.getBoundingClientRect();
      if (!box) return;
      setViewport({ from: -box.top, to: window.innerHeight - box.top, width: box.width, windowWidth: window.innerWidth });
    };
    const later = (): void => {
      frame ||= requestAnimationFrame(measure);
    };
    measure();
    const resized = new ResizeObserver(later);
    if (ref.current) resized.observe(ref.current);
    window.addEventListener('scroll', later, { passive: true });
    window.addEventListener('resize', later);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
      window.removeEventListener('scroll', later);
      window.removeEventListener('resize', later);
    };
  }, [ref]);
  return viewport;
}
