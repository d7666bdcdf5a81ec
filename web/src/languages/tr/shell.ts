import { formatDay, formatNumber } from '../../lib/format.ts';
import type { ShellTexts } from '../../texts/guest/shell.ts';
import { listOf, type Counts } from '../../video/counts.ts';
import type { ErrorTexts } from '../spoken.ts';

export const locale = 'tr-TR';

/** Counts photos and videos; Turkish nouns have a single form after a number. */
export const counted = (counts: Counts): string =>
  listOf(counts, `${formatNumber(counts.photos)} fotoğraf`, `${formatNumber(counts.videos)} video`);

export const shell = {
  skip: 'İçeriğe geç',
  home: ': ana sayfaya',
  legal: 'Yasal bilgiler',
  privacy: 'Gizlilik',
  terms: 'Koşullar (Almanca)',
  imprint: 'Künye (Almanca)',
  contact: 'İletişim (Almanca)',
  wait: 'Lütfen bekleyin…',
  reload: 'Sayfayı yenile',
  broken: 'Bir sorun oluştu',
  brokenText: 'Sayfa açılamadı. Yüklenmiş olanlar kayıtlı kalır; lütfen sayfayı yenileyin.',
  close: 'Kapat',
  dismiss: 'Mesajı kapat',
  retry: 'Yeniden dene',
  cancel: 'Vazgeç',
  noConnection: 'Bağlantı yok. Lütfen ağınızı kontrol edip yeniden deneyin.',
  unknown: 'Bilinmeyen bir hata oluştu',
  withId: (text, id) => `${text} (No. ${id})`,
  hints: {
    wrong: 'Etkinlik şifresi doğru değil. Büyük ve küçük harfe dikkat edin.',
    missing: 'Lütfen etkinlik şifresini girin.',
    opens: (day) => `Bu etkinliğin açılış tarihi: ${formatDay(day)}.`,
    ended: (day) => `Bu etkinlik sona erdi; son günü: ${formatDay(day)}.`,
    inactive: 'Bu etkinlik henüz açılmadı veya artık açık değil.',
  },
} satisfies ShellTexts;

export const errors = {
  invalid_input: 'Lütfen girdiğiniz bilgileri kontrol edin.',
  device_id_missing: 'Cihaz kimliği alınamadı.',
  login_required: 'Bu sayfayı açmak için ev sahibinin verdiği bağlantı gerekir.',
  event_inactive: 'Bu etkinlik açık değil.',
  wrong_event_password: 'Etkinlik şifresi yanlış.',
  demo_fixed: 'Bu, demoda mümkün değil.',
  event_not_found: 'Etkinlik bulunamadı.',
  photo_not_found: 'Fotoğraf bulunamadı.',
  too_large: 'Bu dosya izin verilenden büyük.',
  too_many_attempts: 'Çok fazla deneme yapıldı. Lütfen birkaç dakika bekleyip yeniden deneyin.',
  disk_full: 'Sunucuda boş yer kalmadı. Hiçbir şey kaybolmadı; lütfen daha sonra yeniden deneyin.',
  other: 'Bir hata oluştu. Lütfen daha sonra yeniden deneyin.',
  field: 'Lütfen bu alanı kontrol edin.',
} satisfies ErrorTexts;
