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
