import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RUN_FOLDER } from '../../server/src/testing/run-folder.ts';
import { freePort } from '../../server/src/testing/system.ts';
import { ENVIRONMENT, QUICK_HASH } from './environment.ts';

const SERVER = join(import.meta.dirname, '../../server');
const { flags } = JSON.parse(readFileSync(join(SERVER, 'runtime-flags.json'), 'utf8')) as { flags: string[] };
export const ADMIN = { username: 'admin', password: 'ein-langes-Kennwort-1' };

export interface TestServer {
  url: string;
  dataDir: string;
  /** Returns the server's whole output so far. */
  output(): string;
  /** The process, for signals. */
  process: ChildProcess;
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
  /** Kills it, and starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Stops it and removes its data. */
  dispose(): Promise<void>;
}

const MAIN = join(SERVER, 'src/main.ts');
/** The command of the server in this folder; in tests with cheap password hashes. */
export const FROM_SOURCES: readonly string[] = [process.execPath, ...QUICK_HASH, ...flags, MAIN];
/** The command of the server in this folder, with real password hashes. */
export const AS_DELIVERED: readonly string[] = [process.execPath, ...flags, MAIN];

/**
 * Starts the real server on a free port with fresh data. `settings`, which may depend on its address, add to or override its own;
 * `command` may start another copy of it.
 */
export async function startServer(
  settings: Record<string, string> | ((url: string) => Record<string, string>) = {},
  command: readonly string[] = FROM_SOURCES,
  /** The path whose answer ends the start. */
  probe = '/ready',
): Promise<TestServer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = typeof settings === 'function' ? settings(url) : settings;
  const dataDir = env.DATA_DIR ?? (await mkdtemp(join(RUN_FOLDER, 'data-')));
  let output = '';
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(command[0] as string, command.slice(1), {
      env: {
        ...ENVIRONMENT,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        ADMIN_USERNAME: ADMIN.username,
        ADMIN_PASSWORD: ADMIN.password,
        DEMO: 'off',
        LOG_LEVEL: 'warn',
        // Tests with an https address run on machines without a sandbox, too.
        DECODER_ISOLATION: 'best',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    await answering(url + probe, child, () => output);
    return child;
  };
  const server: TestServer = {
    url,
    dataDir,
    output: () => output,
    process: await launch(),
    async kill() {
      await end(server.process, 'SIGKILL');
    },
    stop: () => end(server.process, 'SIGTERM'),
    async restart() {
      await end(server.process, 'SIGKILL');
      server.process = await launch();
    },
    async dispose() {
      await end(server.process, 'SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return server;
}

/** Limit of the start: on a busy machine the first start of a new system, with installations, takes more than a minute. */
const START_MS = 180_000;

async function answering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) {
      // Its last output may come after its end.
      await closed;
      throw new Error(`server ended with ${child.exitCode}:\n${output()}`);
    }
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`server did not answer:\n${output()}`);
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}
