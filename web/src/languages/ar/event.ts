import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatNumber, formFor } from '../../lib/format.ts';
import type { CookielessTexts } from '../../texts/guest/cookieless.ts';
import type { GuestTexts } from '../../texts/guest/guest.ts';
import type { LaterTexts } from '../../texts/guest/later.ts';
import type { UploadErrorTexts } from '../spoken.ts';
import { bdi, counted, errors, moment, shell } from './shell.ts';

export const uploadErrors = {
  upload_incomplete: 'انقطع الرفع. يُرجى المحاولة مرة أخرى.',
  upload_disabled: 'رفع الصور معطّل لهذه المناسبة.',
  device_full: 'رُفع من هذا الجهاز بالفعل أقصى عدد من الصور تسمح به هذه المناسبة.',
  demo_full: `في النسخة التجريبية يمكن رفع ${DEMO_PHOTOS} صورة من كل جهاز على الأكثر.`,
  photo_removed: 'حُذفت هذه الصورة.',
  too_many_pixels: 'في هذه الصورة أكثر من 200 ميغابكسل.',
  video_refused: 'لا تُقبل مقاطع الفيديو في هذه المناسبة.',
  video_unreadable: 'لا يُقبل هذا الفيديو. الأنواع الممكنة هي MP4 وMOV وWebM كما تسجلها الهواتف.',
  not_a_photo: 'تتعذّر قراءة هذا الملف كصورة.',
  storage_full: 'مساحة التخزين لهذه المناسبة ممتلئة.',
} satisfies UploadErrorTexts;

const MINUTES = { one: 'دقيقة واحدة', two: 'دقيقتين', few: '# دقائق', many: '# دقيقة', other: '# دقيقة' };
const way = 'شيء ما في الطريق إلى الخادم يوقف الصور. استخدام شبكة أخرى يفيد.';

export const guest = {
  page: {
    loadingFails: 'لا يمكن فتح المناسبة الآن',
    again: 'تحاول الصفحة مرة أخرى من تلقاء نفسها.',
    noConnection: 'لا يوجد اتصال بالخادم.',
    noCode: 'لم يُدخَل رمز المناسبة',
    enterCode: 'إدخال الرمز',
    device: 'خطأ في الجهاز',
    deviceText: errors.device_id_missing,
    password: 'كلمة المرور مطلوبة',
    passwordText: 'تحتاج هذه المناسبة إلى كلمة مرور. لإدخالها يُرجى الضغط على «إلغاء القفل».',
    passwordWrong: 'كلمة المرور في هذا الرابط غير صحيحة (أو لم تعد صالحة).',
    unlock: 'إلغاء القفل',
    notFound: 'رمز المناسبة غير صحيح أو انتهت صلاحيته',
    notOpen: 'لم تُفتح بعد',
    opensOn: (day) => `تُفتح هذه المناسبة في ${formatDay(day)}. عندها يبدأ كل شيء هنا.`,
    uploadsOff: uploadErrors.upload_disabled,
    uploadsOffText: 'إذا فُعِّل من جديد، تابعت هذه الصفحة عملها.',
    otherEvent: 'فتح مناسبة أخرى',
  },
  form: {
    name: 'اسمكم',
    pick: 'اختيار الملفات',
    eventPassword: 'كلمة مرور المناسبة',
    chosen: 'الملفات المختارة',
    private: 'لا يرى صور جميع الضيوف إلا المضيف. تُحفظ الصور مشفّرة.',
    sealed: 'تُحفظ الصور مشفّرة.',
    gallery: 'صور كل الضيوف',
    perDevice: (count) =>
      formFor(count, {
        one: 'يمكن في هذه المناسبة رفع صورة واحدة من كل جهاز.',
        two: 'يمكن في هذه المناسبة رفع صورتين من كل جهاز.',
        few: 'يمكن في هذه المناسبة رفع # صور من كل جهاز.',
        other: 'يمكن في هذه المناسبة رفع # صورة من كل جهاز.',
      }),
    ownLater: 'حتى صوركم أنتم لن تظهر لكم هنا إلا بعد أن يكشف المضيف عن الصور.',
    own: (count) => `صوري (${formatNumber(count)})`,
    report: 'الإبلاغ عن صورة',
  },
  bar: {
    region: 'رفع الصور',
    hint: 'بقي تحديد هذه الخانة، ثم يمكن البدء.',
    consent: (takesVideos) =>
      takesVideos
        ? 'قرأتُ [ملاحظات حماية البيانات] ويحق لي مشاركة هذه الصور ومقاطع الفيديو.'
        : 'قرأتُ [ملاحظات حماية البيانات] ويحق لي مشاركة هذه الصور.',
    originals: 'يحصل المضيف على النسخ الأصلية، ومعها مكان الالتقاط إن كان محفوظًا فيها.',
    seenBy: {
      open: 'كل الضيوف يرون فورًا ما يُرفع هنا.',
      released: (minutes) =>
        minutes === null
          ? 'كل الضيوف يرون ما يُرفع هنا حالما يوافق عليه المضيف.'
          : `كل الضيوف يرون ما يُرفع هنا حالما يوافق عليه المضيف، وبعد ${formFor(minutes, MINUTES)} على أبعد تقدير.`,
      revealed: 'كل الضيوف يرون ما يُرفع هنا حالما يكشف المضيف عن الصور.',
      from: (instant) => `ابتداءً من ${moment(instant)} يرى كل الضيوف ما يُرفع هنا.`,
      wall: {
        always: 'يُظهر العرض المتتابع لكل الحاضرين ما لا يحجبه المضيف.',
        now: 'وقبل ذلك أيضًا يُظهر العرض المتتابع لكل الحاضرين ما لا يحجبه المضيف.',
        later: 'وابتداءً من ذلك الوقت يُظهر العرض المتتابع أيضًا لكل الحاضرين ما لا يحجبه المضيف.',
      },
    },
    nothing: 'جاهز',
    done: '✓ تم الرفع',
    send: (count) => `رفع (${formatNumber(count)})`,
    running: (left) => `جارٍ الرفع... (المتبقي ${formatNumber(left)})`,
    off: {
      running: 'الرفع جارٍ الآن.',
      nothing: 'يُرجى اختيار شيء أولًا.',
      done: 'تم رفع كل شيء.',
      hopeless: 'الملفات المحددة بالأحمر لا يمكن رفعها.',
    },
  },
  leave: {
    uploading: 'ما زال الرفع جاريًا. هل تريدون مغادرة الصفحة مع ذلك؟',
    unsent: 'لم تُرفع الملفات المختارة بعد. هل تريدون مغادرة الصفحة مع ذلك؟',
  },
  status: {
    cloud: 'يجلب الهاتف الملفات من السحابة أولًا.',
    chooseAgain: (counts) => `يُرجى الاختيار مرة أخرى: ${counted(counts)}.`,
    gone: () => 'لم يعد ذلك موجودًا على هذا الجهاز.',
    silent: 'يُرجى اختيار صور المرة الماضية مرة أخرى.',
    stuck: {
      line: 'بانتظار الشبكة – سيستمر الرفع تلقائيًا.',
      server: 'بانتظار الخادم – سيستمر الرفع تلقائيًا.',
      way,
      device: 'بانتظار ذاكرة هذا الجهاز – سيستمر الرفع تلقائيًا.',
    },
    paused: (counts) => `لم يُرفع بعد: ${counted(counts)}.`,
    safe: (stored, all) => `وصل ${formatNumber(stored)} من ${formatNumber(all)}.`,
    shown: (count) =>
      formFor(count, {
        one: 'الظاهر الآن: #؛ النسخة الأصلية في الطريق.',
        two: 'الظاهر الآن: #؛ النسختان الأصليتان في الطريق.',
        other: 'الظاهر الآن: #؛ النسخ الأصلية في الطريق.',
      }),
    stayOpen: 'يُرجى إبقاء هذه الصفحة مفتوحة.',
    mayClose: 'إذا أُغلقت الصفحة، يستمر الرفع عند فتحها في المرة القادمة.',
    more: 'المزيد',
    stop: 'إلغاء الرفع',
    ended: {
      removing: 'أُلغي الرفع. يجري الآن حذف ما ظهر: يُرجى إبقاء الصفحة مفتوحة حتى ينتهي ذلك.',
      removed: 'أُلغي الرفع. ما لم يصل لا يظهر في أي مكان.',
    },
    elsewhere: (stored, all) => `في نافذة أخرى: وصل ${formatNumber(stored)} من ${formatNumber(all)}.`,
    requests: (ids) => (ids.length === 1 ? `(الرقم ${bdi(ids.join(', '))})` : `(الأرقام ${bdi(ids.join(', '))})`),
  },
  thanks: {
    title: (name) => (name ? `شكرًا، ${bdi(name)}!` : 'شكرًا!'),
    all: (counts) => `وصلت: ${counted(counts)}.`,
    partly: (stored, { photos, videos }) => {
      const [some, all] = [formatNumber(stored), formatNumber(photos + videos)];
      if (videos === 0) return `عدد الصور التي وصلت: ${some} من ${all}.`;
      return photos === 0 ? `عدد مقاطع الفيديو التي وصلت: ${some} من ${all}.` : `عدد الصور ومقاطع الفيديو التي وصلت: ${some} من ${all}.`;
    },
  },
  tile: {
    waiting: 'تم الاختيار',
    sending: 'قيد الرفع',
    announced: 'النسخة الأصلية في الطريق',
    stored: 'تم الرفع',
    failed: 'فشل الرفع',
    resends: 'بالانتظار',
    heic: 'صيغة HEIC',
    remove: 'إزالة',
    view: (name) => `${bdi(name)}، عرض`,
  },
  failed: {
    no_connection: shell.noConnection,
    too_large: errors.too_large,
    unreadable: 'لم يعد من الممكن قراءة هذا الملف.',
    device_silent: 'ذاكرة هذا الجهاز لا تستجيب الآن.',
    altered: 'تغيّرت هذه الصورة أثناء الرفع.',
    not_ours: 'أُوقف في الطريق إلى الخادم.',
  },
  said: {
    progress: (percent) => `رُفع ${percent} بالمئة`,
    stuck: {
      line: 'الرفع ينتظر الشبكة',
      server: 'الرفع ينتظر الخادم',
      way,
      device: 'الرفع ينتظر ذاكرة هذا الجهاز',
    },
    done: 'تم رفع كل شيء',
    failed: (count) => `انتهى الرفع، عدد ما لم ينجح: ${formatNumber(count)}`,
  },
} satisfies GuestTexts;

const tap = 'لإزالة الملفات المحددة بالأحمر يُرجى الضغط عليها.';
const again = 'يُرجى الضغط على الملف المحدد بالأحمر واختياره مرة أخرى.';

export const later = {
  passOn: 'إخبار الآخرين',
  inApp: {
    title: (app) => (app === '' ? 'هذه الصفحة مفتوحة في متصفح تطبيق آخر.' : `هذه الصفحة مفتوحة في متصفح تطبيق ${bdi(app)}.`),
    text: 'الأضمن فتحها في متصفح عادي: يُرجى الضغط في الأعلى على «…» أو «⋮» ثم على «فتح في المتصفح».',
  },
  failures: {
    files: (count) => formFor(count, { zero: 'لا ملفات', one: 'ملف واحد', two: 'ملفان', few: '# ملفات', many: '# ملفًا', other: '# ملف' }),
    counted,
    because: (what, reason) => `${bdi(what)}: ${reason}`,
    more: (names, others) => (others > 0 ? `${names.map(bdi).join('، ')} و${formatNumber(others)} غيرها` : names.map(bdi).join('، ')),
    causes: {
      too_large: { short: 'أكبر من المسموح', reason: 'الحجم أكبر من المسموح.', advice: 'يُرجى الإرسال إلى المضيف بطريقة أخرى.' },
      not_a_photo: { short: 'ليس صورة', reason: 'تتعذّر القراءة كصورة.', advice: tap },
      too_many_pixels: {
        short: 'أكبر من المسموح',
        reason: 'أكثر من 200 ميغابكسل.',
        advice: 'يُرجى الالتقاط بحجم أصغر أو الإرسال إلى المضيف بطريقة أخرى.',
      },
      video_refused: { short: 'غير مقبول', reason: uploadErrors.video_refused, advice: tap },
      video_unreadable: { short: 'تتعذّر قراءته', reason: 'الأنواع الممكنة هي MP4 وMOV وWebM كما تسجلها الهواتف.', advice: tap },
      unreadable: { short: 'تتعذّر قراءته', reason: 'لم تعد القراءة ممكنة.', advice: `ربما حُذف شيء أو نُقل. ${again}` },
      photo_removed: { short: 'محذوف', reason: 'تم الحذف قبل وصول النسخة الأصلية.', advice: tap },
      altered: { short: 'مُعدَّل', reason: 'حدث تغيير أثناء الرفع.', advice: again },
      storage_full: {
        short: 'لا مساحة',
        reason: uploadErrors.storage_full,
        advice: 'يُرجى إخبار المضيف؛ كل شيء ما زال على هذا الجهاز.',
      },
      disk_full: {
        short: 'لا مساحة',
        reason: 'لم تعد هناك مساحة فارغة على الخادم.',
        advice: 'لم يُفقد شيء؛ يُرجى المحاولة لاحقًا.',
      },
      demo_full: { short: 'تم بلوغ الحد', reason: uploadErrors.demo_full, advice: '' },
      device_full: { short: 'أكثر من المسموح', reason: uploadErrors.device_full, advice: tap },
      wrong_event_password: { short: 'كلمة المرور', reason: 'لم تُدخَل كلمة مرور المناسبة أو لم تعد صحيحة.', advice: '' },
      closed: { short: 'مغلقة', reason: 'لا تستقبل المناسبة شيئًا الآن.', advice: 'يُرجى سؤال المضيف.' },
      no_connection: { short: 'لا شبكة', reason: 'تعذّر الرفع لعدم وجود اتصال.', advice: 'للمتابعة يُرجى الضغط على «رفع».' },
      other: { short: 'لم يُرفع', reason: 'تعذّر الرفع.', advice: 'يُرجى المحاولة مرة أخرى بعد قليل.' },
    },
  },
  mine: {
    title: 'صوري',
    hint: 'هذه القائمة تخص هذا المتصفح؛ وهي فارغة على الأجهزة الأخرى.',
    states: { announced: 'النسخة الأصلية في الطريق', unreadable: 'تتعذّر قراءة النسخة الأصلية' },
    photo: (name) => `صورتي ${bdi(name)}`,
    video: (name) => `مقطع الفيديو الخاص بي ${bdi(name)}`,
    remove: 'حذف',
    download: 'تنزيل',
    delete: (isVideo) => (isVideo ? 'حذف الفيديو؟' : 'حذف الصورة؟'),
    deleteText: (isVideo, name) =>
      isVideo
        ? `سيُحذف الفيديو «${bdi(name)}» لدى المضيف أيضًا. لا يمكن التراجع عن ذلك.`
        : `ستُحذف الصورة «${bdi(name)}» لدى المضيف أيضًا. لا يمكن التراجع عن ذلك.`,
    keep: 'احتفاظ',
    deleteNow: 'حذف نهائيًا',
  },
} satisfies LaterTexts;

export const unkept = {
  hint: 'تبقى هذه القائمة إلى أن تغلقوا الصفحة: متصفحكم يحظر ملفات تعريف الارتباط.',
} satisfies CookielessTexts;
