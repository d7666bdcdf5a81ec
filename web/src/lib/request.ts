import { INDIVIDUAL, PACKAGES } from './offer.ts';

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
