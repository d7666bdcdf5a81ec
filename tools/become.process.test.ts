import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const folder = await mkdtemp(join(tmpdir(), 'feierbild-become-'));
afterAll(() => rm(folder, { recursive: true }));

/** The project's own command for `npm start`, with a program in place of the server that prints its process id and stays. */
const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as { scripts: { start: string } };
await mkdir(join(folder, 'tools'));
await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: scripts.start } }));
const lib = pathToFileURL(join(import.meta.dirname, 'lib.mjs')).href;
const STAYS = 'console.log(`at ${process.pid} `); setInterval(() => {}, 1000)';
await writeFile(
  join(folder, 'tools/start.mjs'),
  `import { become } from ${JSON.stringify(lib)}; console.log(\`begun \${process.pid}\`); become(process.execPath, ['-e', ${JSON.stringify(STAYS)}]);`,
);

/** Search path with the runtime that the project brings, as after `npm ci`. */
const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('npm start becomes the server, which ends with npm', async () => {
  const npm = spawn('npm', ['start'], { cwd: folder, env: { ...process.env, PATH }, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const text of npm.stdout.setEncoding('utf8')) {
    output += String(text);
    if (/at \d+ /.test(output)) break;
  }
  const [, begun] = /begun (\d+)/.exec(output) ?? [];
  const [, server] = /at (\d+) /.exec(output) ?? [];
  expect(server).toBe(begun);
  npm.kill('SIGTERM');
  await once(npm, 'exit');
  await expect.poll(() => isThere(Number(server))).toBe(false);
});
