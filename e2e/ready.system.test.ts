import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sharpProgram } from '../server/src/images/create-decoder.ts';
import { sandboxWorks } from '../server/src/images/sandbox.ts';
import { canMount, mountSmallDisk } from '../server/src/testing/system.ts';
import { adminOf, createEvent, deviceOf, upload } from './support/api.ts';
import { drawPhoto } from './support/photos.ts';
import { startServer, type TestServer } from './support/server.ts';

const BWRAP = '/usr/bin/bwrap';
const isolated = existsSync(BWRAP) && sandboxWorks(sharpProgram);
if (!isolated) console.log('skipped: decoders that do not start; the test needs bubblewrap and namespaces for it');

describe('a node that cannot take uploads', () => {
  const statusOf = async (server: TestServer, path: string): Promise<[number, boolean]> => {
    const { status, headers } = await fetch(server.url + path);
    return [status, headers.has('retry-after')];
  };

  it.skipIf(!canMount('a disk of staging without room'))(
    'because its disk has no room says so to the proxy, still serves what it can, and is ready again when there is room',
    async () => {
      const disk = await mountSmallDisk(128);
      const server = await startServer({ DATA_DIR: join(disk.folder, 'data'), STAGING_ROOM_MB: '20' });
      const event = await createEvent(await adminOf(server.url));
      expect(await statusOf(server, '/ready')).toEqual([200, false]);
      const filler = join(disk.folder, 'filler');
      await writeFile(filler, Buffer.alloc(120_000_000)).catch(() => undefined);
      await expect.poll(() => statusOf(server, '/ready')).toEqual([503, true]);
      expect(await statusOf(server, '/health')).toEqual([200, false]);
      expect(await statusOf(server, `/event/${event.code}`)).toEqual([200, false]);
      await rm(filler);
      await expect.poll(() => statusOf(server, '/ready')).toEqual([200, false]);
      await server.dispose();
      await disk.unmount();
    },
  );

  it.skipIf(!isolated)('because its decoders do not start says so, and is ready again when they do', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'feierbild-path-'));
    const bwrap = join(folder, 'bwrap');
    await symlink(BWRAP, bwrap);
    const server = await startServer({ PATH: folder, LOG_LEVEL: 'error' });
    const event = await createEvent(await adminOf(server.url));
    const device = await deviceOf(server.url);
    const send = async (seed: number): Promise<number> =>
      (await upload({ url: server.url, code: event.code, device, file: await drawPhoto(seed) })).status;
    expect(await send(1)).toBe(201);
    const working = join(folder, 'working');
    await rename(bwrap, working);
    await symlink('/bin/false', bwrap);
    for (const pid of childrenOf(server.process.pid)) process.kill(pid, 'SIGKILL');
    expect(await send(2)).toBe(503);
    await expect.poll(() => statusOf(server, '/ready')).toEqual([503, true]);
    expect(await statusOf(server, '/health')).toEqual([200, false]);
    await rename(working, bwrap);
    await expect.poll(() => statusOf(server, '/ready'), { timeout: 60_000 }).toEqual([200, false]);
    expect(await send(2)).toBe(201);
    await server.dispose();
    await rm(folder, { recursive: true });
  });
});

function childrenOf(pid: number | undefined): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
}
