import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';

/** Folder of memory groups (Linux, cgroup v1). */
const GROUPS = '/sys/fs/cgroup/memory';
const SYSTEM = ['chromium-headless-shell', 'chromium'].map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** Tells whether a browser can be confined here. */
export function canConfine(): boolean {
  return process.getuid?.() === 0 && existsSync(join(GROUPS, 'cgroup.procs'));
}

/**
 * Writes into `folder` a command that starts Chromium with all its processes on one core and in `bytes` of memory; beyond, the kernel
 * kills.
 */
export function confine(folder: string, bytes: number) {
  const group = join(GROUPS, `feierbild-${process.pid}`);
  mkdirSync(group);
  const fact = (name: string): number => Number(readFileSync(join(group, name), 'utf8'));
  const stat = (name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(join(group, 'memory.stat'), 'utf8'))?.[1]);
  writeFileSync(join(group, 'memory.limit_in_bytes'), String(bytes));
  const command = join(folder, 'chromium');
  writeFileSync(command, `#!/bin/sh\necho $$ > ${group}/cgroup.procs\nexec taskset -c 0 ${SYSTEM ?? chromium.executablePath()} "$@"\n`);
  chmodSync(command, 0o755);
  return {
    command,
    /** Returns the memory of its processes, without files that the kernel keeps and can let go; bytes. */
    held: (): number => stat('rss'),
    /** Returns the most that they and such files took, and the number of times that the limit was met. */
    most: () => ({ bytes: fact('memory.max_usage_in_bytes'), met: fact('memory.failcnt') }),
    /** Removes the group; its processes must be gone. */
    end: (): void => rmdirSync(group),
  };
}
