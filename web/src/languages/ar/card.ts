import type { CardTexts } from '../spoken.ts';

export const card = {
  send: 'امسح الرمز واختر الصور وانتهى. بلا تطبيق وبلا حساب.',
  look: 'امسح الرمز وشاهد الصور. بلا تطبيق وبلا حساب.',
} satisfies CardTexts;
