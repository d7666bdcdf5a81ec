/** For tests: copies the bytes and changes one. */
export function flipped(bytes: Uint8Array, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] as number) ^ 0x40;
  return copy;
}
