import { formatList, formFor } from '../../lib/format.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import { bdi, moment } from './shell.ts';

const PHOTOS = { zero: 'لا صور', one: 'صورة واحدة', two: 'صورتان', few: '# صور', many: '# صورة', other: '# صورة' };
const VIDEOS = { one: 'فيديو واحد', two: 'مقطعا فيديو', few: '# مقاطع فيديو', many: '# مقطع فيديو', other: '# مقطع فيديو' };

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
  counted: ({ photos, videos }) =>
    formatList([...(photos > 0 || videos === 0 ? [formFor(photos, PHOTOS)] : []), ...(videos > 0 ? [formFor(videos, VIDEOS)] : [])]),
} satisfies PhotoTexts;
