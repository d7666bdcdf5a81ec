import type { PublicSite } from '@feierbild/contract/calls/site.ts';
import { businessOf, type BusinessSource } from './business.ts';
import type { SettingsFeature } from './settings.ts';

interface Deps {
  config: BusinessSource;
  settings: Pick<SettingsFeature, 'get'>;
  demo: { current(): PublicSite['demo'] };
  compliance: { said(): NonNullable<PublicSite['said']> };
}

/** Collects the operator's data for every page. Unset values are left out: the pages have defaults. */
export function shownSite({ config, settings, demo, compliance }: Deps): PublicSite {
  const [brand, prices, terms] = [settings.get('brand'), settings.get('prices'), settings.get('terms')];
  const { business, fictitious } = businessOf(config, settings.get('business'));
  return {
    business,
    demo: demo.current(),
    said: compliance.said(),
    ...(fictitious && { fictitious }),
    ...(brand && { brand }),
    ...(prices && { prices }),
    ...(terms && { terms }),
  };
}
