import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../testing/system.ts';

it('the service ends with 78 and says what to do where it is public and decoders cannot be isolated, and writes no data', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'feierbild-isolation-'));
  const env = {
    // bwrap is not found here.
    PATH: '/nowhere',
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    PUBLIC_URL: 'https://fotos.example',
  };
  try {
    const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
      execFile(process.execPath, [join(import.meta.dirname, '../main.ts')], { env }, (error, _, stderr) =>
        resolve({ code: error?.code ?? 0, stderr }),
      );
    });
    expect(ended.code).toBe(78);
    expect(ended.stderr).toMatch(/^DECODER_ISOLATION: .*bubblewrap.*DECODER_ISOLATION=best/);
    expect(ended.stderr.trim().split('\n').length).toBe(1);
    expect((await readdir(dataDir)).filter((name) => name.includes('sqlite'))).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
