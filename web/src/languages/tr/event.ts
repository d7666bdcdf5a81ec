import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { CookielessTexts } from '../../texts/guest/cookieless.ts';
import type { GuestTexts } from '../../texts/guest/guest.ts';
import type { LaterTexts } from '../../texts/guest/later.ts';
import type { UploadErrorTexts } from '../spoken.ts';
import { counted, errors, shell } from './shell.ts';

export const uploadErrors = {
  upload_incomplete: 'Aktarım yarıda kesildi. Lütfen yeniden deneyin.',
  upload_disabled: 'Bu etkinlikte yükleme kapalı.',
  device_full: 'Bu cihazdan, bu etkinlik için izin verilen sayıda fotoğraf zaten gönderildi.',
  demo_full: `Demoda cihaz başına en çok ${DEMO_PHOTOS} fotoğraf yüklenebilir.`,
  photo_removed: 'Bu fotoğraf silindi.',
  too_many_pixels: 'Bu resim 200 megapikselden büyük.',
  video_refused: 'Bu etkinlikte video kabul edilmiyor.',
  video_unreadable: 'Bu video kabul edilmiyor. Telefonların kaydettiği MP4, MOV ve WebM videoları kabul edilir.',
  not_a_photo: 'Bu dosya okunabilir bir resim değil.',
  storage_full: 'Bu etkinliğin depolama alanı dolu.',
} satisfies UploadErrorTexts;

const way = 'Sunucuya giden yolda bir şey fotoğrafları engelliyor. Lütfen başka bir ağ deneyin.';

export const guest = {
  page: {
    loadingFails: 'Etkinlik şu anda açılamıyor',
    again: 'Sayfa kendiliğinden yeniden dener.',
    noConnection: 'Sunucuya bağlantı yok.',
    noCode: 'Etkinlik kodu verilmedi',
    enterCode: 'Kodu gir',
    device: 'Cihaz hatası',
    deviceText: errors.device_id_missing,
    password: 'Şifre gerekli',
    passwordText: 'Bu etkinlik için şifre gerekir. Şifreyi girmek için lütfen “Kilidi aç” düğmesine dokunun.',
    passwordWrong: 'Bu bağlantıdaki şifre yanlış veya artık geçerli değil.',
    unlock: 'Kilidi aç',
    notFound: 'Etkinlik kodu geçersiz veya süresi dolmuş',
    notOpen: 'Henüz açılmadı',
    opensOn: (day) => `Bu etkinliğin açılış tarihi: ${formatDay(day)}. O gün burada başlayabilirsiniz.`,
    uploadsOff: uploadErrors.upload_disabled,
    uploadsOffText: 'Yükleme yeniden açılırsa bu sayfadan devam edebilirsiniz.',
    otherEvent: 'Başka bir etkinlik aç',
  },
  form: {
    name: 'Adınız',
    pick: 'Dosya seç',
    eventPassword: 'Etkinlik şifresi',
    chosen: 'Seçilen dosyalar',
    private: 'Tüm fotoğrafları yalnızca ev sahibi görür. Fotoğraflar şifrelenmiş olarak saklanır.',
    sealed: 'Fotoğraflar şifrelenmiş olarak saklanır.',
    gallery: 'Tüm konukların fotoğrafları',
    perDevice: (count) => `Bu etkinlikte cihaz başına ${formatNumber(count)} fotoğraf gönderilebilir.`,
    ownLater: 'Kendi fotoğraflarınızı da burada ancak ev sahibi fotoğrafları konuklara açtıktan sonra görebilirsiniz.',
    own: (count) => `Fotoğraflarım (${formatNumber(count)})`,
    report: 'Fotoğraf bildir',
  },
  bar: {
    region: 'Yükleme',
    hint: 'Bu kutuyu işaretleyin, sonra başlayabilirsiniz.',
    consent: (takesVideos) =>
      takesVideos
        ? '[Gizlilik bilgilendirmesini] okudum; bu fotoğrafları ve videoları paylaşma hakkına sahibim.'
        : '[Gizlilik bilgilendirmesini] okudum; bu fotoğrafları paylaşma hakkına sahibim.',
    originals: 'Fotoğrafların orijinalleri, kayıtlıysa çekildikleri yerin bilgisiyle birlikte ev sahibine ulaşır.',
    seenBy: {
      open: 'Buraya yüklenenleri tüm konuklar hemen görebilir.',
      released: (minutes) =>
        minutes === null
          ? 'Buraya yüklenenleri, ev sahibi onaylayınca tüm konuklar görebilir.'
          : `Buraya yüklenenleri tüm konuklar, ev sahibi onaylayınca, onay gelmese de yüklendikten en geç ${minutes} dakika sonra görebilir.`,
      revealed: 'Buraya yüklenenleri, ev sahibi fotoğrafları konuklara açınca tüm konuklar görebilir.',
      from: (instant) => `Buraya yüklenenleri tüm konuklar şu tarih ve saatten itibaren görebilir: ${formatInstant(instant)}.`,
      wall: {
        always: 'Slayt gösterisi, ev sahibinin gizli tutmadığı her şeyi etkinlikte bulunan herkese gösterir.',
        now: 'Slayt gösterisi, ev sahibinin gizli tutmadığı her şeyi etkinlikte bulunan herkese daha önce de gösterir.',
        later: 'Slayt gösterisi de o andan itibaren, ev sahibinin gizli tutmadığı her şeyi etkinlikte bulunan herkese gösterir.',
      },
    },
    nothing: 'Hazır',
    done: '✓ Yüklendi',
    send: (count) => `Yükle (${formatNumber(count)})`,
    running: (left) => `Yükleniyor… (${formatNumber(left)} kaldı)`,
    off: {
      running: 'Yükleme sürüyor.',
      nothing: 'Lütfen önce bir şey seçin.',
      done: 'Her şey yüklendi.',
      hopeless: 'Kırmızıyla işaretlenenler yüklenemez.',
    },
  },
  leave: {
    uploading: 'Yükleme sürüyor. Sayfadan yine de ayrılmak istiyor musunuz?',
    unsent: 'Seçtikleriniz henüz yüklenmedi. Sayfadan yine de ayrılmak istiyor musunuz?',
  },
  status: {
    cloud: 'Telefonunuz dosyaları önce buluttan indiriyor.',
    chooseAgain: (counts) => `Lütfen yeniden seçin: ${counted(counts)}.`,
    gone: () => 'Bu cihazda artık yok.',
    silent: 'Lütfen geçen seferki fotoğrafları yeniden seçin.',
    stuck: {
      line: 'Ağ bekleniyor – yükleme kendiliğinden devam eder.',
      server: 'Sunucu bekleniyor – yükleme kendiliğinden devam eder.',
      way,
      device: 'Bu cihazın depolama alanı bekleniyor – yükleme kendiliğinden devam eder.',
    },
    paused: (counts) => `${counted(counts)} henüz yüklenmedi.`,
    safe: (stored, all) => `Ulaşan dosya: ${formatNumber(stored)} / ${formatNumber(all)}.`,
    shown: (count) =>
      formFor(count, {
        one: '1 tanesi şimdiden görünüyor, orijinali sonra gelecek.',
        other: '# tanesi şimdiden görünüyor, orijinalleri sonra gelecek.',
      }),
    stayOpen: 'Lütfen bu sayfayı açık bırakın.',
    mayClose: 'Sayfayı kapatırsanız yükleme, bir sonraki açışınızda devam eder.',
    more: 'Daha fazla',
    stop: 'Yüklemeyi durdur',
    ended: {
      removing: 'Yükleme durduruldu. Görünmeye başlayanlar kaldırılıyor: lütfen bitene kadar bu sayfayı açık bırakın.',
      removed: 'Yükleme durduruldu. Ulaşmamış olanlar hiçbir yerde görünmez.',
    },
    elsewhere: (stored, all) => `Başka bir pencerede ulaşan dosya: ${formatNumber(stored)} / ${formatNumber(all)}.`,
    requests: (ids) => `(No. ${ids.join(', ')})`,
  },
  thanks: {
    title: (name) => (name ? `Teşekkürler, ${name}!` : 'Teşekkürler!'),
    all: (counts) => `${counted(counts)} ulaştı.`,
    partly: (stored, counts) => `Gönderilen ${counted(counts)} içinden ${formatNumber(stored)} tanesi ulaştı.`,
  },
  tile: {
    waiting: 'seçildi',
    sending: 'yükleniyor',
    announced: 'orijinali bekleniyor',
    stored: 'yüklendi',
    failed: 'yüklenemedi',
    resends: 'bekliyor',
    heic: 'HEIC biçimi',
    remove: 'çıkar',
    view: (name) => `${name}, görüntüle`,
  },
  failed: {
    no_connection: shell.noConnection,
    too_large: errors.too_large,
    unreadable: 'Bu dosya artık okunamıyor.',
    device_silent: 'Bu cihazın depolama alanı şu anda yanıt vermiyor.',
    altered: 'Bu fotoğraf değişmiş olarak ulaştı.',
    not_ours: 'Dosya, sunucuya giderken engellendi.',
  },
  said: {
    progress: (percent) => `Yüzde ${percent} yüklendi`,
    stuck: {
      line: 'Yükleme ağı bekliyor',
      server: 'Yükleme sunucuyu bekliyor',
      way,
      device: 'Yükleme bu cihazın depolama alanını bekliyor',
    },
    done: 'Her şey yüklendi',
    failed: (count) => `Bitti, ${formatNumber(count)} tanesi yüklenemedi`,
  },
} satisfies GuestTexts;

const tap = 'Çıkarmak için kırmızıyla işaretlenene dokunun.';
const again = 'Kırmızıyla işaretlenene dokunun ve yeniden seçin.';

export const later = {
  passOn: 'Başkalarına da haber ver',
  inApp: {
    title: (app) =>
      app === '' ? 'Bu sayfa başka bir uygulamanın tarayıcısında açık.' : `Bu sayfa ${app} uygulamasının tarayıcısında açık.`,
    text: 'Kendi tarayıcınızda daha sorunsuz çalışır: yukarıda “…” veya “⋮” simgesine, ardından “Tarayıcıda aç” seçeneğine dokunun.',
  },
  failures: {
    files: (count) => `${formatNumber(count)} dosya`,
    counted,
    because: (what, reason) => `${what}: ${reason}`,
    more: (names, others) => (others > 0 ? `${names.join(', ')} ve ${formatNumber(others)} tane daha` : names.join(', ')),
    causes: {
      too_large: { short: 'Fazla büyük', reason: 'izin verilenden büyük.', advice: 'Lütfen ev sahibine başka bir yolla iletin.' },
      not_a_photo: { short: 'Resim değil', reason: 'okunabilir bir resim değil.', advice: tap },
      too_many_pixels: {
        short: 'Fazla büyük',
        reason: '200 megapikselden büyük.',
        advice: 'Lütfen daha düşük çözünürlükte çekin veya ev sahibine başka bir yolla iletin.',
      },
      video_refused: { short: 'Video yüklenemez', reason: uploadErrors.video_refused, advice: tap },
      video_unreadable: { short: 'Okunamıyor', reason: 'Telefonların kaydettiği MP4, MOV ve WebM videoları kabul edilir.', advice: tap },
      unreadable: { short: 'Okunamıyor', reason: 'artık okunamıyor.', advice: `Belki silindi veya taşındı. ${again}` },
      photo_removed: { short: 'Silindi', reason: 'orijinali gelmeden silindi.', advice: tap },
      altered: { short: 'Değişmiş', reason: 'değişmiş olarak ulaştı.', advice: again },
      storage_full: {
        short: 'Depolama dolu',
        reason: uploadErrors.storage_full,
        advice: 'Lütfen ev sahibine haber verin; her şey hâlâ bu cihazda.',
      },
      disk_full: {
        short: 'Depolama dolu',
        reason: 'Sunucuda boş yer kalmadı.',
        advice: 'Hiçbir şey kaybolmadı; lütfen daha sonra yeniden deneyin.',
      },
      demo_full: { short: 'Demo dolu', reason: uploadErrors.demo_full, advice: '' },
      device_full: {
        short: 'Sınır aşıldı',
        reason: uploadErrors.device_full,
        advice: tap,
      },
      wrong_event_password: { short: 'Şifre', reason: 'Etkinlik şifresi eksik veya artık doğru değil.', advice: '' },
      closed: { short: 'Kapalı', reason: 'Etkinlik şu anda bir şey kabul etmiyor.', advice: 'Lütfen ev sahibine sorun.' },
      no_connection: {
        short: 'Ağ yok',
        reason: 'bağlantı olmadığı için gönderilmedi.',
        advice: 'Devam etmek için “Yükle” düğmesine dokunun.',
      },
      other: { short: 'Gönderilmedi', reason: 'yüklenmedi.', advice: 'Lütfen birazdan yeniden deneyin.' },
    },
  },
  mine: {
    title: 'Fotoğraflarım',
    hint: 'Bu liste bu tarayıcıya aittir; başka cihazlarda boştur.',
    states: { announced: 'Orijinali bekleniyor', unreadable: 'Orijinali okunamıyor' },
    photo: (name) => `Fotoğrafım ${name}`,
    video: (name) => `Videom ${name}`,
    remove: 'Sil',
    download: 'İndir',
    delete: (isVideo) => (isVideo ? 'Video silinsin mi?' : 'Fotoğraf silinsin mi?'),
    deleteText: (isVideo, name) =>
      isVideo
        ? `“${name}” adlı video ev sahibinin galerisinden de silinir. Bu işlem geri alınamaz.`
        : `“${name}” adlı fotoğraf ev sahibinin galerisinden de silinir. Bu işlem geri alınamaz.`,
    keep: 'Kalsın',
    deleteNow: 'Kalıcı olarak sil',
  },
} satisfies LaterTexts;

export const unkept = {
  hint: 'Bu liste siz sayfayı kapatana kadar geçerlidir: Tarayıcınız çerezleri engelliyor.',
} satisfies CookielessTexts;
