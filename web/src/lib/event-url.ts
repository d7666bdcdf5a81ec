/** The address that guests open, on QR codes and in links. */
export function eventUrl(code: string, password?: string | null): string {
  const query = password ? `?password=${encodeURIComponent(password)}` : '';
  return `${window.location.origin}/event/${code}${query}`;
}
