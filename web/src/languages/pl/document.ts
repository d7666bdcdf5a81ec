import type { DocumentTexts } from '../spoken.ts';

export const document = {
  offer: 'Pokaż tę stronę po polsku',
  languages: 'Język',
  noscript: 'Aby dołączyć, przesyłać zdjęcia i zarządzać wydarzeniem, prosimy włączyć JavaScript.',
  description: 'Przesyłanie zdjęć z telefonu do wydarzenia: w pełnej jakości, zaszyfrowane, bez konta i bez aplikacji.',
} satisfies DocumentTexts;
