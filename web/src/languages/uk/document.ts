import type { DocumentTexts } from '../spoken.ts';

export const document = {
  offer: 'Показати цю сторінку українською',
  languages: 'Мова',
  noscript: 'Щоб приєднатися до події, надсилати фотографії та керувати подією, на цій сторінці потрібен JavaScript.',
  description: 'Фотографії з телефона просто до події: у повній якості, зашифровані, без облікового запису й без застосунку.',
} satisfies DocumentTexts;
