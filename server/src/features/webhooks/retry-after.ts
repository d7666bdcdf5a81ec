/** Statuses whose answer says when to come again. */
const ASKS_TO_WAIT = new Set([429, 503]);
/** The longest of RFC 9110's three forms of a time, characters. */
const DATE_MAX = 'Wednesday, 30-Sep-26 13:00:00 GMT'.length;
const DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? [\w: -]+$/;

/** When an answer's Retry-After asks to be tried again, ms since 1970; undefined where it says nothing that can be read. */
export function retryAt(text: string | undefined, now: number): number | undefined {
  const said = text?.trim() ?? '';
  if (/^\d+$/.test(said)) return now + Number(said) * 1000;
  if (said.length > DATE_MAX || !DATE.test(said)) return undefined;
  // The oldest form names no zone, and means this one.
  const at = Date.parse(said.endsWith('GMT') ? said : `${said} GMT`);
  return Number.isNaN(at) ? undefined : at;
}

/** The same for a whole answer. */
export function notBefore({ status, retryAfter }: { status: number; retryAfter: string | undefined }, now: number): number | undefined {
  return ASKS_TO_WAIT.has(status) ? retryAt(retryAfter, now) : undefined;
}
