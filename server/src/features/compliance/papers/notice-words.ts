import { BACKUPS_KEPT_DAYS, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { NoticeLanguage } from '@feierbild/contract/paper-names.ts';

const [PHOTOS, BACKUPS] = [PHOTOS_KEPT_DAYS, BACKUPS_KEPT_DAYS];

const de = {
  title: 'Hier werden Fotos gesammelt',
  controller: 'Verantwortlich ist der Gastgeber',
  voluntary: 'Gäste laden ihre Fotos hoch, damit der Gastgeber sie als Andenken erhält; das ist freiwillig.',
  basis: 'Grundlage ist das berechtigte Interesse des Gastgebers, Fotos seiner Feier zu sammeln (Art. 6 Abs. 1 lit. f DSGVO).',
  recipients: 'Die Fotos erhält der Gastgeber. Wer sie sonst noch sehen kann, steht auf der Upload-Seite, bevor ein Foto gesendet wird.',
  deleted: `Fotos und Namen werden ${PHOTOS} Tage nach dem Fest gelöscht.`,
  backups: `In Sicherungen sind sie höchstens ${BACKUPS} Tage länger.`,
  sealed: 'Die Fotos liegen verschlüsselt auf dem Server.',
  eea: 'Die Fotos bleiben im Europäischen Wirtschaftsraum.',
  wishes:
    'Sie möchten auf keinem Foto zu sehen sein oder eines löschen lassen? Sagen Sie es dem Gastgeber oder melden Sie es über die Adresse im QR-Code.',
  rights:
    'Sie haben das Recht auf Auskunft, Berichtigung, Löschung, Einschränkung, Übertragbarkeit und Widerspruch (Art. 15 bis 21 DSGVO) und auf Beschwerde bei einer Aufsichtsbehörde (Art. 77 DSGVO).',
  operator: 'Den Dienst betreibt',
  dpo: 'Datenschutzbeauftragte Person',
  more: 'Alles Weitere steht unter der Adresse im QR-Code.',
};

/** The notice's sentences in the languages of guests. Each translation says that the German text is the one that counts. */
export const NOTICE_WORDS: Record<NoticeLanguage, typeof de> = {
  de,
  en: {
    title: 'Photos are collected here',
    controller: 'Responsible: the host',
    voluntary: 'Guests upload their photos so that the host can keep them as a memory; this is voluntary.',
    basis: 'The legal basis is the host’s legitimate interest in collecting photos of the celebration (Art. 6(1)(f) GDPR).',
    recipients: 'The photos go to the host. Who else may see them is shown on the upload page before a photo is sent.',
    deleted: `Photos and names are deleted ${PHOTOS} days after the celebration.`,
    backups: `In backups they remain at most ${BACKUPS} days longer.`,
    sealed: 'The photos are stored encrypted on the server.',
    eea: 'The photos stay within the European Economic Area.',
    wishes: 'You do not want to be in any photo, or want one deleted? Tell the host, or report it at the address in the QR code.',
    rights:
      'You have the right of access, rectification, erasure, restriction, data portability and objection (Art. 15 to 21 GDPR), and to complain to a supervisory authority (Art. 77 GDPR).',
    operator: 'The service is operated by',
    dpo: 'Data protection officer',
    more: 'Everything else is at the address in the QR code. The German text is binding.',
  },
  tr: {
    title: 'Burada fotoğraflar toplanıyor',
    controller: 'Veri sorumlusu, etkinliğin ev sahibidir',
    voluntary: 'Konuklar fotoğraflarını, ev sahibine hatıra olarak kalsın diye yükler; bu gönüllüdür.',
    basis: 'Hukuki dayanak, ev sahibinin kutlamasının fotoğraflarını toplamaktaki meşru menfaatidir (GDPR md. 6(1)(f)).',
    recipients: 'Fotoğrafları ev sahibi alır. Onları başka kimin görebileceği, fotoğraf gönderilmeden önce yükleme sayfasında yazar.',
    deleted: `Fotoğraflar ve adlar kutlamadan ${PHOTOS} gün sonra silinir.`,
    backups: `Yedeklerde en çok ${BACKUPS} gün daha kalırlar.`,
    sealed: 'Fotoğraflar sunucuda şifreli olarak saklanır.',
    eea: 'Fotoğraflar Avrupa Ekonomik Alanı içinde kalır.',
    wishes:
      'Hiçbir fotoğrafta görünmek istemiyor musunuz veya bir fotoğrafın silinmesini mi istiyorsunuz? Ev sahibine söyleyin ya da QR kodundaki adresten bildirin.',
    rights:
      'Bilgi alma, düzeltme, silme, kısıtlama, taşınabilirlik ve itiraz haklarınız (GDPR md. 15–21) ile bir denetim makamına şikâyet hakkınız (GDPR md. 77) vardır.',
    operator: 'Hizmeti işleten',
    dpo: 'Veri koruma görevlisi',
    more: 'Diğer her şey QR kodundaki adreste yazar. Almanca metin bağlayıcıdır.',
  },
  ru: {
    title: 'Здесь собирают фотографии',
    controller: 'Ответственный за обработку данных — организатор праздника',
    voluntary: 'Гости загружают свои фотографии, чтобы они остались организатору на память; это добровольно.',
    basis: 'Основание — законный интерес организатора собрать фотографии своего праздника (ст. 6(1)(f) GDPR).',
    recipients: 'Фотографии получает организатор. Кто ещё может их увидеть, указано на странице загрузки до отправки фотографии.',
    deleted: `Фотографии и имена удаляются через ${PHOTOS} дней после праздника.`,
    backups: `В резервных копиях они остаются не более чем на ${BACKUPS} дней дольше.`,
    sealed: 'Фотографии хранятся на сервере в зашифрованном виде.',
    eea: 'Фотографии не покидают Европейскую экономическую зону.',
    wishes:
      'Вы не хотите быть ни на одной фотографии или хотите, чтобы какую-то удалили? Скажите об этом организатору или сообщите по адресу в QR-коде.',
    rights:
      'Вы имеете право на доступ к данным, их исправление, удаление, ограничение обработки, переносимость и возражение (ст. 15–21 GDPR), а также на жалобу в надзорный орган (ст. 77 GDPR).',
    operator: 'Сервис предоставляет',
    dpo: 'Уполномоченный по защите данных',
    more: 'Всё остальное — по адресу в QR-коде. Обязательную силу имеет немецкий текст.',
  },
  ar: {
    title: 'تُجمع الصور هنا',
    controller: 'المسؤول عن معالجة البيانات هو المضيف',
    voluntary: 'يرفع الضيوف صورهم لكي يحتفظ بها المضيف للذكرى، وذلك طوعي.',
    basis: 'الأساس القانوني هو المصلحة المشروعة للمضيف في جمع صور حفله (المادة 6(1)(f) من GDPR).',
    recipients: 'يحصل المضيف على الصور. ومن يمكنه رؤيتها غيره مذكور في صفحة الرفع قبل إرسال أي صورة.',
    deleted: `تُحذف الصور والأسماء بعد ${PHOTOS} يومًا من الحفل.`,
    backups: `وتبقى في النسخ الاحتياطية ${BACKUPS} يومًا إضافيًا على الأكثر.`,
    sealed: 'تُحفظ الصور مشفّرة على الخادم.',
    eea: 'تبقى الصور داخل المنطقة الاقتصادية الأوروبية.',
    wishes: 'لا تريد أن تظهر في أي صورة أو تريد حذف صورة؟ أخبر المضيف أو أبلغ عنها عبر العنوان الموجود في رمز QR.',
    rights:
      'لك الحق في الاطلاع على بياناتك وتصحيحها ومحوها وتقييد معالجتها ونقلها والاعتراض عليها (المواد 15 إلى 21 من GDPR)، وفي تقديم شكوى إلى سلطة رقابية (المادة 77 من GDPR).',
    operator: 'يشغّل الخدمة',
    dpo: 'مسؤول حماية البيانات',
    more: 'كل ما عدا ذلك تجده في العنوان الموجود في رمز QR. النص الألماني هو الملزم.',
  },
  uk: {
    title: 'Тут збирають фотографії',
    controller: 'Відповідальний за обробку даних — організатор свята',
    voluntary: 'Гості завантажують свої фотографії, щоб вони залишилися організаторові на згадку; це добровільно.',
    basis: 'Підстава — законний інтерес організатора зібрати фотографії свого свята (ст. 6(1)(f) GDPR).',
    recipients: 'Фотографії отримує організатор. Хто ще може їх побачити, зазначено на сторінці завантаження до надсилання фотографії.',
    deleted: `Фотографії та імена видаляються через ${PHOTOS} днів після свята.`,
    backups: `У резервних копіях вони залишаються щонайбільше на ${BACKUPS} днів довше.`,
    sealed: 'Фотографії зберігаються на сервері в зашифрованому вигляді.',
    eea: 'Фотографії не залишають Європейську економічну зону.',
    wishes:
      'Ви не хочете бути на жодній фотографії або хочете, щоб якусь видалили? Скажіть про це організаторові або повідомте за адресою в QR-коді.',
    rights:
      'Ви маєте право на доступ до даних, їх виправлення, видалення, обмеження обробки, перенесення та заперечення (ст. 15–21 GDPR), а також на скаргу до наглядового органу (ст. 77 GDPR).',
    operator: 'Сервіс надає',
    dpo: 'Уповноважена особа із захисту даних',
    more: 'Усе інше — за адресою в QR-коді. Обов’язкову силу має німецький текст.',
  },
  pl: {
    title: 'Tutaj zbieramy zdjęcia',
    controller: 'Administratorem danych jest gospodarz imprezy',
    voluntary: 'Goście przesyłają swoje zdjęcia, aby gospodarz miał je na pamiątkę; jest to dobrowolne.',
    basis: 'Podstawą jest prawnie uzasadniony interes gospodarza, który zbiera zdjęcia ze swojej imprezy (art. 6 ust. 1 lit. f RODO).',
    recipients: 'Zdjęcia otrzymuje gospodarz. Kto jeszcze może je zobaczyć, podano na stronie przesyłania, zanim zdjęcie zostanie wysłane.',
    deleted: `Zdjęcia i imiona są usuwane ${PHOTOS} dni po imprezie.`,
    backups: `W kopiach zapasowych pozostają najwyżej ${BACKUPS} dni dłużej.`,
    sealed: 'Zdjęcia są przechowywane na serwerze w postaci zaszyfrowanej.',
    eea: 'Zdjęcia pozostają w Europejskim Obszarze Gospodarczym.',
    wishes:
      'Nie chcesz być na żadnym zdjęciu albo chcesz, aby któreś usunięto? Powiedz o tym gospodarzowi albo zgłoś to pod adresem z kodu QR.',
    rights:
      'Masz prawo dostępu do danych, ich sprostowania, usunięcia, ograniczenia przetwarzania, przenoszenia oraz sprzeciwu (art. 15–21 RODO), a także skargi do organu nadzorczego (art. 77 RODO).',
    operator: 'Usługę prowadzi',
    dpo: 'Inspektor ochrony danych',
    more: 'Wszystko inne znajduje się pod adresem z kodu QR. Wiążący jest tekst niemiecki.',
  },
};
