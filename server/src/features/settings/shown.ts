import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import { businessOf, type BusinessSource } from './business.ts';
import type { SettingsFeature } from './settings.ts';

interface Parts {
  config: BusinessSource;
  settings: Pick<SettingsFeature, 'get'>;
  demo: { current(): PublicSite['demo'] };
}

/** What every page shows of the operator now. What was not set is left out: the pages have their own. */
export function shownSite({ config, settings, demo }: Parts): PublicSite {
  const [brand, prices, terms] = [settings.get('brand'), settings.get('prices'), settings.get('terms')];
  return {
    business: businessOf(config, settings.get('business')).business,
    demo: demo.current(),
    ...(brand && { brand }),
    ...(prices && { prices }),
    ...(terms && { terms }),
  };
}
