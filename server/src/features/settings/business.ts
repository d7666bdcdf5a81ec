import { Business } from '@feierbild/contract/calls/site.ts';
import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { Refusal } from '../../lib/errors.ts';
import { germanIssue } from '../../lib/german-issues.ts';
import { fieldsOf, type SettingsFeature } from './settings.ts';

export type TypedBusiness = SettingsOf<'business'>;

/** The configuration's source of the operator's data. */
export interface BusinessSource {
  business: Business;
  /** The business in the file that BUSINESS_FILE names; null: no file. */
  businessFile: Business | null;
  defaultBusiness: boolean;
}

/** Returns the operator's data: the file's values, else the typed ones; `fictitious` while they are those of the example. */
export function businessOf({ business, businessFile, defaultBusiness }: BusinessSource, typed: TypedBusiness | null) {
  if (typed) {
    const { success, data } = joined(typed, businessFile);
    if (success) return { business: data, fictitious: businessFile !== null && defaultBusiness };
  }
  return { business, fictitious: defaultBusiness };
}

/** Lists the parts of the operator's data that nobody has decided about yet: they are derived from others, or are as shipped. */
export function openPoints(
  { businessFile }: Pick<BusinessSource, 'businessFile'>,
  { get }: Pick<SettingsFeature, 'get'>,
): ('owner' | 'prices' | 'tax' | 'hosting')[] {
  const typed = businessFile ?? get('business');
  return [
    ...(typed?.identity?.owner ? [] : ['owner' as const]),
    ...(get('prices') ? [] : ['prices' as const]),
    ...(typed?.tax ? [] : ['tax' as const]),
    ...(typed?.privacy?.hosting ? [] : ['hosting' as const]),
  ];
}

/** Throws Refusal invalid_input, with a sentence for each field, if data are missing or wrong. */
export function mustBeWhole(typed: TypedBusiness, file: Business | null): void {
  const { error } = joined(typed, file);
  if (error) throw new Refusal('invalid_input', { fields: fieldsOf(error.issues) });
}

const joined = (typed: TypedBusiness, file: Business | null) =>
  Business.safeParse(over(over(following(typed), typed), file), { error: germanIssue });

/** Returns values derived from a small business's address, for fields that are not typed yet. */
function following({ identity, contact }: TypedBusiness): object {
  const email = contact?.email;
  return {
    identity: { owner: identity?.brand },
    contact: {},
    tax: { smallBusiness: false },
    privacy: { dataProtectionAuthority: 'die Datenschutzaufsicht des Bundeslandes, in dem der Betrieb sitzt' },
    disputes: { dsaContact: { email, languages: 'Deutsch' }, reportEmail: email },
    accessibility: { microEnterprise: false, contact: email },
  };
}

/** Merges two values: `above` wins unless it is null or undefined; lists count as a whole. */
function over(below: unknown, above: unknown): unknown {
  if (above === undefined || above === null) return below;
  if (!isRecord(above) || !isRecord(below)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, over(below[key], above[key])]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
