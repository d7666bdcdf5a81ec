import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Structured logs to stdout, or elsewhere. What is logged is chosen at each place: never passwords, tokens, queries, file names or ids of devices. */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}
