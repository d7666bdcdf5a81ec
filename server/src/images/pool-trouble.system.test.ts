import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { boundless, decoded, interrupted, large, MIB, usePool, whole } from './testing/pool.ts';

/** Part of util-linux, like chrt. */
const TASKSET = '/usr/bin/taskset';

const { pool, open, decode, signal, heldAfter } = usePool();

describe('a pool of decoder processes in trouble', () => {
  it('ends a process that hangs, refuses its photo, and takes the next', async () => {
    open({ limits: { ...boundless, timeMs: 3000 } });
    await decode();
    const [hanging] = pool.pids();
    await expect(decode(() => interrupted(signal('SIGSTOP')))).rejects.toThrow('takes too long');
    expect(await decode()).toEqual(decoded);
    expect(pool.pids()).not.toContain(hanging);
  });

  it('blames the machine and not the photo where others keep its process waiting until the time ends', async () => {
    open({ limits: { ...boundless, timeMs: 2000 } });
    await decode();
    await expect(decode(() => heldAfter(60), large.length)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.skipIf(!existsSync(TASKSET))('gives a photo another process where others leave its own next to nothing of a core', async () => {
    open({ limits: { ...boundless, timeMs: 2000 } });
    await decode();
    const [starved] = pool.pids();
    // The process runs only while no other wants its core, and two want it without end.
    execFileSync('/usr/bin/chrt', ['--all-tasks', '--idle', '--pid', '0', String(starved)]);
    const core = /^Cpus_allowed_list:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
    execFileSync(TASKSET, ['--all-tasks', '--cpu-list', '--pid', core, String(starved)]);
    // Some kernels share cores between sessions.
    const session = `/proc/${starved}/autogroup`;
    if (existsSync(session)) writeFileSync(session, '19');
    const others = [1, 2].map(() => spawn(TASKSET, ['--cpu-list', core, process.execPath, '-e', 'for (;;);'], { detached: true }));
    try {
      expect(await decode(() => whole(large), large.length)).toMatchObject({ width: 6000 });
      expect(pool.pids()).not.toContain(starved);
    } finally {
      for (const other of others) other.kill('SIGKILL');
    }
  });

  it('ends a process that takes too much memory, refuses its photo, and takes the next', async () => {
    open({ limits: { ...boundless, memoryBytes: 200 * MIB } });
    // An interlaced PNG must be held whole, all 192 MB.
    const huge = await sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } })
      .png({ progressive: true })
      .toBuffer();
    await expect(decode(() => whole(huge), huge.length)).rejects.toThrow('too much memory');
    expect(await decode()).toEqual(decoded);
  });

  it('outlives a time without free file descriptors, and starts processes again afterwards', async () => {
    const script = join(import.meta.dirname, 'testing/no-descriptors.fixture.ts');
    const { stdout } = await promisify(execFile)('bash', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, script]);
    expect(stdout.trim().split('\n')).toEqual(['without: unavailable', 'with: image/jpeg']);
  });
});
