import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freePort } from '../testing/system.ts';

/** Message of bwrap in containers and on systems that deny namespaces. */
const DENIED = 'bwrap: setting up uid map: Permission denied';

it.each([
  ['without bubblewrap', null, /bubblewrap ist nicht installiert\. Bitte installieren Sie bubblewrap/],
  [
    'where namespaces are denied',
    DENIED,
    /keine Namensräume anlegen \(„bwrap: setting up uid map: Permission denied“\)\. Bitte erlauben Sie/,
  ],
])(
  'the service ends with 78 and says what to do where it is public and decoders cannot be isolated: %s; it writes no data',
  async (_case, says, what) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'feierbild-isolation-'));
    const env = {
      PATH: says === null ? '/nowhere' : join(dataDir, 'bin'),
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      PUBLIC_URL: 'https://fotos.example',
    };
    try {
      if (says !== null) {
        await mkdir(env.PATH);
        await writeFile(join(env.PATH, 'bwrap'), `#!/bin/sh\necho '${says}' >&2\nexit 1\n`, { mode: 0o755 });
      }
      const ended = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
        execFile(process.execPath, [join(import.meta.dirname, '../main.ts')], { env }, (error, _, stderr) =>
          resolve({ code: error?.code ?? 0, stderr }),
        );
      });
      expect(ended.code).toBe(78);
      expect(ended.stderr).toMatch(/^DECODER_ISOLATION: .*bubblewrap.*DECODER_ISOLATION=best/);
      expect(ended.stderr).toMatch(what);
      expect(ended.stderr.trim().split('\n').length).toBe(1);
      expect((await readdir(dataDir)).filter((name) => name.includes('sqlite'))).toEqual([]);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  },
);
