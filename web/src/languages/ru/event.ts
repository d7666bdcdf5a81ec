import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { CookielessTexts } from '../../texts/guest/cookieless.ts';
import type { GuestTexts } from '../../texts/guest/guest.ts';
import type { LaterTexts } from '../../texts/guest/later.ts';
import type { UploadErrorTexts } from '../spoken.ts';
import { counted, errors, shell } from './shell.ts';

export const uploadErrors = {
  upload_incomplete: 'Загрузка была прервана. Пожалуйста, попробуйте ещё раз.',
  upload_disabled: 'Загрузка фотографий для этого праздника отключена.',
  device_full: 'С этого устройства уже загружено столько фотографий, сколько допускает этот праздник.',
  demo_full: `В демоверсии с одного устройства можно загрузить не больше ${DEMO_PHOTOS} фотографий.`,
  photo_removed: 'Эта фотография удалена.',
  too_many_pixels: 'В этом изображении больше 200 мегапикселей.',
  video_refused: 'На этом празднике видео не принимаются.',
  video_unreadable: 'Это видео не принимается. Подходят MP4, MOV и WebM, снятые телефоном.',
  not_a_photo: 'Этот файл не удаётся открыть как изображение.',
  storage_full: 'Место для фотографий этого праздника закончилось.',
} satisfies UploadErrorTexts;

const way = 'Что-то на пути к серверу задерживает фотографии. Поможет другая сеть.';

export const guest = {
  page: {
    loadingFails: 'Страница праздника сейчас не открывается',
    again: 'Страница сама попробует ещё раз.',
    noConnection: 'Нет соединения с сервером.',
    noCode: 'Код праздника не указан',
    enterCode: 'Ввести код',
    device: 'Ошибка устройства',
    deviceText: errors.device_id_missing,
    password: 'Нужен пароль',
    passwordText: 'Для этого праздника нужен пароль. Нажмите «Разблокировать».',
    passwordWrong: 'Пароль в этой ссылке неверен (или уже недействителен).',
    unlock: 'Разблокировать',
    notFound: 'Код праздника неверен или больше не действует',
    notOpen: 'Ещё не открыто',
    opensOn: (day) => `Страница праздника откроется ${formatDay(day)} Тогда здесь всё и начнётся.`,
    uploadsOff: uploadErrors.upload_disabled,
    uploadsOffText: 'Если её снова включат, эта страница продолжит работу.',
    otherEvent: 'Перейти к другому празднику',
  },
  form: {
    name: 'Ваше имя',
    pick: 'Выбрать файлы',
    eventPassword: 'Пароль праздника',
    chosen: 'Выбранные файлы',
    private: 'Фотографии всех гостей видит только хозяин праздника. Они хранятся в зашифрованном виде.',
    sealed: 'Фотографии хранятся в зашифрованном виде.',
    gallery: 'Фотографии всех гостей',
    perDevice: (count) =>
      formFor(count, {
        one: 'На этом празднике с одного устройства можно загрузить # фотографию.',
        few: 'На этом празднике с одного устройства можно загрузить # фотографии.',
        other: 'На этом празднике с одного устройства можно загрузить # фотографий.',
      }),
    ownLater: 'Свои фотографии вы тоже увидите здесь только после того, как хозяин праздника их откроет.',
    own: (count) => `Мои фотографии (${formatNumber(count)})`,
    report: 'Сообщить о фотографии',
  },
  bar: {
    region: 'Загрузка фотографий',
    hint: 'Осталось поставить здесь галочку, и можно начинать.',
    consent: (takesVideos) =>
      takesVideos
        ? 'Я прочитал(а) [сведения о защите данных] и вправе поделиться этими фотографиями и видео.'
        : 'Я прочитал(а) [сведения о защите данных] и вправе поделиться этими фотографиями.',
    originals: 'Хозяин праздника получает оригиналы, в том числе с местом съёмки, если оно в них сохранено.',
    seenBy: {
      open: 'Все гости сразу видят то, что здесь загружено.',
      released: (minutes) =>
        minutes === null
          ? 'Все гости увидят загруженное здесь, как только хозяин праздника это одобрит.'
          : `Все гости увидят загруженное здесь, как только хозяин праздника это одобрит, самое позднее через ${minutes} мин.`,
      revealed: 'Все гости увидят загруженное здесь, как только хозяин праздника откроет фотографии.',
      from: (instant) => `С ${formatInstant(instant).replace(' в ', ', ')} все гости увидят загруженное здесь.`,
      wall: {
        always: 'Слайд-шоу показывает всем присутствующим то, чего хозяин праздника не скрывает.',
        now: 'Ещё до этого слайд-шоу показывает всем присутствующим то, чего хозяин праздника не скрывает.',
        later: 'Тогда и слайд-шоу показывает всем присутствующим то, чего хозяин праздника не скрывает.',
      },
    },
    nothing: 'Готово к загрузке',
    done: '✓ Загружено',
    send: (count) => `Загрузить (${formatNumber(count)})`,
    running: (left) => `Загрузка... (осталось ${formatNumber(left)})`,
    off: {
      running: 'Идёт загрузка.',
      nothing: 'Пожалуйста, сначала выберите что-нибудь.',
      done: 'Всё загружено.',
      hopeless: 'То, что отмечено красным, загрузить нельзя.',
    },
  },
  leave: {
    uploading: 'Загрузка ещё идёт. Всё равно уйти со страницы?',
    unsent: 'Выбранное ещё не загружено. Всё равно уйти со страницы?',
  },
  status: {
    cloud: 'Телефон сначала скачивает файлы из облака.',
    chooseAgain: (counts) => `Пожалуйста, выберите ещё раз: ${counted(counts)}.`,
    gone: () => 'На этом устройстве этого больше нет.',
    silent: 'Пожалуйста, выберите ещё раз фотографии с прошлого раза.',
    stuck: {
      line: 'Ожидание сети – загрузка продолжится сама.',
      server: 'Ожидание сервера – загрузка продолжится сама.',
      way,
      device: 'Ожидание памяти этого устройства – загрузка продолжится сама.',
    },
    paused: (counts) => `Ещё не загружено: ${counted(counts)}.`,
    safe: (stored, all) => `Дошло: ${formatNumber(stored)} из ${formatNumber(all)}.`,
    shown: (count) => `Уже видно: ${formatNumber(count)}; ${count === 1 ? 'оригинал' : 'оригиналы'} в пути.`,
    stayOpen: 'Пожалуйста, не закрывайте эту страницу.',
    mayClose: 'Если закрыть страницу, загрузка продолжится при следующем открытии.',
    more: 'Ещё',
    stop: 'Отменить загрузку',
    ended: {
      removing: 'Загрузка отменена. То, что уже видно, сейчас удаляется: пожалуйста, не закрывайте пока страницу.',
      removed: 'Загрузка отменена. То, что не дошло, нигде не видно.',
    },
    elsewhere: (stored, all) => `В другом окне дошло: ${formatNumber(stored)} из ${formatNumber(all)}.`,
    requests: (ids) => `(${ids.length === 1 ? 'номер' : 'номера'} ${ids.join(', ')})`,
  },
  thanks: {
    title: (name) => (name ? `Спасибо, ${name}!` : 'Спасибо!'),
    all: (counts) => `Дошло: ${counted(counts)}.`,
    partly: (stored, { photos, videos }) => {
      const what = videos === 0 ? 'фотографий' : photos === 0 ? 'видео' : 'фотографий и видео';
      return `Дошло ${what}: ${formatNumber(stored)} из ${formatNumber(photos + videos)}.`;
    },
  },
  tile: {
    waiting: 'выбрано',
    sending: 'загружается',
    announced: 'оригинал в пути',
    stored: 'загружено',
    failed: 'не удалось',
    resends: 'ожидает',
    heic: 'Формат HEIC',
    remove: 'убрать',
    view: (name) => `${name}, посмотреть`,
  },
  failed: {
    no_connection: shell.noConnection,
    too_large: errors.too_large,
    unreadable: 'Этот файл больше не читается.',
    device_silent: 'Память этого устройства сейчас не отвечает.',
    altered: 'Эта фотография изменилась при передаче.',
    not_ours: 'Задержано на пути к серверу.',
  },
  said: {
    progress: (percent) => `Загружено ${percent} %`,
    stuck: {
      line: 'Загрузка ожидает сети',
      server: 'Загрузка ожидает сервера',
      way,
      device: 'Загрузка ожидает памяти этого устройства',
    },
    done: 'Всё загружено',
    failed: (count) => `Загрузка закончена, не удалось: ${formatNumber(count)}`,
  },
} satisfies GuestTexts;

const tap = 'Чтобы убрать отмеченное красным, нажмите на него.';
const again = 'Нажмите на отмеченное красным и выберите файл ещё раз.';

export const later = {
  passOn: 'Рассказать другим',
  inApp: {
    title: (app) =>
      app === '' ? 'Эта страница открыта в браузере другого приложения.' : `Эта страница открыта в браузере приложения ${app}.`,
    text: 'В настоящем браузере надёжнее: нажмите вверху «…» или «⋮», затем «Открыть в браузере».',
  },
  failures: {
    files: (count) => formFor(count, { one: '# файл', few: '# файла', other: '# файлов' }),
    counted,
    because: (what, reason) => `${what}: ${reason}`,
    more: (names, others) => (others > 0 ? `${names.join(', ')} и ещё ${formatNumber(others)}` : names.join(', ')),
    causes: {
      too_large: {
        short: 'Слишком большой',
        reason: 'слишком большой размер.',
        advice: 'Пожалуйста, передайте файл хозяину праздника другим способом.',
      },
      not_a_photo: { short: 'Не фото', reason: 'не удаётся открыть как изображение.', advice: tap },
      too_many_pixels: {
        short: 'Слишком большой',
        reason: 'больше 200 мегапикселей.',
        advice: 'Пожалуйста, снимите с меньшим разрешением или передайте файл хозяину праздника другим способом.',
      },
      video_refused: { short: 'Видео нельзя', reason: uploadErrors.video_refused, advice: tap },
      video_unreadable: { short: 'Не читается', reason: 'Подходят MP4, MOV и WebM, снятые телефоном.', advice: tap },
      unreadable: {
        short: 'Не читается',
        reason: 'больше не удаётся прочитать.',
        advice: `Возможно, что-то удалили или переместили. ${again}`,
      },
      photo_removed: { short: 'Удалено', reason: 'удалено до того, как пришёл оригинал.', advice: tap },
      altered: { short: 'Изменено', reason: 'изменено при передаче.', advice: again },
      storage_full: {
        short: 'Нет места',
        reason: uploadErrors.storage_full,
        advice: 'Пожалуйста, скажите хозяину праздника; все файлы остались на этом устройстве.',
      },
      disk_full: {
        short: 'Нет места',
        reason: 'На сервере больше нет свободного места.',
        advice: 'Ничего не потеряно; пожалуйста, попробуйте позже.',
      },
      demo_full: {
        short: 'Предел демо',
        reason: uploadErrors.demo_full,
        advice: '',
      },
      device_full: {
        short: 'Слишком много',
        reason: uploadErrors.device_full,
        advice: tap,
      },
      wrong_event_password: { short: 'Пароль', reason: 'Пароль праздника не указан или уже неверен.', advice: '' },
      closed: {
        short: 'Закрыто',
        reason: 'На этот праздник сейчас ничего нельзя загрузить.',
        advice: 'Пожалуйста, спросите хозяина праздника.',
      },
      no_connection: { short: 'Нет сети', reason: 'не загружено, нет соединения.', advice: 'Нажмите «Загрузить», чтобы продолжить.' },
      other: { short: 'Не загружено', reason: 'не загружено.', advice: 'Пожалуйста, попробуйте ещё раз чуть позже.' },
    },
  },
  mine: {
    title: 'Мои фотографии',
    hint: 'Этот список есть только в этом браузере; на других устройствах он пуст.',
    states: { announced: 'Оригинал в пути', unreadable: 'Оригинал не читается' },
    photo: (name) => `Моя фотография ${name}`,
    video: (name) => `Моё видео ${name}`,
    remove: 'Удалить',
    download: 'Скачать',
    delete: (isVideo) => (isVideo ? 'Удалить видео?' : 'Удалить фотографию?'),
    deleteText: (isVideo, name) =>
      isVideo
        ? `Видео «${name}» будет удалено и у хозяина праздника. Отменить это нельзя.`
        : `Фотография «${name}» будет удалена и у хозяина праздника. Отменить это нельзя.`,
    keep: 'Оставить',
    deleteNow: 'Удалить навсегда',
  },
} satisfies LaterTexts;

export const unkept = {
  hint: 'Без cookie список до закрытия страницы.',
} satisfies CookielessTexts;
