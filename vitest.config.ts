import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import room from './tools/room.json' with { type: 'json' };

/** They take longest, from half a minute to two; at the end one of them would run alone. */
const LONG = new RegExp(
  [
    'e2e/(?:accessibility|crash|dashboard(?:-states)?|deploy|doctor|fotobox|gallery-\\w+|guest|host-trouble|image|installation|journey)',
    'e2e/guest-(?:conditions|edges|gallery|languages|outage|queue|run|wire)',
    'e2e/(?:looks|operations|overnight|overnight-videos|papers|public|refused-for-good|slideshow(?:-\\w+)?|ui-book|video|whose-word)',
    'e2e/(?:nodes/(?:nodes|ending|first-light-crashes)|engines/\\w+)',
    'features/(?:admins/password-change|rate-limits/rate-limits|retention/retention-runs|uploads/upload-connections|uploads/intake/slots)',
  ]
    .map((names) => `/${names}\\.(?:\\w+\\.)?test`)
    .join('|'),
);
const WHOLE = /\/e2e\//;
/** The pure tests, which take milliseconds, fill the end. */
const PURE = /\/[\w-]+\.test\.ts$/;

/** Sorts each project's long files first. A worker keeps its browser and its modules from one file to the next of the same project. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      Number(LONG.test(moduleId)) + 2 * Number(WHOLE.test(moduleId)) - Number(PURE.test(moduleId));
    return (await super.sort(files)).toSorted((one, other) => rank(other) - rank(one));
  }
}

/** Memory of a worker with a browser, up to three servers and their data; most need half of it. */
const WORKER_BYTES = 2e9;
const IN_MEMORY = '/dev/shm';
/** Free memory in which the data of all tests are a small part. */
const ROOMY_BYTES = 12e9;
/** Chooses memory for the tests' data if there is room: each write to a disk would take longer, and no test proves a loss of power. */
function placeForData(): string {
  const free = existsSync(IN_MEMORY) ? statfsSync(IN_MEMORY) : null;
  return free !== null && Math.min(free.bavail * free.bsize, freemem()) > ROOMY_BYTES ? IN_MEMORY : tmpdir();
}
/** The folder of files that workers share or leave behind. PostgreSQL has a user of its own, who must reach it. */
const folder = mkdtempSync(join(placeForData(), 'feierbild-run-'));
chmodSync(folder, 0o755);
process.env.TEST_RUN_FOLDER = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** Also for a machine with other work: what is waited for comes late there, not never. Promised times are measured by tests themselves. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** A file's name says its kind (`x.system.test.ts`); `npm test` names those that it runs. */
const KINDS = process.env.TEST_KINDS?.split(',');
const LEFT_OUT = KINDS
  ? ['process', 'browser', 'system'].filter((kind) => !KINDS.includes(kind)).map((kind) => `**/*.${kind}.test.ts`)
  : [];

export default defineConfig({
  test: {
    // Three keep two cores busy. With four a run takes as long, each test half as long again, and what hangs on seconds fails.
    maxWorkers: Math.max(2, Math.min(3, Math.floor(totalmem() / WORKER_BYTES))),
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'parts',
          isolate: false,
          include: ['{contract,server,web,tools}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**', ...LEFT_OUT],
          execArgv: room.flags,
          ...PATIENCE,
        },
      },
      // Each file starts the real server, most a real browser.
      { test: { name: 'whole', isolate: false, include: ['e2e/**/*.test.ts'], exclude: LEFT_OUT, execArgv: room.flags, ...PATIENCE } },
    ],
  },
});
