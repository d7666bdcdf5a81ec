import { readdirSync, readFileSync } from 'node:fs';
import { runSql } from '../../server/src/database/testing.ts';

/** Unit of the kernel's CPU times on all our systems: a hundredth of a second (USER_HZ). */
const TICK_MS = 10;

/** Returns the parent of a process; throws if the process has ended. */
export function parentOf(pid: number): number {
  return Number(statOf(pid)[1]);
}

/** Returns PostgreSQL's process behind one of its other connections; null: there is none. */
export async function backendOf(db: Parameters<typeof runSql>[0]): Promise<number | null> {
  const [backend] = await runSql<{ pid: number }>(
    db,
    `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return backend?.pid ?? null;
}

/** Lists a process and all its descendants. */
function tree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), parentOf(Number(name)));
    } catch {
      // The process ended between the listing and the reading.
    }
  }
  return [...parents.keys()].filter((pid) => {
    let at: number | undefined = pid;
    while (at !== undefined && at !== root) at = parents.get(at);
    return at === root;
  });
}

/** Returns the memory of a process and all its descendants, bytes (proportional set size: shared pages are counted once). */
export function treeMemory(root: number): number {
  return tree(root).reduce((total, pid) => total + pss(pid), 0);
}

/** Returns the CPU time of a process and all its descendants, with that of their ended children, ms (in steps of 10). */
export function treeCpuMs(root: number): number {
  return tree(root).reduce((total, pid) => {
    try {
      const fields = statOf(pid);
      return total + [11, 12, 13, 14].reduce((ms, field) => ms + Number(fields[field]) * TICK_MS, 0);
    } catch {
      return total;
    }
  }, 0);
}

/** Resolves when a process tree has done next to nothing for a second: its previews are made. */
export async function quiet(root: number): Promise<void> {
  for (let before = treeCpuMs(root); ;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const now = treeCpuMs(root);
    if (now - before < 50) return;
    before = now;
  }
}

/** Returns the kernel's data on a process, from its state on. The name before that may have spaces. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function pss(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Samples the memory of a process tree until stopped; returns the peak in bytes. */
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
