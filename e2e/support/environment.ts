import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { PATH, HOME, NODE_COMPILE_CACHE, VITEST } = process.env;

/** Node's arguments for the product's processes in tests; measurements run the product without them. */
export const QUICK_HASH = VITEST ? [`--import=${pathToFileURL(join(import.meta.dirname, 'quick-hash.ts')).href}`] : [];

/** Environment of each process of the product besides its settings. The compile cache of `npm test` halves the start time. */
export const ENVIRONMENT: Record<string, string | undefined> = {
  PATH,
  HOME,
  SHUTDOWN_DELAY: '0',
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};
