import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { templatesIn, type EventTemplate } from '@feierbild/contract/templates.ts';
import { useSite } from '../../lib/use-site.ts';
import { useSettings } from './settings/use-settings.ts';

/** The templates for new events; until they are known, or where they are not told, those that follow from the packages. */
export function useTemplates(): EventTemplate[] {
  const { prices } = useSite();
  const { kept } = useSettings('templates');
  return templatesIn({ templates: (kept?.value as SettingsOf<'templates'> | null | undefined) ?? null, prices });
}
