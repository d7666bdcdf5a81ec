import { readdirSync, readFileSync } from 'node:fs';

/** Bytes of memory that a process and all its descendants hold (proportional set size: shared pages are counted once). */
export function treeMemory(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // Ended between the listing and the reading.
    }
  }
  let total = 0;
  for (const pid of parents.keys()) {
    let at: number | undefined = pid;
    while (at !== undefined && at !== root) at = parents.get(at);
    if (at === root) total += pss(pid);
  }
  return total;
}

function pss(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Samples the memory of a process tree until stopped; answers the peak in bytes. */
export function watchMemory(root: number): { stop(): number } {
  let peak = treeMemory(root);
  const timer = setInterval(() => (peak = Math.max(peak, treeMemory(root))), 100);
  return {
    stop() {
      clearInterval(timer);
      return Math.max(peak, treeMemory(root));
    },
  };
}
