/** Largest size of the operator's logo, CSS pixels. */
const LARGEST = { width: 176, height: 40 };

/** Returns the size at which a logo of these pixels is shown, never above its own; `share` scales the largest size. */
export function logoSize({ width, height }: { width: number; height: number }, share = 1): { width: number; height: number } {
  const scale = share * Math.min(1, LARGEST.width / width, LARGEST.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
