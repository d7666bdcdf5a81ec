import { formatInstant } from '../../lib/format.ts';
import type { CookieTexts } from '../../texts/guest/cookies.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import type { FileErrorTexts } from '../spoken.ts';
import { counted } from './shell.ts';

export const fileErrors = {
  originals_off: 'Bu etkinlikte ev sahibi orijinalleri konuklarla paylaşmıyor.',
  original_missing: 'Bu fotoğrafın yalnızca önizlemesi var.',
  video_not_shared:
    'Bu videonun, çekildiği yerin bilgisini içermeyen bir sürümü oluşturulamıyor. Bu yüzden videoyu yalnızca ev sahibi ve gönderen kişi oynatabilir; videonun bağlantısı da yoktur.',
} satisfies FileErrorTexts;

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
  counted,
} satisfies PhotoTexts;

export const cookies = {
  title: 'Tarayıcınız çerezleri engelliyor',
  text: 'Çerez olmadan bu sayfa açılamaz. Lütfen bu adres için çerezlere izin verip sayfayı yeniden yükleyin veya başka bir tarayıcı kullanın.',
} satisfies CookieTexts;
