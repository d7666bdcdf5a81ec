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
  login_required: 'Для этой страницы нужна ссылка от хозяина праздника.',
  event_inactive: 'Этот праздник не открыт.',
  wrong_event_password: 'Неверный пароль праздника.',
  demo_fixed: 'В демоверсии это невозможно.',
  event_not_found: 'Праздник не найден.',
  photo_not_found: 'Фотография не найдена.',
  too_large: 'Этот файл слишком большой.',
  too_many_attempts: 'Слишком много попыток. Пожалуйста, подождите несколько минут и попробуйте ещё раз.',
  disk_full: 'На сервере больше нет свободного места. Ничего не потеряно; пожалуйста, попробуйте позже.',
  other: 'Произошла ошибка. Пожалуйста, попробуйте позже.',
  field: 'Пожалуйста, проверьте это поле.',
} satisfies ErrorTexts;
