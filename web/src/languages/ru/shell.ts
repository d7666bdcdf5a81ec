import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatNumber, formFor } from '../../lib/format.ts';
import type { ShellTexts } from '../../texts/guest/shell.ts';
import { listOf, type Counts } from '../../video/counts.ts';
import type { ErrorTexts } from '../spoken.ts';

export const locale = 'ru-RU';

export const counted = (counts: Counts): string =>
  listOf(
    counts,
    formFor(counts.photos, { one: '# фотография', few: '# фотографии', other: '# фотографий' }),
    `${formatNumber(counts.videos)} видео`,
  );

export const shell = {
  skip: 'К содержанию',
  home: ': на главную страницу',
  legal: 'Правовая информация',
  privacy: 'Защита данных',
  terms: 'Условия (на немецком)',
  imprint: 'Сведения о владельце (на немецком)',
  contact: 'Контакты (на немецком)',
  wait: 'Одну минуту …',
  reload: 'Загрузить страницу заново',
  broken: 'Не получилось',
  brokenText: 'Страницу не удалось загрузить. Всё, что загружено на сервер, сохраняется; пожалуйста, откройте страницу заново.',
  close: 'Закрыть',
  dismiss: 'Закрыть сообщение',
  retry: 'Попробовать ещё раз',
  cancel: 'Отмена',
  noConnection: 'Нет соединения. Пожалуйста, проверьте сеть и попробуйте ещё раз.',
  unknown: 'Произошла неизвестная ошибка',
  withId: (text, id) => `${text} (номер ${id})`,
  hints: {
    wrong: 'Пароль праздника неверен. Прописные и строчные буквы различаются.',
    missing: 'Пожалуйста, введите пароль праздника.',
    opens: (day) => `Страница праздника откроется ${formatDay(day)}`,
    ended: (day) => `Этот праздник закончился; последним днём было ${formatDay(day)}`,
    inactive: 'Этот праздник ещё не открыт или уже закрыт.',
  },
} satisfies ShellTexts;

export const errors = {
  invalid_input: 'Пожалуйста, проверьте введённые данные.',
  device_id_missing: 'Не удалось получить идентификатор устройства.',
  upload_incomplete: 'Загрузка была прервана. Пожалуйста, попробуйте ещё раз.',
  login_required: 'Для этой страницы нужна ссылка от хозяина праздника.',
  event_inactive: 'Этот праздник не открыт.',
  wrong_event_password: 'Неверный пароль праздника.',
  upload_disabled: 'Загрузка фотографий для этого праздника отключена.',
  device_full: 'С этого устройства уже загружено столько фотографий, сколько допускает этот праздник.',
  demo_full: `В демоверсии с одного устройства можно загрузить не больше ${DEMO_PHOTOS} фотографий.`,
  demo_fixed: 'В демоверсии это невозможно.',
  event_not_found: 'Праздник не найден.',
  photo_not_found: 'Фотография не найдена.',
  photo_removed: 'Эта фотография удалена.',
  too_large: 'Этот файл слишком большой.',
  too_many_pixels: 'В этом изображении больше 200 мегапикселей.',
  video_refused: 'На этом празднике видео не принимаются.',
  video_unreadable: 'Это видео не принимается. Подходят MP4, MOV и WebM, снятые телефоном.',
  not_a_photo: 'Этот файл не удаётся открыть как изображение.',
  too_many_attempts: 'Слишком много попыток. Пожалуйста, подождите несколько минут и попробуйте ещё раз.',
  storage_full: 'Место для фотографий этого праздника закончилось.',
  disk_full: 'На сервере больше нет свободного места. Ничего не потеряно; пожалуйста, попробуйте позже.',
  other: 'Произошла ошибка. Пожалуйста, попробуйте позже.',
  field: 'Пожалуйста, проверьте это поле.',
} satisfies ErrorTexts;
