import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { createLog } from '../lib/log.ts';
import { createDecoder, heicProgram, sharpProgram } from './create-decoder.ts';
import { ANSWER_FD } from './messages.ts';
import { INFO_FD, launchOf, sandboxWorks, withStdio, type Launch } from './sandbox.ts';

const escape = { ...sharpProgram, entry: join(import.meta.dirname, 'testing/escape.fixture.ts') };
const works = sandboxWorks(sharpProgram);

const server = createServer((socket) => socket.destroy());
const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
const picture = join(folder, 'picture.png');

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } }).toFile(picture);
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  rmSync(join(import.meta.dirname, 'testing/escaped'), { force: true });
  await new Promise((resolve) => server.close(resolve));
});

/** Runs the attempts to escape and returns their results. */
async function attempt({ command, args, env, isolated }: Launch) {
  const { port } = server.address() as { port: number };
  const child = withStdio(['ignore', 'ignore', 'ignore', 'pipe'], isolated, (stdio) =>
    spawn(command, [...args, String(port), picture], { env, stdio }),
  );
  (child.stdio[INFO_FD] as Readable | undefined)?.resume();
  const told = await (child.stdio[ANSWER_FD] as Readable).setEncoding('utf8').toArray();
  return JSON.parse(told.join('')) as { worked: Record<string, boolean>; environment: Record<string, string> };
}

describe('a decoder process', () => {
  it('could do all of it as a plain process (so that the attempts below mean something)', async () => {
    const { worked } = await attempt({ command: process.execPath, args: [escape.entry], env: {}, isolated: false });
    expect(worked).toEqual({
      readsPasswd: true,
      readsPicture: true,
      listsHome: worked['listsHome'],
      writes: true,
      writesCode: true,
      starts: true,
      connects: true,
      readsPictureNatively: true,
    });
  });

  it('cannot read, write, start or connect by its own code where there is no sandbox', async () => {
    const { worked } = await attempt(launchOf(escape, false));
    const { readsPictureNatively: _native, ...byCode } = worked;
    expect(Object.values(byCode)).toEqual(Array(7).fill(false));
  });

  it.skipIf(!works)('cannot read, write, start or connect in the sandbox, not even by native code (skipped without bwrap)', async () => {
    const { worked } = await attempt(launchOf(escape, true));
    expect(Object.values(worked)).toEqual(Array(8).fill(false));
  });

  it.skipIf(!works)('can not make a second process, not even by native code (skipped without bwrap)', async () => {
    const launch = launchOf(escape, true);
    const args = launch.args.filter((arg) => arg !== '--permission' && !arg.startsWith('--allow-'));
    const limited = await attempt({ ...launch, args });
    expect(limited.worked['starts']).toBe(false);
    const filter = args.indexOf('--seccomp');
    // Proves the test: without the filter the same attempt works.
    const free = await attempt({ ...launch, args: args.toSpliced(filter, 2) });
    expect(free.worked['starts']).toBe(true);
  });

  it.skipIf(!works)('is held by the namespace alone, too, should the permission model fail (skipped without bwrap)', async () => {
    const launch = launchOf(escape, true);
    const args = launch.args.filter((arg) => arg !== '--permission' && !arg.startsWith('--allow-'));
    const { worked } = await attempt({ ...launch, args });
    expect(worked).toEqual({
      readsPasswd: false,
      readsPicture: false,
      listsHome: false,
      writes: false,
      writesCode: false,
      starts: false,
      connects: false,
      readsPictureNatively: false,
    });
  });

  it.skipIf(!works)('reads its compiled code from a folder that only the first process could write (skipped without bwrap)', async () => {
    const code = mkdtempSync(join(folder, 'code-'));
    expect(sandboxWorks(sharpProgram, code)).toBe(true);
    const filled = readdirSync(code, { recursive: true });
    expect(filled.length).toBeGreaterThan(10);
    const { worked, environment } = await attempt(launchOf(escape, true, { folder: code, writable: false }));
    expect(environment['NODE_COMPILE_CACHE']).toBe(code);
    expect(worked['writesCode']).toBe(false);
    expect(readdirSync(code, { recursive: true })).toEqual(filled);
    // Proves the test: in a writable folder the same attempt works.
    expect((await attempt(launchOf(escape, true, { folder: code, writable: true }))).worked['writesCode']).toBe(true);
  });

  it.skipIf(!works)(
    'ends by itself where its server was killed and the next one begins with the same folder (skipped without bwrap)',
    async () => {
      const code = mkdtempSync(join(folder, 'code-'));
      const { command, args, env, isolated } = launchOf(sharpProgram, true, { folder: code, writable: false });
      // bwrap waits after making its file system, before Node begins.
      const child = withStdio(['ignore', 'ignore', 'ignore', 'pipe'], isolated, (stdio) =>
        spawn(command, ['--block-fd', '6', ...args], { env, stdio: [...(stdio as 'pipe'[]), 'pipe'] }),
      );
      const ended = once(child, 'exit');
      const told = await (child.stdio[INFO_FD] as Readable).setEncoding('utf8').toArray();
      const { 'child-pid': pid } = JSON.parse(told.join('')) as { 'child-pid': number };
      onTestFailed(() => void process.kill(pid, 'SIGKILL'));
      await expect.poll(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).toContain(code);
      const next = createDecoder({ log: createLog('silent'), codeFolder: code });
      (child.stdio.at(6) as Writable).on('error', () => {}).end('go');
      expect(await ended).toEqual([0, null]);
      await next.close();
    },
  );

  it('knows nothing of the environment but how to use memory', async () => {
    const { environment } = await attempt(launchOf(escape, works));
    // libvips sets VIPSHOME itself, bwrap PWD.
    const { VIPSHOME: _byLibvips, PWD: directory, ...rest } = environment;
    expect(Object.keys(rest).toSorted()).toEqual(['MALLOC_ARENA_MAX', 'VIPS_DISC_THRESHOLD']);
    if (works) expect(directory).toBe('/');
  });

  it('for HEIC may not load native code', () => {
    expect(launchOf(heicProgram, works).args).not.toContain('--allow-addons');
  });
});
