import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Structured logs to stdout, or to `destination`. Passwords, tokens, queries, file names and device ids must never be logged. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}
