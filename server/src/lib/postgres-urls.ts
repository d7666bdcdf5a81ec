/** One URL for each host of a URL that may name several, separated by commas, as libpq takes them: postgres://user@one:5432,two/name. */
export function urlsOf(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => start + host + rest);
}
