import type { DownloadTexts } from '../../texts/guest/download.ts';
import type { JoinTexts } from '../../texts/guest/join.ts';

export const join = {
  title: 'Dołączanie do wydarzenia',
  lead: 'Kod jest na zaproszeniu albo na karcie na stole.',
  secureLead: 'To wydarzenie jest chronione hasłem. Zna je gospodarz.',
  code: 'Kod wydarzenia',
  placeholder: 'Kod, 8 znaków',
  hint: '8 znaków: litery A–Z i cyfry',
  password: 'Hasło wydarzenia',
  show: 'Pokaż hasło',
  open: 'Otwórz wydarzenie',
  back: '← Powrót na stronę główną',
  failed: 'Kod wydarzenia jest nieprawidłowy lub wygasł',
  trouble: 'Połączenie z serwerem jest teraz zakłócone. Prosimy za chwilę spróbować ponownie.',
} satisfies JoinTexts;

export const download = {
  photo: 'Państwa zdjęcie',
  video: 'Państwa film',
  loading: 'Wczytywanie podglądu …',
  noPreview: 'Nie udało się wczytać podglądu',
  preview: 'Podgląd Państwa zdjęcia',
  button: 'Pobierz zdjęcie',
  busy: 'Pobieranie...',
  done: 'Pobrano!',
  doneText: 'Państwa zdjęcie zostało pobrane.',
  valid: 'Ten link jest ważny przez 7 dni',
  safe: 'Bezpiecznie i prywatnie',
  error: 'Błąd',
  noToken: 'Nieprawidłowy link do pobrania',
  home: 'Na stronę główną',
  expired: 'Link do pobrania wygasł. Prosimy zrobić nowe zdjęcie.',
  invalid: 'Nieprawidłowy link do pobrania.',
  failed: (why) => `Nie udało się pobrać zdjęcia: ${why}. Prosimy spróbować ponownie.`,
  line: 'brak połączenia',
  status: (status) => `status ${status}`,
  awaited: 'Państwa zdjęcie jest jeszcze w drodze',
  awaitedText:
    'Fotobudka nie ma teraz sieci. Gdy tylko zdjęcie dotrze, pojawi się tutaj samo; tę stronę można też otworzyć później jeszcze raz.',
  report: 'Zgłoś zdjęcie',
  reportVideo: 'Zgłoś film',
} satisfies DownloadTexts;
