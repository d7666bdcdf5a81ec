import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Structured logs to stdout. What is logged is chosen at each place: never passwords, tokens, queries, file names or ids of devices. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
