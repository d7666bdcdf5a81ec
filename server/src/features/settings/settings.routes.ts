import type { Section } from '@feierbild/contract/calls/settings.ts';
import type { Http } from '../../http/bind.ts';
import type { AdminVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { mustBeWhole, type BusinessSource } from './business.ts';
import { isSection, type SettingsFeature } from './settings.ts';

interface Parts {
  settings: SettingsFeature;
  config: Pick<BusinessSource, 'businessFile'>;
}

interface Asked {
  params: { section: string };
  visitor: Visitor & { admin: AdminVisitor };
}

/** The settings' pages of the administration. */
export function settingsRoutes(http: Http, { settings, config }: Parts): void {
  const sectionOf = ({ params: { section } }: Asked): Section => {
    if (!isSection(section)) throw new Refusal('not_found');
    return section;
  };
  const by = ({ visitor: { admin, address } }: Asked) => ({ username: admin.username, address });
  /** What the configuration says, by section. */
  const fixed: Partial<Record<Section, unknown>> = { business: config.businessFile };
  const view = async (section: Section) => ({ ...(await settings.view(section)), fixed: fixed[section] ?? null });

  http.bind('GET /admin/settings/:section', (asked) => view(sectionOf(asked)));

  http.bind('PUT /admin/settings/:section', async (asked) => {
    const section = sectionOf(asked);
    const { version, value } = asked.body;
    const typed = settings.parse(section, value);
    if (section === 'business') mustBeWhole(settings.parse(section, value), config.businessFile);
    await settings.save(section, version, typed, by(asked));
    return view(section);
  });

  http.bind('POST /admin/settings/:section/back', async (asked) => {
    const section = sectionOf(asked);
    await settings.back(section, asked.body.version, by(asked));
    return view(section);
  });
}
