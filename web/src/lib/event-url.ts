import { useSite } from './use-site.ts';

/** Returns the site's address for QR codes and links, without a trailing slash: PUBLIC_URL if it is set, else this page's own. */
export function useOrigin(): string {
  return useSite().origin ?? window.location.origin;
}

interface Way {
  /** The event's password, so that the page does not ask for it. */
  password?: string | null | undefined;
  /** The link of the guests' gallery, whose token lets the page open the gallery, too. */
  gallery?: string | null | undefined;
}

/** Returns a function that makes the address which guests open, for QR codes and links. */
export function useEventUrl(): (code: string, way?: Way) => string {
  const origin = useOrigin();
  return (code, way) => origin + eventPath(code, way);
}

/** Returns the path of the guests' page. */
export function eventPath(code: string, { password, gallery }: Way = {}): string {
  const [, token] = gallery?.split('#') ?? [];
  return `/event/${code}${password ? `?password=${encodeURIComponent(password)}` : ''}${token ? `#${token}` : ''}`;
}
