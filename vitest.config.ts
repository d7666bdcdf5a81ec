import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They take longest; at the end one of them would run alone. */
const LONG =
  /e2e\/(?:image|slideshow|ui-book|looks|nodes\/nodes|engines\/\w+|gallery-large|guest-(?:wire|queue)|installation|fotobox)\.test|limits\/guesses/;
const WHOLE = /\/e2e\//;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => Number(LONG.test(moduleId)) + Number(WHOLE.test(moduleId));
    return (await super.sort(files)).toSorted((one, other) => rank(other) - rank(one));
  }
}

/** What the workers' tests share, and what they leave when they end. PostgreSQL has a user of its own, who must reach it. */
const folder = mkdtempSync(join(tmpdir(), 'feierbild-run-'));
chmodSync(folder, 0o755);
process.env.TEST_RUN_FOLDER = folder;
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

/** Also for a machine with other work: what is polled for comes late there, not never (by default a second is waited). */
const PATIENCE = { testTimeout: 60_000, hookTimeout: 120_000, expect: { poll: { timeout: 15_000 } } };

export default defineConfig({
  test: {
    // Half of their time they wait for a disk, a store, a process or a browser: two would leave much of two cores idle.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'parts',
          isolate: false,
          include: ['{contract,server,web,tools}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          ...PATIENCE,
        },
      },
      // Each file starts the real server, most a real browser.
      { test: { name: 'whole', isolate: false, include: ['e2e/**/*.test.ts'], ...PATIENCE } },
    ],
  },
});
