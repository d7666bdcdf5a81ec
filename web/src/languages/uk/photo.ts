import { formatInstant, formFor } from '../../lib/format.ts';
import type { CookieTexts } from '../../texts/guest/cookies.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import type { FileErrorTexts } from '../spoken.ts';
import { counted } from './shell.ts';

export const fileErrors = {
  originals_off: 'Господар цього свята не передає оригіналів гостям.',
  original_missing: 'Є лише попередній перегляд цієї фотографії.',
  video_not_shared:
    'Створити версію цього відео без місця зйомки неможливо. Тому переглянути його можуть лише господар свята й той, хто його надіслав, а посилання на нього немає.',
} satisfies FileErrorTexts;

export const photo = {
  heart: 'Подобається',
  anonymous: 'Без імені',
  of: (isVideo, name, at) => `${isVideo ? 'Відео' : 'Фотографія'}${name ? ` від: ${name}` : ''}, ${formatInstant(at)}`,
  states: {
    waiting: 'Чекає на схвалення',
    announced: 'Оригінал у дорозі',
    unreadable: 'Оригінал не читається',
    replaced: 'Попередній перегляд замінено',
  },
  replaced: 'спочатку було показано попередній перегляд іншої фотографії',
  taken: (time) => `знято: ${time}`,
  download: 'Завантажити',
  details: 'Усі відомості',
  hearts: (count) => formFor(count, { one: 'сердечко', few: 'сердечка', other: 'сердечок' }),
  counted,
} satisfies PhotoTexts;

export const cookies = {
  title: 'Браузер блокує cookie',
  text: 'Без cookie сторінка не відкриється. Дозвольте тут cookie й оновіть сторінку або візьміть інший браузер.',
} satisfies CookieTexts;
