import type { DocumentTexts } from '../spoken.ts';

export const document = {
  offer: 'عرض هذه الصفحة بالعربية',
  languages: 'اللغة',
  noscript: 'للانضمام ورفع الصور وإدارة المناسبة تحتاج هذه الصفحة إلى JavaScript.',
  description: 'رفع الصور من الهاتف إلى المناسبة: بالجودة الكاملة، مشفّرة، بلا حساب وبلا تطبيق.',
} satisfies DocumentTexts;
