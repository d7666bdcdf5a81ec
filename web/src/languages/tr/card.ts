import type { CardTexts } from '../spoken.ts';

export const card = {
  send: 'Okutun, fotoğraf seçin, tamam. Uygulama yok, hesap yok.',
  look: 'Okutun, fotoğraflara bakın. Uygulama yok, hesap yok.',
} satisfies CardTexts;
