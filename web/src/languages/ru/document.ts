import type { DocumentTexts } from '../spoken.ts';

export const document = {
  offer: 'Показать эту страницу по-русски',
  languages: 'Язык',
  noscript: 'Чтобы присоединиться, загружать фотографии и управлять праздником, включите JavaScript.',
  description:
    'Загрузка фотографий с телефона на страницу праздника: в полном качестве, с шифрованием, без учётной записи и без приложения.',
} satisfies DocumentTexts;
