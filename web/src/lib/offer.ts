/** Prices and the numbers of the terms, each defined once. Prices in euros, shares in percent. */

export const PACKAGES = [
  { name: 'Basic', price: 20, photos: 1000, gigabytes: 5 },
  { name: 'Standard', price: 40, photos: 2000, gigabytes: 15, popular: true },
  { name: 'Premium', price: 80, photos: 5000, gigabytes: 50 },
] as const;

/** Above the largest package. */
export const INDIVIDUAL = { name: 'Individuell', gigabytes: 50 } as const;

export const MEGABYTES_PER_PHOTO = 5;

export const OFFER_VALID_DAYS = 14;
export const RENTAL_HOURS = 24;
export const CLEANING = { eurosPerHour: 40, minimumHours: 1 } as const;

/** Share of the price that is due, by the days left until the rental starts. */
export const CANCELLATION = [
  { when: 'bis 30 Tage vor Beginn', share: 15 },
  { when: 'bis 14 Tage vor Beginn', share: 30 },
  { when: 'bis 7 Tage vor Beginn', share: 60 },
  { when: 'bis 3 Tage vor Beginn', share: 80 },
  { when: 'weniger als 3 Tage vor Beginn', share: 100 },
] as const;

export const COCKTAILS = {
  /** Cocktails of the base package; extra ones count from the next. */
  included: 100,
  /** The customer must take at least this share of the extra ones. */
  guaranteedShare: 50,
  /** Of the planned extra consumption, added to a late cancellation. */
  cancellationShare: 50,
  /** Number of days before the start from which it applies. */
  cancellationDays: 3,
  paidDaysBefore: 7,
  billedWithinDays: 14,
} as const;

export const WITHDRAWAL_DAYS = 14;

const PARAMETER = 'paket';
const NAMES: readonly string[] = [...PACKAGES, INDIVIDUAL].map(({ name }) => name);

/** The page on which a package is asked for. */
export function requestPath(name: string): string {
  return `/create?${new URLSearchParams({ [PARAMETER]: name }).toString()}`;
}

/** The package that an address asks for; null for none, or one that there is not. */
export function requestedPackage(search: string): string | null {
  const name = new URLSearchParams(search).get(PARAMETER);
  return name !== null && NAMES.includes(name) ? name : null;
}
