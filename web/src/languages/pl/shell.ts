import { formatDay, formatInstant, formFor } from '../../lib/format.ts';
import type { ShellTexts } from '../../texts/guest/shell.ts';
import { listOf, type Counts } from '../../video/counts.ts';
import type { ErrorTexts } from '../spoken.ts';

export const locale = 'pl-PL';
/** Formats an instant for a Polish sentence: `17 maja 2026 r., godz. 21:04`. */
export const moment = (iso: string): string => formatInstant(iso).replace(/,? (?=\d+:)/, ' r., godz. ');

export const counted = (counts: Counts): string =>
  listOf(
    counts,
    formFor(counts.photos, { one: '# zdjęcie', few: '# zdjęcia', other: '# zdjęć' }),
    formFor(counts.videos, { one: '# film', few: '# filmy', other: '# filmów' }),
  );

export const shell = {
  skip: 'Przejdź do treści',
  home: ': na stronę główną',
  legal: 'Informacje prawne',
  privacy: 'Ochrona danych',
  terms: 'Regulamin (po niemiecku)',
  imprint: 'Dane wydawcy (po niemiecku)',
  contact: 'Kontakt (po niemiecku)',
  wait: 'Chwileczkę …',
  reload: 'Wczytaj stronę ponownie',
  broken: 'To się nie udało',
  brokenText: 'Nie udało się wczytać strony. To, co przesłano, pozostaje zapisane; prosimy wczytać stronę ponownie.',
  close: 'Zamknij',
  dismiss: 'Zamknij komunikat',
  retry: 'Spróbuj ponownie',
  cancel: 'Anuluj',
  noConnection: 'Brak połączenia. Prosimy sprawdzić sieć i spróbować ponownie.',
  unknown: 'Wystąpił nieznany błąd',
  withId: (text, id) => `${text} (nr ${id})`,
  hints: {
    wrong: 'Hasło wydarzenia jest nieprawidłowe. Wielkość liter ma znaczenie.',
    missing: 'Prosimy podać hasło wydarzenia.',
    opens: (day) => `Strona wydarzenia zostanie otwarta ${formatDay(day)} r.`,
    ended: (day) => `To wydarzenie już się skończyło; ostatnim dniem był ${formatDay(day)} r.`,
    inactive: 'To wydarzenie nie jest jeszcze otwarte albo jest już zamknięte.',
  },
} satisfies ShellTexts;

export const errors = {
  invalid_input: 'Prosimy sprawdzić wpisane dane.',
  device_id_missing: 'Nie udało się pobrać identyfikatora urządzenia.',
  login_required: 'Do tej strony potrzebny jest link od gospodarza.',
  event_inactive: 'To wydarzenie nie jest otwarte.',
  wrong_event_password: 'Nieprawidłowe hasło wydarzenia.',
  demo_fixed: 'W wersji demo to niemożliwe.',
  event_not_found: 'Nie znaleziono wydarzenia.',
  photo_not_found: 'Nie znaleziono zdjęcia.',
  too_large: 'Ten plik jest za duży.',
  too_many_attempts: 'Zbyt wiele prób. Prosimy odczekać kilka minut i spróbować ponownie.',
  disk_full: 'Na serwerze nie ma już wolnego miejsca. Nic nie przepadło; prosimy spróbować później.',
  other: 'Wystąpił błąd. Prosimy spróbować później.',
  field: 'Prosimy sprawdzić to pole.',
} satisfies ErrorTexts;
