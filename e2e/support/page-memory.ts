import type { CDPSession } from 'playwright';

export interface PageMemory {
  /** Bytes. */
  heap: number;
  nodes: number;
  listeners: number;
}

/** What a page holds after a collection. Needs `Performance.enable`. */
export async function pageMemory(cdp: CDPSession): Promise<PageMemory> {
  // What is kept for the watching test is not the page's.
  await cdp.send('Runtime.discardConsoleEntries');
  await cdp.send('Log.clear');
  // The second run takes what the finalizers of the first let go.
  for (let n = 0; n < 2; n++) await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
}
