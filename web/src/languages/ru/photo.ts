import { formatInstant, formFor } from '../../lib/format.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import { counted } from './shell.ts';

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
