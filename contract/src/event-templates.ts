import type { Prices } from './offer.ts';

/** Initial values of the form of a new event. */
export const PLAIN_EVENT = {
  subtitle: '',
  is_active: false,
  with_nsfw_check: false,
  with_random_slideshow: false,
  with_fotobox: false,
  with_user_upload: true,
  with_slideshow: true,
  with_videos: false,
  with_upload_password: false,
  with_release: false,
};
/** Initial values of an event form, except title, days, people and passwords. Storage in GB; null: unlimited. */
export type EventTemplate = typeof PLAIN_EVENT & { name: string; storage_limit: number | null };
export const TEMPLATES_MAX = 20;

/** Packages for operators who have set neither prices nor templates; GB. */
const FIRST = [
  { name: 'Basic', gigabytes: 5 },
  { name: 'Standard', gigabytes: 15 },
  { name: 'Premium', gigabytes: 50 },
];

interface OperatorSettings {
  templates?: { templates: EventTemplate[] } | null;
  prices?: Pick<Prices, 'packages'> | null | undefined;
}

/** Returns the templates for new events: the operator's own, else one for each package. */
export function templatesIn({ templates, prices }: OperatorSettings): EventTemplate[] {
  if (templates) return templates.templates;
  return (prices?.packages ?? FIRST).map(({ name, gigabytes }) => ({ ...PLAIN_EVENT, name, storage_limit: gigabytes }));
}
