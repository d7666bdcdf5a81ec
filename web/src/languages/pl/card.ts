import type { CardTexts } from '../spoken.ts';

export const card = {
  send: 'Zeskanuj, wybierz zdjęcia, gotowe. Bez aplikacji i konta.',
  look: 'Zeskanuj i obejrzyj zdjęcia. Bez aplikacji i konta.',
} satisfies CardTexts;
