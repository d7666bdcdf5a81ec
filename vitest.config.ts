import { defineConfig } from 'vitest/config';

/** Tests of the whole product without a browser: two at a time keep two cores busy. */
const SERVERS = ['access', 'crash', 'fotobox', 'metrics', 'operations', 'purge-crash', 'roles', 'year'].map(
  (name) => `e2e/${name}.test.ts`,
);

const PATIENCE = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'parts',
          include: ['{contract,server,web,tools}/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          ...PATIENCE,
          // Much of their time they wait for a disk, a store or a process; by default a worker has one core less than there are.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'servers',
          include: SERVERS,
          ...PATIENCE,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'whole',
          include: ['e2e/**/*.test.ts'],
          exclude: SERVERS,
          ...PATIENCE,
          // Each file starts the real server and a real browser.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
