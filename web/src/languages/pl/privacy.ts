import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { PrivacyTexts } from '../spoken.ts';

export const privacy = {
  title: 'Ochrona danych',
  essentials: 'Najważniejsze dla gości',
  binding: 'Wiążący jest poniższy tekst niemiecki.',
  points: [
    'Goście nie potrzebują konta. Wszystkie zdjęcia otrzymuje gospodarz. Jeśli wyświetla pokaz slajdów, otwiera galerię dla gości, ustawia zdjęcie jako okładkę albo przekazuje linki, zdjęcia widzą także inni. Kto zobaczy zdjęcie, podano na stronie przesyłania, zanim zostanie ono przesłane.',
    'Zdjęcia są przechowywane w postaci zaszyfrowanej (AES-256). Mając tylko bazę danych, magazyn zdjęć i konfigurację, dostawca nie może odczytać żadnego zdjęcia. Otworzyć mogą je: gospodarz za pomocą swojego hasła; urządzenie, z którego je przesłano – tylko własne zdjęcia; posiadacz ważnego linku do pobrania – tylko zdjęcie z tego linku. Podczas przesyłania i oglądania serwer przez chwilę przetwarza je w pamięci w postaci niezaszyfrowanej.',
    'Panel administracyjny nie pokazuje zdjęć. Technicznie dostawca mógłby uzyskać dostęp, resetując hasło gospodarza; każdy reset jest zapisywany i pokazywany gospodarzowi.',
    'Gospodarz otrzymuje oryginały, także z miejscem wykonania zdjęcia, jeśli jest w nich zapisane. Linki do pobrania przekazywane innym dają zdjęcie bez tego miejsca.',
    `Zdjęcia są usuwane automatycznie, najpóźniej ${PHOTOS_KEPT_DAYS} dni po wydarzeniu; potem niszczony jest klucz. Kopie zapasowe, dopóki istnieją, zawierają także to, co już usunięto.`,
    'Nie ma reklam, analizy Państwa zachowania ani niczego z obcych serwerów.',
    'W Państwa przeglądarce zapisywane jest tylko to, co potrzebne do działania: losowy identyfikator urządzenia, aby Państwa zdjęcia pozostały Państwa; podane imię; wydarzenia, przy których zaakceptowano te informacje; wybrany język; oraz kopie wybranych zdjęć, dopóki nie dotrą.',
    'Własne zdjęcia można obejrzeć, pobrać i usunąć na stronie przesyłania. O usunięcie innych zdjęć prosimy zwrócić się do gospodarza. Jeśli nie można się z nim skontaktować albo zdjęcie jest bezprawne, prosimy zgłosić je nam: „Zgłoś zdjęcie”.',
  ],
  rights: (email) =>
    `Mają Państwo prawo dostępu do danych, ich sprostowania, usunięcia, ograniczenia przetwarzania, przenoszenia oraz wniesienia sprzeciwu (art. 15–21 RODO), a także prawo wniesienia skargi do organu nadzorczego (art. 77 RODO). Prosimy pisać do nas: ${email}`,
} satisfies PrivacyTexts;
