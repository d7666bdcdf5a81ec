const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;

/** Environment of each process of the product besides its settings. The cache for compiled code of `npm test` halves the start time. */
export const ENVIRONMENT: Record<string, string | undefined> = {
  PATH,
  HOME,
  SHUTDOWN_DELAY: '0',
  ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
};
