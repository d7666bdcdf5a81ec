import { useSite } from './use-site.ts';

/** The address of the site in QR codes and links, without a slash at its end: the public one where the operator named it, else this page's. */
export function useOrigin(): string {
  return useSite().origin ?? window.location.origin;
}

/** Makes the address that guests open, on QR codes and in links. */
export function useEventUrl(): (code: string, password?: string | null) => string {
  const origin = useOrigin();
  return (code, password) => {
    const query = password ? `?password=${encodeURIComponent(password)}` : '';
    return `${origin}/event/${code}${query}`;
  };
}
