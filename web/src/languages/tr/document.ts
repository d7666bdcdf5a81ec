import type { DocumentTexts } from '../spoken.ts';

export const document = {
  offer: 'Bu sayfayı Türkçe göster',
  languages: 'Dil',
  noscript: 'Bu sayfa, katılmak, fotoğraf yüklemek ve yönetmek için JavaScript gerektirir.',
  description: 'Telefondan etkinliğe fotoğraf yükleyin: tam kalitede, şifrelenmiş, hesap ve uygulama olmadan.',
} satisfies DocumentTexts;
