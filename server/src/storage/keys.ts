/** Whether a text is a key as blob-store.ts describes it. */
export function isKey(text: string): boolean {
  return /^[a-z0-9-]+(\/[a-z0-9-]+)*\/[a-z0-9-]+\.[a-z0-9]+$/.test(text);
}

/** Returns a valid key and throws on any other text, so that no key can point outside of the store. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error('malformed blob key');
  return key;
}

/** Returns a valid prefix, which ends in `/` or is '' (everything), and throws on any other text. */
export function checkPrefix(prefix: string): string {
  if (prefix !== '' && !/^([a-z0-9-]+\/)+$/.test(prefix)) throw new Error('malformed blob prefix');
  return prefix;
}
