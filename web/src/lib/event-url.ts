import { useSite } from './use-site.ts';

/** The site's address for QR codes and links, without a trailing slash: PUBLIC_URL where it is set, else this page's own. */
export function useOrigin(): string {
  return useSite().origin ?? window.location.origin;
}

/** Makes the address that guests open, for QR codes and links. */
export function useEventUrl(): (code: string, password?: string | null) => string {
  const origin = useOrigin();
  return (code, password) => origin + eventPath(code, password);
}

/** Path of the guests' page; with the event's password it opens without asking for it. */
export function eventPath(code: string, password?: string | null): string {
  return `/event/${code}${password ? `?password=${encodeURIComponent(password)}` : ''}`;
}
