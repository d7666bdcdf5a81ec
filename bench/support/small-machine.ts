import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright';

/** Linux, where this process may make groups (cgroup v1). */
const GROUPS = '/sys/fs/cgroup/memory';
const SYSTEM = ['chromium-headless-shell', 'chromium'].map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));

/** Whether a browser can be confined here. */
export function canConfine(): boolean {
  return process.getuid?.() === 0 && existsSync(join(GROUPS, 'cgroup.procs'));
}

/**
 * A command that starts Chromium, all of its processes together, on one core and in so many bytes: the kernel kills what takes more. It is
 * written into `folder`.
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
    /** What its processes hold, without files that the kernel keeps and can let go; bytes. */
    held: (): number => stat('rss'),
    /** The most that they and such files took, and how often the limit was met. */
    most: () => ({ bytes: fact('memory.max_usage_in_bytes'), met: fact('memory.failcnt') }),
    /** Once its processes are gone. */
    end: (): void => rmdirSync(group),
  };
}
