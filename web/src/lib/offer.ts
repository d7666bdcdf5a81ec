import type { Prices, Terms } from '@feierbild/contract/offer.ts';
import { useSite } from './use-site.ts';

/** The prices and the numbers of the terms, until an operator sets others. Prices in euros, shares in percent. */
export const PRICES: Prices = {
  packages: [
    { name: 'Basic', price: 20, photos: 1000, gigabytes: 5 },
    { name: 'Standard', price: 40, photos: 2000, gigabytes: 15, popular: true },
    { name: 'Premium', price: 80, photos: 5000, gigabytes: 50 },
  ],
  /** Offered above the largest package. */
  individual: { name: 'Individuell', gigabytes: 50 },
};

export const TERMS: Terms = {
  offerValidDays: 14,
  rentalHours: 24,
  cleaning: { eurosPerHour: 40, minimumHours: 1 },
  cancellation: [15, 30, 60, 80, 100],
  cocktails: {
    included: 100,
    guaranteedShare: 50,
    cancellationShare: 50,
    cancellationDays: 3,
    paidDaysBefore: 7,
    billedWithinDays: 14,
  },
};

export const usePrices = (): Prices => useSite().prices ?? PRICES;
export const useTerms = (): Terms => useSite().terms ?? TERMS;

export const MEGABYTES_PER_PHOTO = 5;

/** Times of a rental's cancellation, in the order of the due shares in `cancellation`. */
export const CANCELLED = [
  'bis 30 Tage vor Beginn',
  'bis 14 Tage vor Beginn',
  'bis 7 Tage vor Beginn',
  'bis 3 Tage vor Beginn',
  'weniger als 3 Tage vor Beginn',
] as const;

/** Set by law. */
export const WITHDRAWAL_DAYS = 14;

const PARAMETER = 'paket';

/** Returns the path of the page that requests a package. */
export function requestPath(name: string): string {
  return `/create?${new URLSearchParams({ [PARAMETER]: name }).toString()}`;
}

/** Reads the package named in an address; null if it names none, or one that does not exist. */
export function requestedPackage(search: string, { packages, individual }: Prices): string | null {
  const name = new URLSearchParams(search).get(PARAMETER);
  return name !== null && [...packages, individual].some((one) => one.name === name) ? name : null;
}
