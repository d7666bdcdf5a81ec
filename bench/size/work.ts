import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const { flags } = JSON.parse(readFileSync(join(import.meta.dirname, '../../server/runtime-flags.json'), 'utf8')) as { flags: string[] };

export interface Work {
  /** URL of PostgreSQL; without it SQLite in `file`. */
  url?: string;
  file?: string;
  /** `s3://…` or a folder. */
  store: string;
  /** Id of the event to purge. */
  event?: string;
  partMs?: number;
  /** Makes the sweep run half a day after the last one. */
  again?: boolean;
}

export interface Worked {
  ms: number;
  /** Blobs removed by a sweep. */
  removed: number;
  /** Highest resident memory of the process, of which Node itself takes some 90 MB. */
  peakMb: number;
  /** Longest time for which the event loop stood still, ms. */
  stoodMs: number;
  /** The sweep came to its end. */
  done: boolean;
}

/** Sweeps a photo store or purges an event, in a process of its own with the server's flags. */
export async function work(kind: 'sweep' | 'purge', what: Work): Promise<Worked> {
  const script = join(import.meta.dirname, 'worker.ts');
  const env = { ...process.env, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, kind, JSON.stringify(what)], { env });
  return JSON.parse(stdout) as Worked;
}
