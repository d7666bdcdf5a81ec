import { afterAll } from 'vitest';
import type { Engine } from '../../database/testing.ts';
import { createDecoder, type DecoderPools } from '../../images/create-decoder.ts';
import { createLog } from '../../lib/log.ts';

/** One decoder for all tests of a file. After them it is closed, and the engines are disposed. */
export function useDecoder(engines: readonly Engine[]): DecoderPools {
  const decoder = createDecoder({ log: createLog('silent') });
  afterAll(async () => {
    await decoder.close();
    for (const engine of engines) await engine.dispose();
  });
  return decoder;
}
