import { readdirSync, readFileSync } from 'node:fs';

const MB_KIB = 1000 / 1.024;

/** Returns the resident memory of all page processes of browsers that this process started, MB. Linux only. */
export function pagesMemory(): number {
  let kib = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer') || !isOurs(Number(pid))) continue;
      kib += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return kib / MB_KIB;
}

/** Tells whether this process is an ancestor of `pid`. Throws if a process in between has ended. */
function isOurs(pid: number): boolean {
  for (let one = pid; one > 1;) {
    if (one === process.pid) return true;
    one = Number(readFileSync(`/proc/${one}/stat`, 'latin1').replace(/.*\) /, '').split(' ')[1]);
  }
  return false;
}
