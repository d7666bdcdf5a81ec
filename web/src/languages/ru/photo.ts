import { formatInstant, formFor } from '../../lib/format.ts';
import type { CookieTexts } from '../../texts/guest/cookies.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import type { FileErrorTexts } from '../spoken.ts';
import { counted } from './shell.ts';

export const fileErrors = {
  originals_off: 'Хозяин этого праздника не передаёт оригиналы гостям.',
  original_missing: 'Доступен только предпросмотр этой фотографии.',
  video_not_shared:
    'Создать версию этого видео без места съёмки невозможно. Поэтому посмотреть его могут только хозяин праздника и тот, кто его отправил, и ссылки на него нет.',
} satisfies FileErrorTexts;

export const photo = {
  heart: 'Нравится',
  anonymous: 'Без имени',
  of: (isVideo, name, at) => `${isVideo ? 'Видео' : 'Фотография'}${name ? ` от: ${name}` : ''}, ${formatInstant(at)}`,
  states: {
    waiting: 'Ждёт одобрения',
    announced: 'Оригинал в пути',
    unreadable: 'Оригинал не читается',
    replaced: 'Предпросмотр заменён',
  },
  replaced: 'сначала был показан предпросмотр другой фотографии',
  taken: (time) => `снято: ${time}`,
  download: 'Скачать',
  details: 'Все сведения',
  hearts: (count) => formFor(count, { one: 'сердечко', few: 'сердечка', other: 'сердечек' }),
  counted,
} satisfies PhotoTexts;

export const cookies = {
  title: 'Ваш браузер блокирует файлы cookie',
  text: 'Без файла cookie эта страница не откроется. Пожалуйста, разрешите файлы cookie для этого адреса и обновите страницу или откройте её в другом браузере.',
} satisfies CookieTexts;
