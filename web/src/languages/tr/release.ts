import { formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { ReleaseTexts } from '../../texts/guest/release.ts';

export const release = {
  title: 'Fotoğraf onayı',
  waiting: (count) => `${formatNumber(count)} fotoğraf bekliyor`,
  show: 'Göster',
  hide: 'Gösterme',
  meaning: '“Göster”: Fotoğrafı tüm konuklar ve slayt gösterisini izleyenler görür. “Gösterme”: Fotoğrafı yalnızca ev sahibi görür.',
  unseen: 'Bu videodan henüz bir görüntü yok. Lütfen önce izleyin, sonra gösterin.',
  byHost: 'Ev sahibi onu izleyebilir; “Gösterme” kararı ona bırakır.',
  undo: 'Geri al',
  showAll: (count) => formFor(count, { one: '1 fotoğrafı göster', other: 'Tümünü göster (#)' }),
  showAllTitle: (count) => formFor(count, { one: 'Bu fotoğraf gösterilsin mi?', other: '# fotoğrafın tümü gösterilsin mi?' }),
  showAllText:
    'Konuklar bunları hemen görür, slayt gösterisi de hemen gösterir. Tek tek fotoğraflar sonradan galeride yeniden gizlenebilir.',
  done: 'Hepsi için karar verildi',
  doneText: 'Yeni fotoğraflar burada kendiliğinden belirir.',
  from: (name, at) => (name ? `${name}, ${formatInstant(at)}` : formatInstant(at)),
  failed: 'Onay sayfası şu anda açılamıyor',
  notSent: (count) =>
    formFor(count, {
      one: 'Bir karar ulaşmadı; fotoğraf yeniden bekliyor.',
      other: '# karar ulaşmadı; fotoğraflar yeniden bekliyor.',
    }),
  elsewhere: (count) => `Bu arada ${formatNumber(count)} fotoğraf hakkında başka biri karar verdi.`,
  sending: 'Kararlar gönderiliyor…',
  loading: 'Başka fotoğraflar yükleniyor…',
  noAccess: 'Bu sayfa için bağlantı eksik',
  noAccessText:
    'Lütfen ev sahibinin verdiği bağlantıyı yeniden açın; ev sahibi onu sonlandırmış olabilir. Ev sahipleri buradan oturum açar.',
  login: 'Ev sahibi olarak oturum aç (Almanca)',
  linkPart: {
    label: 'Bağlantı veya kod',
    go: 'Devam',
    mistake: 'Bunda ne bağlantının tamamı ne de kodu var.',
  },
} satisfies ReleaseTexts;
