import type { PublicSite } from '@feierbild/contract/calls/site.ts';

type Keepers = NonNullable<NonNullable<PublicSite['said']>['keepers']>;

/** Names the processors that keep photos and data besides the server, in a sentence; empty if there are none. */
export function keepersText(keepers: Keepers): string {
  const named = keepers.map(({ what, name, country }) =>
    name ? `${[name, country].filter(Boolean).join(', ')} (${what})` : `ein Anbieter (${what})`,
  );
  return named.length === 0 ? '' : `Daten verarbeiten in unserem Auftrag auch: ${named.join('; ')}.`;
}
