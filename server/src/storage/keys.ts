/** Whether a text is a key as blob-store.ts describes it. */
export function isKey(text: string): boolean {
  return /^[a-z0-9-]+(\/[a-z0-9-]+)*\/[a-z0-9-]+\.[a-z]+$/.test(text);
}

/** A key as blob-store.ts describes it, so that none can leave the store. Throws on any other. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error('malformed blob key');
  return key;
}

/** A prefix that ends in `/`, or '' for everything. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '' && !/^([a-z0-9-]+\/)+$/.test(prefix)) throw new Error('malformed blob prefix');
  return prefix;
}
