/** Splits a URL with several hosts, separated by commas as for libpq, into one URL for each: postgres://user@one:5432,two/name. */
export function urlsOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => start + host + rest);
}
