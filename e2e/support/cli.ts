import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ENVIRONMENT, QUICK_HASH } from './environment.ts';
import type { TestServer } from './server.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLI = [...QUICK_HASH, join(ROOT, 'server/src/cli.ts')];
const SCRIPT = '/usr/bin/script';

/** Tells whether this machine has terminals (util-linux, /dev/pts). Elsewhere it logs that tests that need one are skipped. */
export function hasTerminal(): boolean {
  const has = existsSync(SCRIPT) && process.platform === 'linux' && spawnSync(SCRIPT, ['-qec', 'true', '/dev/null']).status === 0;
  if (!has) console.log('skipped: commands on a terminal; none can be had here');
  return has;
}

export interface Ran {
  code: number | null;
  /** Standard output; on a terminal also the standard error output. */
  stdout: string;
  stderr: string;
}

/** Runs one of the operator's commands as a process, on the server's data. `lines` is its input. */
export function cli(server: TestServer, args: string[], lines: string[] = [], env: Record<string, string> = {}): Promise<Ran> {
  const settings = { env: { ...environment(server), ...env } };
  return run(process.execPath, [...CLI, ...args], settings, (stdin) => stdin.end(lines.map((line) => `${line}\n`).join('')));
}

/** Starts a command that is ended from outside. */
export function startCli(server: TestServer, args: string[]): { child: ChildProcess; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [...CLI, ...args], { env: environment(server), stdio: 'ignore' });
  return { child, ended: new Promise((resolve) => child.on('close', resolve)) };
}

/** Runs one of the scripts behind the npm commands, with no environment but `env`. */
export function runScript(path: string, args: string[], { cwd, env }: { cwd: string; env: Record<string, string> }): Promise<Ran> {
  const bare = { ...ENVIRONMENT, ...env };
  return run(process.execPath, [join(ROOT, path), ...args], { cwd, env: bare }, (stdin) => stdin.end());
}

function environment(server: TestServer): NodeJS.ProcessEnv {
  return { ...ENVIRONMENT, DATA_DIR: server.dataDir, LOG_LEVEL: 'warn' };
}

/** Runs `cli` on a terminal, and types each answer once its question (or a part of it) is there. */
export function cliOnTerminal(server: TestServer, args: string[], answers: [question: string, answer: string][]): Promise<Ran> {
  const waiting = [...answers];
  let from = 0;
  const command = [process.execPath, ...CLI, ...args].join(' ');
  return run(SCRIPT, ['-qec', command, '/dev/null'], { env: environment(server) }, null, (output, stdin) => {
    const [question, answer] = waiting[0] ?? [];
    const at = question === undefined ? -1 : output.indexOf(question, from);
    if (at < 0) return;
    from = at + 1;
    waiting.shift();
    stdin.write(`${answer}\r`);
  });
}

function run(
  command: string,
  args: string[],
  options: { cwd?: string; env: NodeJS.ProcessEnv },
  begin: ((stdin: NodeJS.WritableStream) => void) | null,
  onOutput?: (output: string, stdin: NodeJS.WritableStream) => void,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      ran.stdout += chunk;
      onOutput?.(ran.stdout, child.stdin);
    });
    child.stderr.on('data', (chunk) => (ran.stderr += chunk));
    // A command that reads no input may have ended by now.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ran, code }));
    begin?.(child.stdin);
  });
}
