import { tmpdir } from 'node:os';

/** For tests: where the service's data lie, and what lives as long as a run of them; removed after it (vitest.config.ts). */
export const RUN_FOLDER = process.env.TEST_RUN_FOLDER ?? tmpdir();
