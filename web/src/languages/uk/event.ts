import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { CookielessTexts } from '../../texts/guest/cookieless.ts';
import type { GuestTexts } from '../../texts/guest/guest.ts';
import type { LaterTexts } from '../../texts/guest/later.ts';
import type { UploadErrorTexts } from '../spoken.ts';
import { counted, errors, shell } from './shell.ts';

export const uploadErrors = {
  upload_incomplete: 'Передавання було перервано. Будь ласка, спробуйте ще раз.',
  upload_disabled: 'Надсилання файлів для цієї події вимкнено.',
  device_full: 'З цього пристрою вже надіслано стільки фотографій, скільки дозволяє ця подія.',
  demo_full: `У демоверсії з одного пристрою можна надіслати не більше ${DEMO_PHOTOS} фотографій.`,
  photo_removed: 'Цю фотографію видалено.',
  too_many_pixels: 'У цьому зображенні понад 200 мегапікселів.',
  video_refused: 'Для цієї події відео не приймаються.',
  video_unreadable: 'Це відео не приймається. Приймаються MP4, MOV і WebM, зняті на телефон.',
  not_a_photo: 'Цей файл не читається як зображення.',
  storage_full: 'Місце для фотографій цієї події вичерпано.',
} satisfies UploadErrorTexts;

const way = 'Щось на шляху до сервера затримує фотографії. Допоможе інша мережа.';

export const guest = {
  page: {
    loadingFails: 'Подія зараз не відкривається',
    again: 'Сторінка сама спробує ще раз.',
    noConnection: 'Немає з’єднання із сервером.',
    noCode: 'Код події не вказано',
    enterCode: 'Ввести код',
    device: 'Помилка пристрою',
    deviceText: errors.device_id_missing,
    password: 'Потрібен пароль',
    passwordText: 'Для цієї події потрібен пароль. Натисніть «Розблокувати».',
    passwordWrong: 'Пароль у цьому посиланні неправильний або більше не діє.',
    unlock: 'Розблокувати',
    notFound: 'Код події неправильний або більше не діє',
    notOpen: 'Ще не відкрито',
    opensOn: (day) => `${formatDay(day)} ця подія відкриється. Тоді тут усе почнеться.`,
    uploadsOff: uploadErrors.upload_disabled,
    uploadsOffText: 'Якщо його знову ввімкнуть, тут усе продовжиться.',
    otherEvent: 'Відкрити іншу подію',
  },
  form: {
    name: 'Ваше ім’я',
    pick: 'Вибрати файли',
    eventPassword: 'Пароль події',
    chosen: 'Вибрані файли',
    private: 'Усі фотографії бачить лише господар свята. Вони зберігаються в зашифрованому вигляді.',
    sealed: 'Фотографії зберігаються в зашифрованому вигляді.',
    gallery: 'Фотографії всіх гостей',
    perDevice: (count) =>
      formFor(count, {
        one: 'Для цієї події з одного пристрою можна надіслати # фотографію.',
        few: 'Для цієї події з одного пристрою можна надіслати # фотографії.',
        other: 'Для цієї події з одного пристрою можна надіслати # фотографій.',
      }),
    ownLater: 'Власні фотографії ви теж побачите тут лише тоді, коли господар свята покаже фотографії гостям.',
    own: (count) => `Мої фотографії (${formatNumber(count)})`,
    report: 'Повідомити про фотографію',
  },
  bar: {
    region: 'Надсилання',
    hint: 'Поставте ще цю позначку — і можете починати.',
    consent: (takesVideos) =>
      takesVideos
        ? 'Підтверджую, що мною прочитано [інформацію про захист даних] і що я маю право ділитися цими фотографіями та відео.'
        : 'Підтверджую, що мною прочитано [інформацію про захист даних] і що я маю право ділитися цими фотографіями.',
    originals: 'Господар свята отримує оригінали разом із місцем зйомки, якщо воно в них збережене.',
    seenBy: {
      open: 'Усі гості одразу бачать надіслане тут.',
      released: (minutes) =>
        minutes === null
          ? 'Усі гості побачать надіслане тут, щойно господар свята це схвалить.'
          : `Усі гості побачать надіслане тут, щойно господар свята це схвалить, щонайпізніше через ${minutes} хв.`,
      revealed: 'Усі гості побачать надіслане тут, щойно господар свята покаже фотографії гостям.',
      from: (instant) => `З ${formatInstant(instant)} усі гості побачать надіслане тут.`,
      wall: {
        always: 'Слайд-шоу показує всім присутнім те, чого господар свята не приховує.',
        now: 'Ще до цього слайд-шоу показує всім присутнім те, чого господар свята не приховує.',
        later: 'Тоді й слайд-шоу показує всім присутнім те, чого господар свята не приховує.',
      },
    },
    nothing: 'Готово до надсилання',
    done: '✓ Надіслано',
    send: (count) => `Надіслати (${formatNumber(count)})`,
    running: (left) => `Надсилання… (залишилося ${formatNumber(left)})`,
    off: {
      running: 'Триває надсилання.',
      nothing: 'Будь ласка, спочатку виберіть щось.',
      done: 'Усе надіслано.',
      hopeless: 'Те, що позначено червоним, надіслати не можна.',
    },
  },
  leave: {
    uploading: 'Надсилання ще триває. Усе одно вийти зі сторінки?',
    unsent: 'Вибране ще не надіслано. Усе одно вийти зі сторінки?',
  },
  status: {
    cloud: 'Телефон спочатку завантажує файли з хмари.',
    chooseAgain: (counts) => `Будь ласка, виберіть ще раз ${counted(counts, '# фотографію')}.`,
    gone: (count) => (count === 1 ? 'Цього файлу більше немає на цьому пристрої.' : 'Цих файлів більше немає на цьому пристрої.'),
    silent: 'Будь ласка, виберіть ще раз фотографії з минулого разу.',
    stuck: {
      line: 'Очікування мережі — надсилання продовжиться автоматично.',
      server: 'Очікування сервера — надсилання продовжиться автоматично.',
      way,
      device: 'Очікування сховища цього пристрою — надсилання продовжиться автоматично.',
    },
    paused: (counts) => `Ще не надіслано: ${counted(counts)}.`,
    safe: (stored, all) => `Отримано: ${formatNumber(stored)} з ${formatNumber(all)}.`,
    shown: (count) => (count === 1 ? '1 уже видно, оригінал у дорозі.' : `${formatNumber(count)} уже видно, оригінали в дорозі.`),
    stayOpen: 'Будь ласка, не закривайте цю сторінку.',
    mayClose: 'Якщо закрити сторінку, надсилання продовжиться, коли її відкриють.',
    more: 'Більше',
    stop: 'Припинити надсилання',
    ended: {
      removing: 'Надсилання припинено. Те, що вже видно, видаляється. Будь ласка, не закривайте цю сторінку.',
      removed: 'Надсилання припинено. Того, що не надійшло, ніде не видно.',
    },
    elsewhere: (stored, all) => `В іншому вікні отримано: ${formatNumber(stored)} з ${formatNumber(all)}.`,
    requests: (ids) => `(№ ${ids.join(', ')})`,
  },
  thanks: {
    title: (name) => (name ? `Дякуємо, ${name}!` : 'Дякуємо!'),
    all: (counts) => `Отримано: ${counted(counts)}.`,
    partly: (stored, { photos, videos }) => {
      const [some, all] = [formatNumber(stored), formatNumber(photos + videos)];
      if (videos === 0) return `Отримано фотографій: ${some} з ${all}.`;
      return photos === 0 ? `Отримано відео: ${some} з ${all}.` : `Отримано фотографій і відео: ${some} з ${all}.`;
    },
  },
  tile: {
    waiting: 'вибрано',
    sending: 'надсилається',
    announced: 'оригінал у дорозі',
    stored: 'надіслано',
    failed: 'не вдалося',
    resends: 'очікує',
    heic: 'Формат HEIC',
    remove: 'прибрати',
    view: (name) => `${name}, переглянути`,
  },
  failed: {
    no_connection: shell.noConnection,
    too_large: errors.too_large,
    unreadable: 'Цей файл більше не читається.',
    device_silent: 'Сховище цього пристрою зараз не відповідає.',
    altered: 'Ця фотографія надійшла зміненою.',
    not_ours: 'Затримано на шляху до сервера.',
  },
  said: {
    progress: (percent) => `Надіслано ${percent} %`,
    stuck: {
      line: 'Надсилання очікує на мережу',
      server: 'Надсилання очікує на сервер',
      way,
      device: 'Надсилання очікує на сховище цього пристрою',
    },
    done: 'Усе надіслано',
    failed: (count) => `Готово, не вдалося: ${formatNumber(count)}`,
  },
} satisfies GuestTexts;

const tap = 'Натисніть на позначене червоним, щоб прибрати його.';
const again = 'Натисніть на позначене червоним і виберіть ще раз.';

export const later = {
  passOn: 'Розповісти іншим',
  inApp: {
    title: (app) =>
      app === '' ? 'Ця сторінка відкрита в браузері іншого застосунку.' : `Ця сторінка відкрита в браузері застосунку ${app}.`,
    text: 'У звичайному браузері надійніше: натисніть угорі «…» або «⋮», потім «Відкрити в браузері».',
  },
  failures: {
    files: (count) => formFor(count, { one: '# файл', few: '# файли', other: '# файлів' }),
    counted,
    because: (what, reason) => `${what}: ${reason}`,
    more: (names, others) => (others > 0 ? `${names.join(', ')} і ще ${formatNumber(others)}` : names.join(', ')),
    causes: {
      too_large: { short: 'Завеликий', reason: 'завеликий розмір.', advice: 'Будь ласка, передайте це господареві свята в інший спосіб.' },
      not_a_photo: { short: 'Не фото', reason: 'неможливо прочитати як зображення.', advice: tap },
      too_many_pixels: {
        short: 'Завелике',
        reason: 'понад 200 мегапікселів.',
        advice: 'Будь ласка, зробіть менший знімок або передайте це господареві свята в інший спосіб.',
      },
      video_refused: { short: 'Відео не можна', reason: uploadErrors.video_refused, advice: tap },
      video_unreadable: { short: 'Не читається', reason: 'Приймаються MP4, MOV і WebM, зняті на телефон.', advice: tap },
      unreadable: {
        short: 'Не читається',
        reason: 'більше неможливо прочитати.',
        advice: `Можливо, щось видалено або переміщено. ${again}`,
      },
      photo_removed: { short: 'Видалено', reason: 'видалено до надходження оригіналу.', advice: tap },
      altered: { short: 'Змінено', reason: 'змінено під час надсилання.', advice: again },
      storage_full: {
        short: 'Немає місця',
        reason: uploadErrors.storage_full,
        advice: 'Будь ласка, скажіть господареві свята; усі файли ще на цьому пристрої.',
      },
      disk_full: {
        short: 'Немає місця',
        reason: 'На сервері більше немає вільного місця.',
        advice: 'Нічого не втрачено; будь ласка, спробуйте пізніше.',
      },
      demo_full: {
        short: 'Демо заповнено',
        reason: uploadErrors.demo_full,
        advice: '',
      },
      device_full: {
        short: 'Забагато',
        reason: uploadErrors.device_full,
        advice: tap,
      },
      wrong_event_password: { short: 'Пароль', reason: 'Пароль події не вказано, або він більше не діє.', advice: '' },
      closed: { short: 'Закрито', reason: 'Подія зараз нічого не приймає.', advice: 'Будь ласка, запитайте господаря свята.' },
      no_connection: { short: 'Немає мережі', reason: 'не надіслано, немає з’єднання.', advice: 'Щоб продовжити, натисніть «Надіслати».' },
      other: { short: 'Не надіслано', reason: 'не надіслано.', advice: 'Будь ласка, спробуйте пізніше.' },
    },
  },
  mine: {
    title: 'Мої фотографії',
    hint: 'Цей список належить цьому браузеру; на інших пристроях він порожній.',
    states: { announced: 'Оригінал у дорозі', unreadable: 'Оригінал не читається' },
    photo: (name) => `Моя фотографія ${name}`,
    video: (name) => `Моє відео ${name}`,
    remove: 'Видалити',
    download: 'Завантажити',
    delete: (isVideo) => (isVideo ? 'Видалити відео?' : 'Видалити фотографію?'),
    deleteText: (isVideo, name) =>
      isVideo
        ? `Відео «${name}» буде видалено також у господаря свята. Відновити його буде неможливо.`
        : `Фотографію «${name}» буде видалено також у господаря свята. Відновити її буде неможливо.`,
    keep: 'Залишити',
    deleteNow: 'Видалити остаточно',
  },
} satisfies LaterTexts;

export const unkept = {
  hint: 'Без cookie список видно, поки відкрита сторінка.',
} satisfies CookielessTexts;
