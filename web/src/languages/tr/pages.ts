import type { DownloadTexts } from '../../texts/guest/download.ts';
import type { JoinTexts } from '../../texts/guest/join.ts';

export const join = {
  title: 'Etkinliğe katıl',
  lead: 'Kod, davetiyede veya masadaki kartta yazar.',
  secureLead: 'Bu etkinlik şifreyle korunuyor. Şifreyi ev sahibinden öğrenebilirsiniz.',
  code: 'Etkinlik kodu',
  placeholder: '8 karakterlik kodu girin',
  hint: 'Harf ve rakamlardan oluşan 8 karakter',
  password: 'Etkinlik şifresi',
  show: 'Şifreyi göster',
  open: 'Etkinliği aç',
  back: '← Ana sayfaya dön',
  failed: 'Etkinlik kodu geçersiz veya süresi dolmuş',
  trouble: 'Sunucuyla bağlantıda şu anda sorun var. Lütfen birazdan yeniden deneyin.',
} satisfies JoinTexts;

export const download = {
  photo: 'Fotoğrafınız',
  video: 'Videonuz',
  loading: 'Önizleme hazırlanıyor…',
  noPreview: 'Önizleme gösterilemiyor',
  preview: 'Fotoğrafınızın önizlemesi',
  button: 'Fotoğrafı indir',
  busy: 'İndiriliyor…',
  done: 'İndirildi!',
  doneText: 'Fotoğrafınız indirildi.',
  valid: 'Bu bağlantı 7 gün geçerlidir',
  safe: 'Güvenli ve gizli',
  error: 'Hata',
  noToken: 'Geçersiz indirme bağlantısı',
  home: 'Ana sayfaya',
  expired: 'İndirme bağlantısının süresi doldu. Lütfen yeni bir fotoğraf çektirin.',
  invalid: 'Geçersiz indirme bağlantısı.',
  failed: (why) => `Fotoğraf indirilemedi: ${why}. Lütfen yeniden deneyin.`,
  line: 'bağlantı yok',
  status: (status) => `durum ${status}`,
  awaited: 'Fotoğrafınız hâlâ yolda',
  awaitedText:
    'Fotoğraf kabininin şu anda ağı yok. Fotoğraf gelir gelmez burada kendiliğinden görünür; bu sayfayı daha sonra da yeniden açabilirsiniz.',
  report: 'Fotoğraf bildir',
  reportVideo: 'Video bildir',
} satisfies DownloadTexts;
