import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestServer } from './server.ts';

const CLI = join(import.meta.dirname, '../../server/src/cli.ts');
const SCRIPT = '/usr/bin/script';
/** Whether a terminal can be had here (util-linux). */
export const hasTerminal = process.platform === 'linux' && existsSync(SCRIPT);

export interface Ran {
  code: number | null;
  /** On a terminal both are one, in `stdout`. */
  stdout: string;
  stderr: string;
}

/** One of the operator's commands as its own process, on the server's data. `lines` is what is piped in. */
export function cli(server: TestServer, args: string[], lines: string[] = [], env: Record<string, string> = {}): Promise<Ran> {
  return run(server, process.execPath, [CLI, ...args], (stdin) => stdin.end(lines.map((line) => `${line}\n`).join('')), undefined, env);
}

/** One that is ended from outside. */
export function startCli(server: TestServer, args: string[]): { child: ChildProcess; ended: Promise<unknown> } {
  const child = spawn(process.execPath, [CLI, ...args], { env: environment(server), stdio: 'ignore' });
  return { child, ended: new Promise((resolve) => child.on('close', resolve)) };
}

function environment(server: TestServer): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: server.dataDir, LOG_LEVEL: 'warn' };
}

/** As `cli`, on a terminal; each answer is typed once its question (a part of it) is there. */
export function cliOnTerminal(server: TestServer, args: string[], answers: [question: string, answer: string][]): Promise<Ran> {
  const waiting = [...answers];
  let from = 0;
  return run(server, SCRIPT, ['-qec', [process.execPath, CLI, ...args].join(' '), '/dev/null'], null, (output, stdin) => {
    const [question, answer] = waiting[0] ?? [];
    const at = question === undefined ? -1 : output.indexOf(question, from);
    if (at < 0) return;
    from = at + 1;
    waiting.shift();
    stdin.write(`${answer}\r`);
  });
}

function run(
  server: TestServer,
  command: string,
  args: string[],
  begin: ((stdin: NodeJS.WritableStream) => void) | null,
  onOutput?: (output: string, stdin: NodeJS.WritableStream) => void,
  env: Record<string, string> = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...environment(server), ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const ran: Ran = { code: null, stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      ran.stdout += chunk;
      onOutput?.(ran.stdout, child.stdin);
    });
    child.stderr.on('data', (chunk) => (ran.stderr += chunk));
    // A command that reads nothing may be gone by now.
    child.stdin.on('error', () => undefined);
    child.on('error', reject);
    child.on('close', (code) => resolve({ ...ran, code }));
    begin?.(child.stdin);
  });
}
