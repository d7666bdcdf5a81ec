import { formatNumber } from '../../lib/format.ts';

/** So many photos, and so many videos besides. */
export interface Kinds {
  photos: number;
  videos: number;
}

const rules = new Intl.PluralRules('de');

/** The form for a number; `#` stands for it. */
export function by(count: number, one: string, other: string): string {
  return (rules.select(count) === 'one' ? one : other).replace('#', formatNumber(count));
}

/** `3 Fotos`, `1 Foto und 2 Videos`. */
export function counted({ photos, videos }: Kinds): string {
  const some = photos > 0 || videos === 0 ? by(photos, '1 Foto', '# Fotos') : '';
  return videos === 0 ? some : `${some && `${some} und `}${by(videos, '1 Video', '# Videos')}`;
}

export const sumOf = ({ photos, videos }: Kinds): number => photos + videos;
