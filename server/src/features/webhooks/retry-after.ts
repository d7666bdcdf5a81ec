/** Statuses whose Retry-After header is followed. */
const ASKS_TO_WAIT = new Set([429, 503]);
/** Length of the longest of RFC 9110's three forms of a date, characters. */
const DATE_MAX = 'Wednesday, 30-Sep-26 13:00:00 GMT'.length;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]+$/;

/** Parses a Retry-After header into ms since 1970; undefined if it is missing or unreadable. */
export function retryAt(text: string | undefined, now: number): number | undefined {
  const said = text?.trim() ?? '';
  if (/^\d+$/.test(said)) return now + Number(said) * 1000;
  if (said.length > DATE_MAX || !DATE.test(said)) return undefined;
  // The oldest form names no zone; it means GMT.
  const at = Date.parse(said.endsWith('GMT') ? said : `${said} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/** Returns the time before which an answer asks not to be tried again, ms since 1970. */
export function notBefore({ status, retryAfter }: { status: number; retryAfter: string | undefined }, now: number): number | undefined {
  return ASKS_TO_WAIT.has(status) ? retryAt(retryAfter, now) : undefined;
}
