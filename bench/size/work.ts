import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const { flags } = JSON.parse(readFileSync(join(import.meta.dirname, '../../server/runtime-flags.json'), 'utf8')) as { flags: string[] };

export interface Work {
  /** Of PostgreSQL; SQLite in `file` otherwise. */
  url?: string;
  file?: string;
  /** `s3://…` or a folder. */
  store: string;
  /** For a purge. */
  event?: string;
  partMs?: number;
  /** A sweep half a day after the last one. */
  again?: boolean;
}

export interface Worked {
  ms: number;
  /** Blobs removed by a sweep. */
  removed: number;
  /** Highest resident memory of the process, of which some 90 MB are Node itself. */
  peakMb: number;
  /** Longest time for which the event loop stood still, ms. */
  stoodMs: number;
  /** Whether a sweep came to the end. */
  done: boolean;
}

/** Sweeps a photo store or purges an event, in a process of its own that runs as the server does. */
export async function work(kind: 'sweep' | 'purge', what: Work): Promise<Worked> {
  const script = join(import.meta.dirname, 'worker.ts');
  const env = { ...process.env, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, kind, JSON.stringify(what)], { env });
  return JSON.parse(stdout) as Worked;
}
