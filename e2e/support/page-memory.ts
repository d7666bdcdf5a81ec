import type { CDPSession } from 'playwright';

export interface PageMemory {
  /** Bytes. */
  heap: number;
  nodes: number;
  listeners: number;
}

/** Runs of the collector; what a run's finalizers let go, the next one takes. */
const COLLECTIONS_MAX = 8;

/** What a page holds once collections take nothing more. Needs `Performance.enable`. */
export async function pageMemory(cdp: CDPSession): Promise<PageMemory> {
  // What is kept for the watching test is not the page's.
  await cdp.send('Runtime.discardConsoleEntries');
  await cdp.send('Log.clear');
  let memory = await collected(cdp);
  for (let run = 1; run < COLLECTIONS_MAX; run++) {
    const { heap, nodes } = memory;
    memory = await collected(cdp);
    if (memory.heap >= heap && memory.nodes >= nodes) break;
  }
  return memory;
}

async function collected(cdp: CDPSession): Promise<PageMemory> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
}
