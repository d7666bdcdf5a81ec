import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Engine } from '../../database/testing.ts';
import { createDecoder, type DecoderPools } from '../../images/create-decoder.ts';
import { createLog } from '../../lib/log.ts';
import { RUN_FOLDER } from '../../testing/run-folder.ts';

/** This worker's decoder; it ends with the worker. */
let running: DecoderPools | undefined;

/** Provides one decoder for all test files of a worker, which run one after the other. Disposes the engines after the tests of a file. */
export function useDecoder(engines: readonly Engine[]): DecoderPools {
  afterAll(async () => {
    for (const engine of engines) await engine.dispose();
  });
  return (running ??= createDecoder({ log: createLog('silent'), codeFolder: mkdtempSync(join(RUN_FOLDER, 'code-')) }));
}
