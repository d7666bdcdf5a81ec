import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { PrivacyTexts } from '../spoken.ts';

export const privacy = {
  title: 'Gizlilik',
  essentials: 'Konuklar için en önemlileri',
  binding: 'Aşağıdaki Almanca metin bağlayıcıdır.',
  points: [
    'Konukların hesaba ihtiyacı yoktur. Tüm fotoğraflar ev sahibine ulaşır. Ev sahibi slayt gösterisi sunarsa, galeriyi konuklara açarsa, bir fotoğrafı kapak resmi yaparsa veya bağlantı paylaşırsa, fotoğrafları başkaları da görebilir. Bir fotoğrafı kimin göreceği, fotoğraf gönderilmeden önce yükleme sayfasında belirtilir.',
    'Fotoğraflar şifrelenmiş olarak saklanır (AES-256). Veritabanı, fotoğraf deposu ve ayarlar tek başına, sağlayıcının bir fotoğrafı okumasına yetmez. Ev sahibi kendi şifresiyle tüm fotoğrafları, yükleyen cihaz kendi yüklediklerini, geçerli bir indirme bağlantısı olan kişi ise o bağlantının fotoğrafını açabilir. Yükleme ve görüntüleme sırasında sunucu onları kısa süreliğine belleğinde şifrelenmemiş olarak işler.',
    'Yönetim panelinde fotoğraflar görüntülenemez. Teknik olarak sağlayıcı, ev sahibinin şifresini sıfırlayarak fotoğraflara erişebilir; her sıfırlama kaydedilir ve ev sahibine gösterilir.',
    'Fotoğrafların orijinalleri, kayıtlıysa çekildikleri yerin bilgisiyle birlikte ev sahibine ulaşır. Başkalarına verilen indirme bağlantılarıyla fotoğraf, çekildiği yerin bilgisi olmadan indirilir.',
    `Fotoğraflar en geç etkinlikten ${PHOTOS_KEPT_DAYS} gün sonra otomatik olarak silinir; ardından anahtar yok edilir. Yedek kopyalar, var oldukları sürece silinmiş olanları da içerir.`,
    'Reklam yoktur, davranışlarınız analiz edilmez, başkalarının sunucularından hiçbir içerik alınmaz.',
    'Tarayıcınızda yalnızca hizmet için gerekli olanlar saklanır: fotoğraflarınızın size ait kalması için rastgele bir cihaz kimliği; girdiğiniz ad; bu bilgilendirmeyi onayladığınız etkinlikler; seçtiğiniz dil; ve seçtiğiniz fotoğrafların, ulaşana kadar kopyaları.',
    'Kendi fotoğraflarınızı yükleme sayfasında görebilir, indirebilir ve silebilirsiniz. Başka fotoğrafların silinmesini ev sahibinden isteyin. Ona ulaşamazsanız veya bir fotoğraf hukuka aykırıysa, “Fotoğraf bildir” ile bize bildirin.',
  ],
  rights: (email) =>
    `Bilgi alma, düzeltme, silme, kısıtlama, veri taşınabilirliği ve itiraz haklarınız (GDPR md. 15–21) ile bir denetim makamına şikâyet hakkınız (GDPR md. 77) vardır. Bize yazın: ${email}`,
} satisfies PrivacyTexts;
