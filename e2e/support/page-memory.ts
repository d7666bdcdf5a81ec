import type { CDPSession } from 'playwright';

export interface PageMemory {
  /** Size of the JavaScript heap, bytes. */
  heap: number;
  nodes: number;
  listeners: number;
}

/** Largest number of collections; a collection frees the objects that finalizers of the one before released. */
const COLLECTIONS_MAX = 8;

/** Measures a page's memory once collections free nothing more. Needs `Performance.enable`. */
export async function pageMemory(cdp: CDPSession): Promise<PageMemory> {
  // Objects that are kept for the watching test do not count.
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
