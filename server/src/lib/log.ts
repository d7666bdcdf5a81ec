import { contract } from '@feierbild/contract/contract.ts';
import { pages } from '@feierbild/contract/pages.ts';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/**
 * Creates structured logs to stdout, or to `destination`, with levels by name. Passwords, tokens, queries, file names and device ids must
 * never be logged; our addresses in foreign messages are reduced to their patterns.
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (name: string) => ({ level: name }) },
    serializers: { err: errorFields },
    hooks: { streamWrite: cutAddresses },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * Picks the logged fields of an error. Its other fields may be rows of the database (PostgreSQL's `detail`) or requests of the photo store.
 */
function errorFields(error: Error): object {
  const { type, message, stack, code, errcode, aggregateErrors } = stdSerializers.err(error);
  const causes = aggregateErrors?.map((cause: Error) => cause.message);
  return { type, message, stack, code, errcode, ...(causes && { causes }) };
}

/** The patterns of all pages and calls. */
const PATTERNS = new Set([...pages, ...Object.keys(contract).map((name) => name.slice(name.indexOf('/')))]);
const MATCHERS = [...PATTERNS].map((pattern) => ({
  pattern,
  match: new RegExp(`^${pattern.replace('/*', '/.+').replace(/:[a-z]+/g, '[^/]+')}/?$`, 'i'),
}));
const FIRST_WORDS = new Set([...PATTERNS].map((pattern) => pattern.split('/')[1]).filter(Boolean));
/** A path, also of a file, with its query, and with its origin or host if it has one. */
const ADDRESS = /(?<![\w.:@[\]-])(?:(?:https?:\/\/)?[\w.:@[\]-]+)?(\/[^\s"'\\?]*)(\?[^\s"'\\]*)?/g;

/** Removes queries from a line and replaces our addresses by their patterns. */
function cutAddresses(line: string): string {
  return line.replace(ADDRESS, (whole, path: string, query?: string) => {
    if (PATTERNS.has(path)) return query === undefined ? whole : whole.slice(0, -query.length);
    const first = path.split('/', 2)[1] ?? '';
    if (FIRST_WORDS.has(first.toLowerCase())) return MATCHERS.find(({ match }) => match.test(path))?.pattern ?? `/${first}/…`;
    return query === undefined ? whole : whole.slice(0, -query.length);
  });
}
