import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('a command reads the file of settings that is named from the folder in which it was called, by npm or not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'feierbild-settings-'));
  await writeFile(join(folder, 'own.env'), 'PUBLIC_URL: https://fotos.example\n');
  const { INIT_CWD: _, ...env } = process.env;
  // npm goes to the project's folder, and tells where it was called.
  for (const [cwd, told] of [
    [folder, {}],
    [import.meta.dirname, { INIT_CWD: folder }],
  ] as const) {
    const options = { cwd, env: { ...env, ...told, SETTINGS_FILE: 'own.env' } };
    const ran = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'cli.mjs'), 'doctor'], options).catch(
      (error: unknown) => error,
    );
    expect(ran).toMatchObject({ code: 78, stderr: `${folder}/own.env: Zeile 1 (PUBLIC_URL) hat nicht die Form NAME=Wert.\n` });
  }
  await rm(folder, { recursive: true });
});
