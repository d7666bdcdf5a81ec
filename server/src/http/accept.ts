/** Reads the types in an `Accept` header, in lower case, with their weights (RFC 9110, 12.5.1). */
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

/** Tells whether the header names JSON. */
export const asksForJson = (accept = ''): boolean => (weightsOf(accept).get('application/json') ?? 0) > 0;

/** Tells whether the header asks for a page: it names HTML or any text, and does not prefer JSON. Programs accept any type. */
export function asksForPage(accept = ''): boolean {
  const weights = weightsOf(accept);
  const html = weights.get('text/html') ?? weights.get('text/*') ?? 0;
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
