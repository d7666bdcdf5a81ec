import type { CardTexts } from '../spoken.ts';

export const card = {
  send: 'Відскануйте, виберіть фото – готово. Без застосунку й реєстрації.',
  look: 'Відскануйте й дивіться фото. Без застосунку й реєстрації.',
} satisfies CardTexts;
