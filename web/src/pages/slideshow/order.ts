/** Returns photos as given, or shuffled by a number drawn from seed and id, so that new ones mix in and the rest keep their order. */
export function ordered<P extends { id: string }>(photos: readonly P[], seed: string | null): readonly P[] {
  if (seed === null) return photos;
  const drawn = photos.map((photo): [number, P] => [draw(seed + photo.id), photo]);
  return drawn.sort(([a], [b]) => a - b).map(([, photo]) => photo);
}

/** Returns the photos with hearts, the most loved last. */
export function favourites<P extends { id: string }>(photos: readonly P[], hearts: ReadonlyMap<string, number>): readonly P[] {
  const count = ({ id }: P): number => hearts.get(id) ?? 0;
  return photos.filter((photo) => count(photo) > 0).sort((a, b) => count(a) - count(b));
}

/** Returns the position in a fresh list: at the same photo, or at the next one that still exists. */
export function keepPosition(before: readonly { id: string }[], position: number, after: readonly { id: string }[]): number {
  const places = new Map(after.map(({ id }, place) => [id, place]));
  for (let n = 0; n < before.length; n++) {
    const place = places.get(before[(position + n) % before.length]?.id ?? '');
    if (place !== undefined) return place;
  }
  return 0;
}

/** Draws a number from a text, always the same: FNV-1a, 32 bit. */
export function draw(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193) >>> 0;
  return hash;
}
