import type { ReportTexts } from '../../texts/guest/report.ts';
import type { VideoTexts } from '../../texts/guest/video.ts';
import { moment } from './shell.ts';

export const report = {
  arrived: 'وصل البلاغ.',
  arrivedText: (at) => `استُلم في ${moment(at)}. سندرسه ونرد إذا ذُكر عنوان بريد إلكتروني.`,
  event: 'المناسبة',
  eventHint: 'رمز المناسبة أو اسمها',
  which: 'أي صورة؟',
  whichHint: 'ما الذي يظهر فيها، وممن هي، ومتى وصلت تقريبًا',
  byNumber: 'نعرفها بهذا الرقم.',
  why: 'لماذا ينبغي حذفها؟',
  name: 'الاسم (اختياري)',
  email: 'عنوان البريد الإلكتروني (اختياري)',
  emailHint: 'من أجل ردنا',
  truth: 'بإرسال البلاغ تؤكدون أن المعلومات صحيحة على حد علمكم.',
  send: 'إرسال البلاغ',
} satisfies ReportTexts;

export const video = {
  broken: 'انقطع الاتصال. يُتابَع الفيديو تلقائيًا.',
  unplayable: 'لا يستطيع هذا الجهاز تشغيل الفيديو',
} satisfies VideoTexts;
