import { execFileSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDiskFull } from '../lib/disk-full.ts';

/** For tests: what they ask of the machine. */

/** Below those that the system hands out (from 32,768), so that a server that starts again finds its port free. Each worker has its own. */
const PORTS = 1000;
const FIRST_PORT = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 12) * PORTS;
let given = process.pid % PORTS;

/** A port that nobody uses now. */
export async function freePort(): Promise<number> {
  return (await freePorts(1))[0] as number;
}

/** Several of them, no two the same. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST_PORT + (given++ % PORTS);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Whether file systems can be mounted: that needs root on Linux. Tests that need it are skipped elsewhere, which is said once. */
export function canMount(what: string): boolean {
  const can = process.platform === 'linux' && process.getuid?.() === 0 && mounts();
  if (!can) console.log(`skipped: ${what}; its tests need root on Linux to mount a small file system`);
  return can;
}

function mounts(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A busy disk is tried again so often, ten times a second. */
const UNMOUNTS = 200;

/** Mounts a disk of `size` MB for so many files and folders, which tests can fill completely. */
export async function mountSmallDisk(size: number, files?: number): Promise<{ folder: string; unmount(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}m${files ? `,nr_inodes=${files}` : ''}`, 'none', folder]);
  return {
    folder,
    async unmount() {
      // Processes that were just killed hold it until they are gone.
      for (let left = UNMOUNTS; ; left--) {
        try {
          execFileSync('umount', [folder], { stdio: ['ignore', 'ignore', 'pipe'] });
          break;
        } catch (error) {
          if (left === 0 || !String(error).includes('busy')) throw error;
          await setTimeout(100);
        }
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Writes again and again, until the disk takes no more. */
export async function untilFull(write: () => Promise<void>): Promise<void> {
  for (;;)
    try {
      await write();
    } catch (error) {
      if (isDiskFull(error)) return;
      throw error;
    }
}

/** Files below a folder that this process holds open. */
export function openFilesBelow(folder: string): string[] {
  const targets = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd));
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(folder));
}
