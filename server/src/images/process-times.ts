import { readdirSync, readFileSync } from 'node:fs';

/** Unit of `utime` and `stime` in /proc (14th and 15th field): every Linux counts 100 a second. */
const TICK_MS = 10;
const UTIME_AFTER_NAME = 11;
const NS_PER_MS = 1e6;

/** Returns the CPU time that a process has used, ms; 0 if the system does not report it. */
export function cpuMs(pid: number): number {
  return reported(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME_AFTER_NAME]) + Number(fields[UTIME_AFTER_NAME + 1])) * TICK_MS;
  });
}

/** Returns the time that a process's threads have waited for a core, ms; 0 if the system does not report it. */
export function queuedMs(pid: number): number {
  return reported(() => {
    const waits = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1').split(' ')[1]);
    return waits.reduce((sum, ns) => sum + Number(ns), 0) / NS_PER_MS;
  });
}

/** Returns the resident memory of a process, bytes; 0 if the system does not report it. */
export function residentBytes(pid: number): number {
  return reported(() => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes?.[1] ?? 0) * 1024;
  });
}

/** Returns 0 on errors: other systems have no /proc, and the process may have ended. */
function reported(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}
