/** Types that an `Accept` header names, in small letters, with their weights (RFC 9110, 12.5.1). */
function weightsOf(accept: string): Map<string, number> {
  const named = accept.toLowerCase().split(',');
  return new Map(
    named.map((one) => {
      const [type = '', ...parameters] = one.split(';').map((part) => part.trim());
      const [, weight = '1'] = /^q\s*=\s*([\d.]+)$/.exec(parameters.find((part) => /^q\s*=/.test(part)) ?? '') ?? [];
      return [type, Number(weight)];
    }),
  );
}

/** Whether JSON is asked for by its name. */
export const asksForJson = (accept = ''): boolean => (weightsOf(accept).get('application/json') ?? 0) > 0;

/** Whether a page is asked for: HTML, or any text, by name, and JSON not rather. A program accepts any type. */
export function asksForPage(accept = ''): boolean {
  const weights = weightsOf(accept);
  const html = weights.get('text/html') ?? weights.get('text/*') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
