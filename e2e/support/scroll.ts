import type { Page } from 'playwright';

export interface Journey {
  /** Largest number of elements in the document. */
  nodes: number;
  /** Sum of the layout shifts without a preceding click or key. */
  shift: number;
  /** Durations of tasks over 50 ms, ms. */
  longTasks: number[];
}

/** Scrolls a page to its end, by a share of the window every `everyMs` (0: each frame), while content may be added; measures it. */
export function scrollThrough(page: Page, share = 0.8, everyMs = 0): Promise<Journey> {
  return page.evaluate(
    async ([step, pause]) => {
      const journey = { nodes: 0, shift: 0, longTasks: [] as number[] };
      const observe = (type: string, take: (entry: PerformanceEntry) => void): PerformanceObserver => {
        const observer = new PerformanceObserver((list) => list.getEntries().forEach(take));
        observer.observe({ type });
        return observer;
      };
      const observers = [
        observe('layout-shift', (entry) => {
          const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!hadRecentInput) journey.shift += value;
        }),
        observe('longtask', ({ duration }) => journey.longTasks.push(duration)),
      ];
      const root = document.documentElement;
      let atEnd = 0;
      // The end is reached when nothing is added for 60 frames.
      while (atEnd < 60) {
        window.scrollBy({ top: window.innerHeight * step, behavior: 'instant' });
        const scrolled = performance.now();
        do await new Promise((resolve) => requestAnimationFrame(resolve));
        while (atEnd === 0 && performance.now() - scrolled < pause);
        journey.nodes = Math.max(journey.nodes, document.getElementsByTagName('*').length);
        atEnd = window.scrollY + window.innerHeight >= root.scrollHeight - 2 ? atEnd + 1 : 0;
      }
      for (const observer of observers) observer.disconnect();
      return journey;
    },
    [share, everyMs] as const,
  );
}
