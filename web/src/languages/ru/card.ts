import type { CardTexts } from '../spoken.ts';

export const card = {
  send: 'Отсканируйте, выберите фото – готово. Без приложения и регистрации.',
  look: 'Отсканируйте и смотрите фото. Без приложения и регистрации.',
} satisfies CardTexts;
