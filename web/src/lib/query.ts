/** Query parameters of the page's address. */
export function queryParameter(name: string): string {
  return new URLSearchParams(window.location.search).get(name) ?? '';
}
