import { formatDay, formatInstant, formFor } from '../../lib/format.ts';
import type { ShellTexts } from '../../texts/guest/shell.ts';
import { listOf, type Counts } from '../../video/counts.ts';
import type { ErrorTexts } from '../spoken.ts';

/** Arabic with the Latin digits of the pages' codes and times. */
export const locale = 'ar-u-nu-latn';
/** Isolates a name within a sentence, whatever its direction (Unicode's isolates, as <bdi>). */
export const bdi = (name: string): string => `\u2068${name}\u2069`;
/** Formats an instant for an Arabic sentence, with its time after a word for the hour. */
export const moment = (iso: string): string => formatInstant(iso).replace(/ في (?=\d+:)/, '، الساعة ');

const PHOTOS = { zero: 'لا صور', one: 'صورة واحدة', two: 'صورتان', few: '# صور', many: '# صورة', other: '# صورة' };
const VIDEOS = { one: 'فيديو واحد', two: 'مقطعا فيديو', few: '# مقاطع فيديو', many: '# مقطع فيديو', other: '# مقطع فيديو' };
export const counted = (counts: Counts): string => listOf(counts, formFor(counts.photos, PHOTOS), formFor(counts.videos, VIDEOS));

export const shell = {
  skip: 'إلى المحتوى',
  home: ': إلى الصفحة الرئيسية',
  legal: 'معلومات قانونية',
  privacy: 'حماية البيانات',
  terms: 'الشروط (بالألمانية)',
  imprint: 'بيانات الناشر (بالألمانية)',
  contact: 'التواصل معنا (بالألمانية)',
  wait: 'لحظة من فضلكم …',
  reload: 'إعادة تحميل الصفحة',
  broken: 'لم ينجح ذلك',
  brokenText: 'تعذّر تحميل الصفحة. ما تم رفعه يبقى محفوظًا؛ يُرجى إعادة تحميل الصفحة.',
  close: 'إغلاق',
  dismiss: 'إغلاق الرسالة',
  retry: 'المحاولة مرة أخرى',
  cancel: 'إلغاء',
  noConnection: 'لا يوجد اتصال. يُرجى التحقق من الشبكة والمحاولة مرة أخرى.',
  unknown: 'حدث خطأ غير معروف',
  withId: (text, id) => `${text} (الرقم ${bdi(id)})`,
  hints: {
    wrong: 'كلمة مرور المناسبة غير صحيحة. يُرجى الانتباه إلى الأحرف الكبيرة والصغيرة.',
    missing: 'يُرجى إدخال كلمة مرور المناسبة.',
    opens: (day) => `تُفتح هذه المناسبة في ${formatDay(day)}.`,
    ended: (day) => `انتهت هذه المناسبة؛ كان آخر يوم لها ${formatDay(day)}.`,
    inactive: 'هذه المناسبة لم تُفتح بعد أو لم تعد مفتوحة.',
  },
} satisfies ShellTexts;

export const errors = {
  invalid_input: 'يُرجى التحقق من البيانات المدخلة.',
  device_id_missing: 'تعذّر الحصول على معرّف الجهاز.',
  login_required: 'لفتح هذه الصفحة يلزم رابط من المضيف.',
  event_inactive: 'هذه المناسبة غير مفتوحة.',
  wrong_event_password: 'كلمة مرور المناسبة خاطئة.',
  demo_fixed: 'هذا غير ممكن في النسخة التجريبية.',
  event_not_found: 'لم يُعثر على المناسبة.',
  photo_not_found: 'لم يُعثر على الصورة.',
  too_large: 'حجم هذا الملف أكبر من المسموح.',
  too_many_attempts: 'تجاوزتم عدد المحاولات المسموح. يُرجى الانتظار بضع دقائق ثم المحاولة مرة أخرى.',
  disk_full: 'لم تعد هناك مساحة فارغة على الخادم. لم يُفقد شيء؛ يُرجى المحاولة لاحقًا.',
  other: 'حدث خطأ. يُرجى المحاولة لاحقًا.',
  field: 'يُرجى التحقق من هذا الحقل.',
} satisfies ErrorTexts;
