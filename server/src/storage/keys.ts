/** A key as blob-store.ts describes it, so that none can leave the store. Throws on any other. */
export function checkKey(key: string): string {
  if (!/^[a-z0-9-]+(\/[a-z0-9-]+)*\/[a-z0-9-]+\.[a-z]+$/.test(key)) throw new Error('malformed blob key');
  return key;
}

/** A prefix that ends in `/`, or '' for everything. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '' && !/^([a-z0-9-]+\/)+$/.test(prefix)) throw new Error('malformed blob prefix');
  return prefix;
}
