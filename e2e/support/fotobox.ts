import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Limit of a step. */
const WAIT_MS = 120_000;
/** ms between two looks at what it printed, and between two questions to a server, which has the photos to store meanwhile. */
const LOOK_MS = 5;
const ASK_MS = 100;
const CLIENT = join(import.meta.dirname, '../../examples/fotobox/fotobox.mjs');

/** The example client as a process of its own. */
export interface Fotobox {
  /** Returns the printed lines, one for each photo. */
  photos(): { address: string; expires: string; name: string }[];
  /** Returns its further output. */
  said(): string;
  /** Waits until `condition` holds; throws with the whole output if the process ends before, or after `waitMs`. */
  until(condition: () => boolean | Promise<boolean>, waitMs?: number): Promise<void>;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  signal(signal: NodeJS.Signals): Promise<number | null>;
}

export function startFotobox(options: {
  server: string;
  event: string;
  folder: string;
  password: string;
  args?: string[];
  path?: string;
}): Fotobox {
  const { server, event, folder, password, args = [], path = process.env.PATH } = options;
  const child = spawn(process.execPath, [CLIENT, '--server', server, '--event', event, '--folder', folder, ...args], {
    env: { PATH: path, FOTOBOX_PASSWORT: password },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let said = '';
  let running = true;
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running = false;
      resolve(code);
    });
  });
  return {
    photos: () =>
      out
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const [address = '', expires = '', name = ''] = line.split('\t');
          return { address, expires, name };
        }),
    said: () => said,
    async until(condition, waitMs = WAIT_MS) {
      const deadline = performance.now() + waitMs;
      for (;;) {
        const asked = condition();
        if (await asked) return;
        if (performance.now() > deadline) throw new Error(`the Fotobox came no further:\n${out}${said}`);
        if (!running) throw new Error(`the Fotobox ended:\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, typeof asked === 'boolean' ? LOOK_MS : ASK_MS));
      }
    },
    ended,
    signal(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
