import { formFor } from '../../lib/format.ts';
import type { CookieTexts } from '../../texts/guest/cookies.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import type { FileErrorTexts } from '../spoken.ts';
import { bdi, counted, moment } from './shell.ts';

export const fileErrors = {
  originals_off: 'لا يتيح المضيف النسخ الأصلية للضيوف في هذه المناسبة.',
  original_missing: 'لا تتوفر من هذه الصورة إلا المعاينة.',
  video_not_shared: 'يتعذّر إنشاء نسخة من هذا الفيديو من دون مكان الالتقاط. لذلك لا يمكن أن يشغّله إلا المضيف ومن أرسله، ولا رابط له.',
} satisfies FileErrorTexts;

export const photo = {
  heart: 'أعجبني',
  anonymous: 'بلا اسم',
  of: (isVideo, name, at) => `${isVideo ? 'فيديو' : 'صورة'}${name ? ` من ${bdi(name)}` : ''}، ${moment(at)}`,
  states: {
    waiting: 'بانتظار الموافقة',
    announced: 'النسخة الأصلية في الطريق',
    unreadable: 'تتعذّر قراءة النسخة الأصلية',
    replaced: 'استُبدلت المعاينة',
  },
  replaced: 'المعاينة التي ظهرت أولًا كانت صورة أخرى',
  taken: (time) => `وقت الالتقاط: ${time}`,
  download: 'تنزيل',
  details: 'كل المعلومات',
  hearts: (count) => formFor(count, { one: 'قلب', two: 'قلبان', few: 'قلوب', many: 'قلبًا', other: 'قلب' }),
  counted,
} satisfies PhotoTexts;

export const cookies = {
  title: 'متصفحكم يحظر ملفات تعريف الارتباط',
  text: 'لا تُفتح هذه الصفحة من دون ملف تعريف ارتباط. يُرجى السماح بملفات تعريف الارتباط لهذا العنوان وإعادة تحميل الصفحة، أو استخدام متصفح آخر.',
} satisfies CookieTexts;
