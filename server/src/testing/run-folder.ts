import { tmpdir } from 'node:os';

/** For tests: where is kept what lives as long as a run of them, and is removed after it (vitest.config.ts). */
export const RUN_FOLDER = process.env.TEST_RUN_FOLDER ?? tmpdir();
