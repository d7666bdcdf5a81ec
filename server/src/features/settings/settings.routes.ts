import type { Section, SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { isReadable, tooLight } from '@feierbild/contract/colours.ts';
import type { Http } from '../../http/bind.ts';
import { readFormFile } from '../../http/form.ts';
import type { AdminVisitor, Visitor } from '../../http/visitor.ts';
import { Refusal } from '../../lib/errors.ts';
import { SOURCE_BYTES, type Pictures } from '../pictures/pictures.ts';
import type { SecondFactor } from '../second-factor/second-factor.ts';
import { mustBeWhole, type BusinessSource } from './business.ts';
import { isSection, type SettingsFeature } from './settings.ts';

interface Deps {
  settings: SettingsFeature;
  secondFactor: Pick<SecondFactor, 'of'>;
  pictures: Pictures;
  config: Pick<BusinessSource, 'businessFile'>;
}

interface Asked {
  params: { section: string };
  visitor: Visitor & { admin: AdminVisitor };
}

/** The settings' pages of the administration. */
export function settingsRoutes(http: Http, { settings, secondFactor, pictures, config }: Deps): void {
  const sectionOf = ({ params: { section } }: Asked): Section => {
    if (!isSection(section)) throw new Refusal('not_found');
    return section;
  };
  const by = ({ visitor: { admin, address } }: Asked) => ({ username: admin.username, address });
  /** The configuration's values, by section. */
  const fixed: Partial<Record<Section, unknown>> = { business: config.businessFile };
  const view = async (section: Section) => ({ ...(await settings.view(section)), fixed: fixed[section] ?? null });

  /** Throws unless the administrator who requires second factors has one: otherwise all would be locked out. */
  async function mayChange(section: Section, { visitor }: Asked): Promise<void> {
    if (section !== 'access') return;
    const { totp, passkeys } = await secondFactor.of(visitor.admin.adminId);
    if (!totp && passkeys.length === 0) throw new Refusal('second_factor_missing');
  }

  http.bind('GET /admin/settings/:section', (asked) => view(sectionOf(asked)));

  http.bind('PUT /admin/settings/:section', async (asked) => {
    const section = sectionOf(asked);
    await mayChange(section, asked);
    const { version, value } = asked.body;
    const typed = settings.parse(section, value);
    if (section === 'business') mustBeWhole(settings.parse(section, value), config.businessFile);
    if (section === 'brand') await mustBeShowable(settings.parse(section, value));
    await settings.save(section, version, typed, by(asked));
    return view(section);
  });

  /** Throws Refusal invalid_input for an unreadable colour, with the nearest readable one, and for a logo that does not exist. */
  async function mustBeShowable({ accent, logo }: SettingsOf<'brand'>): Promise<void> {
    if (accent !== undefined && !isReadable(accent)) throw new Refusal('invalid_input', { fields: { accent: tooLight(accent) } });
    const kept = logo && (await pictures.logo(logo.id));
    if (logo && (kept?.width !== logo.width || kept.height !== logo.height))
      throw new Refusal('invalid_input', { fields: { logo: 'Dieses Logo gibt es nicht mehr. Bitte wählen Sie es noch einmal.' } });
  }

  http.bind('POST /admin/logo', async ({ request }) => {
    const made = await pictures.make('logo', 'operator', () => readFormFile(request, SOURCE_BYTES));
    return pictures.addLogo(made, await settings.logos());
  });

  http.bind('GET /api/pictures/:id', ({ params }) => pictures.answer(params.id));

  http.bind('POST /admin/settings/:section/back', async (asked) => {
    const section = sectionOf(asked);
    await mayChange(section, asked);
    await settings.back(section, asked.body.version, by(asked));
    return view(section);
  });
}
