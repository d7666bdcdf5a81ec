import { formatInstant, formatList, formatNumber } from '../../lib/format.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';

export const photo = {
  heart: 'Beğendim',
  anonymous: 'İsimsiz',
  of: (isVideo, name, at) => `${isVideo ? 'Video' : 'Fotoğraf'}${name ? `, gönderen: ${name}` : ''}, ${formatInstant(at)}`,
  states: {
    waiting: 'Onay bekliyor',
    announced: 'Orijinali bekleniyor',
    unreadable: 'Orijinali okunamıyor',
    replaced: 'Önizleme değiştirildi',
  },
  replaced: 'ilk gösterilen önizleme başka bir resimdi',
  taken: (time) => `çekim: ${time}`,
  download: 'İndir',
  details: 'Tüm bilgiler',
  hearts: () => 'kalp',
  /** After a number nouns have one form. */
  counted: ({ photos, videos }) =>
    formatList([
      ...(photos > 0 || videos === 0 ? [`${formatNumber(photos)} fotoğraf`] : []),
      ...(videos > 0 ? [`${formatNumber(videos)} video`] : []),
    ]),
} satisfies PhotoTexts;
