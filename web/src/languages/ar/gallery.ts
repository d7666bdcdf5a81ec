import { formatNumber, formFor } from '../../lib/format.ts';
import type { GalleryTexts } from '../../texts/guest/gallery.ts';
import { moment } from './shell.ts';

export const gallery = {
  grid: {
    label: 'الصور، يمكن التنقل بينها بمفاتيح الأسهم',
    loading: 'جارٍ تحميل الصور',
    scale: 'الخط الزمني',
    hour: (hour) => `${hour}:00`,
  },
  viewerFails: {
    title: 'تعذّر فتح الصورة',
    text: 'يُرجى التحقق من الشبكة والمحاولة مرة أخرى.',
    back: 'إلى المعرض',
  },
  viewer: {
    Previous: 'الصورة السابقة',
    Next: 'الصورة التالية',
    Close: 'إغلاق',
    'Zoom in': 'تكبير',
    'Zoom out': 'تصغير',
    Lightbox: 'صورة',
    'Photo gallery': 'الصور',
    '{index} of {total}': '{index} من {total}',
  },
  gallery: {
    title: 'صور كل الضيوف',
    closed: 'قليل من الصبر',
    closedUntil: (opens) => `ابتداءً من ${moment(opens)} يرى الجميع هنا كل شيء.`,
    closedOpen: 'حالما يكشف المضيف عن الصور يرى الجميع هنا كل شيء.',
    counted: (count) =>
      formFor(count, {
        zero: 'لا صور بالانتظار بعد.',
        one: 'صورة واحدة بالانتظار الآن.',
        two: 'صورتان بالانتظار الآن.',
        few: '# صور بالانتظار الآن.',
        other: '# صورة بالانتظار الآن.',
      }),
    noAccess: 'لفتح هذا المعرض يلزم رابط',
    noAccessText: 'يُرجى فتح الرابط أو رمز QR من المضيف مرة أخرى؛ فربما لم يعد الأقدم صالحًا. والرمز على البطاقات وعلى الشاشة يفتحه أيضًا.',
    failed: 'لا يمكن فتح المعرض الآن',
    againByItself: 'تحاول الصفحة مرة أخرى من تلقاء نفسها.',
    send: 'إرسال صوركم',
    toEvent: 'إلى المناسبة',
    empty: 'لا صور بعد',
    emptyText: 'ما يجوز للجميع رؤيته يظهر هنا تلقائيًا.',
    show: 'عرض',
    all: (count) => `الكل (${formatNumber(count)})`,
    own: (count) => `صوري (${formatNumber(count)})`,
    loved: (count) => `♥ المفضلة لديّ (${formatNumber(count)})`,
    days: 'الأيام',
    guests: 'الضيوف',
    unnamed: 'بلا اسم',
    sort: 'الترتيب',
    newest: 'الأحدث أولًا',
    oldest: 'الأقدم أولًا',
    loading: (loaded, total) => `جارٍ تحميل الصور: ${formatNumber(loaded)} من ${formatNumber(total)}`,
    report: 'إبلاغ',
    reportTitle: 'الإبلاغ عن صورة',
    notSent: 'لم يصل القلب. يُرجى الضغط عليه مرة أخرى.',
  },
} satisfies GalleryTexts;
