import { CARD_HEIGHT, CARD_WIDTH, type ShownLink } from '@feierbild/contract/link-preview.ts';
import { BRAND } from './brand.ts';
import type { Site } from './lib/use-site.ts';

/** The site's data without the date, which the renderer adds: the server renders again each day. */
export type KnownSite = Omit<Site, 'today'>;

/** The elements from which search engines and messengers present a page. */
export function SearchMetadata({ path, title, description, site }: { path: string; title: string; description: string; site: KnownSite }) {
  // Previews of shared links need absolute URLs.
  const { origin } = site;
  const address = `${origin ?? ''}${path}`;
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      {origin && <meta property="og:url" content={address} />}
      <LinkMetadata link={{ title, description, picture: '/vorschau.png' }} origin={origin} />
      {(path === '/' || path === '/kontakt') && <JsonScript type="application/ld+json" value={businessMetadata(site)} />}
    </>
  );
}

/** The elements from which messengers present a link. They need absolute addresses, which only an installation with PUBLIC_URL has. */
export function LinkMetadata({ link: { title, description, picture }, origin }: { link: ShownLink; origin: string | null }) {
  return (
    <>
      <meta property="og:site_name" content={BRAND} />
      <meta property="og:type" content="website" />
      <meta property="og:locale" content="de_DE" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {origin && (
        <>
          <meta property="og:image" content={origin + picture} />
          <meta property="og:image:width" content={String(CARD_WIDTH)} />
          <meta property="og:image:height" content={String(CARD_HEIGHT)} />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  );
}

/** Describes the operator to search engines, by schema.org. */
function businessMetadata({ business: { identity, contact, map }, origin }: KnownSite): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'LocalBusiness',
    name: identity.brand,
    ...(origin ? { url: `${origin}/`, image: `${origin}/vorschau.png` } : {}),
    telephone: contact.phone?.e164,
    email: contact.email,
    address: {
      '@type': 'PostalAddress',
      streetAddress: identity.street,
      postalCode: identity.zip,
      addressLocality: identity.city,
      addressCountry: 'DE',
    },
    ...(map && { geo: { '@type': 'GeoCoordinates', latitude: map.lat, longitude: map.lon } }),
  };
}

/** Data in a script element. Every `<` is escaped, because the element ends at the first `</script`. */
export function JsonScript({ value, ...attributes }: { value: unknown; id?: string; type: string }) {
  return <script {...attributes} dangerouslySetInnerHTML={{ __html: JSON.stringify(value).replaceAll('<', '\\u003c') }} />;
}
