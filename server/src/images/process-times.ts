import { readdirSync, readFileSync } from 'node:fs';

/** Of `utime` and `stime` in /proc, which are the 14th and 15th field; on every Linux there are 100 a second. */
const TICK_MS = 10;
const UTIME_AFTER_NAME = 11;
const NS_PER_MS = 1e6;

/** Time of the cores that a process has used, ms; 0 where the system does not report it. */
export function cpuMs(pid: number): number {
  return reported(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[UTIME_AFTER_NAME]) + Number(fields[UTIME_AFTER_NAME + 1])) * TICK_MS;
  });
}

/** Time that a process's threads have stood in the queue for a core, ms; 0 where the system does not report it. */
export function queuedMs(pid: number): number {
  return reported(() => {
    const waits = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1').split(' ')[1]);
    return waits.reduce((sum, ns) => sum + Number(ns), 0) / NS_PER_MS;
  });
}

/** Resident memory of a process, bytes; 0 where the system does not report it. */
export function residentBytes(pid: number): number {
  return reported(() => {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(kilobytes?.[1] ?? 0) * 1024;
  });
}

/** Other systems have no /proc, and a process may end meanwhile. */
function reported(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}
