import { useSite } from './use-site.ts';

/** The site's address for QR codes and links, without a trailing slash: PUBLIC_URL where it is set, else this page's own. */
export function useOrigin(): string {
  return useSite().origin ?? window.location.origin;
}

interface Way {
  /** The event's password: with it the page opens without asking for it. */
  password?: string | null | undefined;
  /** The link of the guests' gallery: with its token the page lets into that, too. */
  gallery?: string | null | undefined;
}

/** Makes the address that guests open, for QR codes and links. */
export function useEventUrl(): (code: string, way?: Way) => string {
  const origin = useOrigin();
  return (code, way) => origin + eventPath(code, way);
}

/** Path of the guests' page. */
export function eventPath(code: string, { password, gallery }: Way = {}): string {
  const [, token] = gallery?.split('#') ?? [];
  return `/event/${code}${password ? `?password=${encodeURIComponent(password)}` : ''}${token ? `#${token}` : ''}`;
}
