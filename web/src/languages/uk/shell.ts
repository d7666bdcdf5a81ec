import { formatDay, formatNumber, formFor } from '../../lib/format.ts';
import type { ShellTexts } from '../../texts/guest/shell.ts';
import { listOf, type Counts } from '../../video/counts.ts';
import type { ErrorTexts } from '../spoken.ts';

export const locale = 'uk-UA';

/** Counts photos and videos. `one` is the singular in the case that the sentence needs. */
export const counted = (counts: Counts, one = '# фотографія'): string =>
  listOf(counts, formFor(counts.photos, { one, few: '# фотографії', other: '# фотографій' }), `${formatNumber(counts.videos)} відео`);

export const shell = {
  skip: 'До змісту',
  home: ': на головну сторінку',
  legal: 'Правова інформація',
  privacy: 'Захист даних',
  terms: 'Умови (німецькою)',
  imprint: 'Про власника сайту (німецькою)',
  contact: 'Контакти (німецькою)',
  wait: 'Зачекайте, будь ласка…',
  reload: 'Оновити сторінку',
  broken: 'Не вдалося',
  brokenText: 'Сторінку не вдалося відкрити. Усе надіслане залишається збереженим; будь ласка, оновіть сторінку.',
  close: 'Закрити',
  dismiss: 'Закрити повідомлення',
  retry: 'Спробувати ще раз',
  cancel: 'Скасувати',
  noConnection: 'Немає з’єднання. Будь ласка, перевірте мережу та спробуйте ще раз.',
  unknown: 'Сталася невідома помилка',
  withId: (text, id) => `${text} (номер ${id})`,
  hints: {
    wrong: 'Пароль події неправильний. Зважайте на великі й малі літери.',
    missing: 'Будь ласка, введіть пароль події.',
    opens: (day) => `${formatDay(day)} ця подія відкриється.`,
    ended: (day) => `Ця подія закінчилася: ${formatDay(day)} був її останній день.`,
    inactive: 'Ця подія ще не відкрита або вже закрита.',
  },
} satisfies ShellTexts;

export const errors = {
  invalid_input: 'Будь ласка, перевірте введені дані.',
  device_id_missing: 'Не вдалося отримати ідентифікатор пристрою.',
  login_required: 'Щоб відкрити цю сторінку, потрібне посилання від господаря свята.',
  event_inactive: 'Ця подія не відкрита.',
  wrong_event_password: 'Неправильний пароль події.',
  demo_fixed: 'У демоверсії це неможливо.',
  event_not_found: 'Подію не знайдено.',
  photo_not_found: 'Фотографію не знайдено.',
  too_large: 'Цей файл завеликий.',
  too_many_attempts: 'Забагато спроб. Будь ласка, зачекайте кілька хвилин і спробуйте ще раз.',
  disk_full: 'На сервері більше немає вільного місця. Нічого не втрачено; будь ласка, спробуйте пізніше.',
  other: 'Сталася помилка. Будь ласка, спробуйте пізніше.',
  field: 'Будь ласка, перевірте це поле.',
} satisfies ErrorTexts;
