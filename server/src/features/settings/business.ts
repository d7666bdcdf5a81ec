import { Business } from '@feierbild/contract/calls/site.ts';
import type { SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { Refusal } from '../../lib/errors.ts';
import { germanIssue } from '../../lib/german-issues.ts';
import { fieldsOf, type SettingsFeature } from './settings.ts';

export type TypedBusiness = SettingsOf<'business'>;

/** Where an operator's data come from: the file of the configuration, else the fictitious business that ships. */
export interface BusinessSource {
  business: Business;
  /** The file that BUSINESS_FILE names; null: none. */
  businessFile: Business | null;
  defaultBusiness: boolean;
}

/** The operator's data: the file's values, then the typed ones; and whether they are still the fictitious business. */
export function businessOf({ business, businessFile, defaultBusiness }: BusinessSource, typed: TypedBusiness | null) {
  if (typed) {
    const { success, data } = joined(typed, businessFile);
    if (success) return { business: data, fictitious: businessFile !== null && defaultBusiness };
  }
  return { business, fictitious: defaultBusiness };
}

/** What of the operator's data nobody has looked at yet: it follows from something else, or is as it ships. */
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

/** Throws Refusal invalid_input, with a sentence for each field, where the data would not be whole. */
export function mustBeWhole(typed: TypedBusiness, file: Business | null): void {
  const { error } = joined(typed, file);
  if (error) throw new Refusal('invalid_input', { fields: fieldsOf(error.issues) });
}

const joined = (typed: TypedBusiness, file: Business | null) =>
  Business.safeParse(over(over(following(typed), typed), file), { error: germanIssue });

/** What follows from the address of a small business, until something else is typed. */
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

/** `above` where it says something, else `below`; lists as a whole. */
function over(below: unknown, above: unknown): unknown {
  if (above === undefined || above === null) return below;
  if (!isRecord(above) || !isRecord(below)) return above;
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => [key, over(below[key], above[key])]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
