import { DEMO_PHOTOS } from '@feierbild/contract/constants.ts';
import { formatDay, formatNumber, formFor } from '../../lib/format.ts';
import type { CookielessTexts } from '../../texts/guest/cookieless.ts';
import type { GuestTexts } from '../../texts/guest/guest.ts';
import type { LaterTexts } from '../../texts/guest/later.ts';
import type { UploadErrorTexts } from '../spoken.ts';
import { counted, errors, moment, shell } from './shell.ts';

export const uploadErrors = {
  upload_incomplete: 'Przesyłanie zostało przerwane. Prosimy spróbować ponownie.',
  upload_disabled: 'Przesyłanie do tego wydarzenia jest wyłączone.',
  device_full: 'Z tego urządzenia przesłano już tyle zdjęć, na ile pozwala to wydarzenie.',
  demo_full: `W wersji demo można przesłać najwyżej ${DEMO_PHOTOS} zdjęć z jednego urządzenia.`,
  photo_removed: 'To zdjęcie zostało usunięte.',
  too_many_pixels: 'To zdjęcie ma ponad 200 megapikseli.',
  video_refused: 'Do tego wydarzenia nie można przesyłać filmów.',
  video_unreadable: 'Ten film nie może zostać przyjęty. Przyjmowane są MP4, MOV i WebM nagrane telefonem.',
  not_a_photo: 'Tego pliku nie można odczytać jako zdjęcia.',
  storage_full: 'Skończyło się miejsce na zdjęcia z tego wydarzenia.',
} satisfies UploadErrorTexts;

const way = 'Coś na drodze do serwera zatrzymuje zdjęcia. Pomoże inna sieć.';

export const guest = {
  page: {
    loadingFails: 'Wydarzenia nie można teraz otworzyć',
    again: 'Strona sama spróbuje ponownie.',
    noConnection: 'Brak połączenia z serwerem.',
    noCode: 'Nie podano kodu wydarzenia',
    enterCode: 'Wpisz kod',
    device: 'Błąd urządzenia',
    deviceText: errors.device_id_missing,
    password: 'Wymagane hasło',
    passwordText: 'To wydarzenie wymaga hasła. Aby je podać, prosimy dotknąć „Odblokuj”.',
    passwordWrong: 'Hasło w tym linku jest nieprawidłowe (lub już nieważne).',
    unlock: 'Odblokuj',
    notFound: 'Kod wydarzenia jest nieprawidłowy lub wygasł',
    notOpen: 'Jeszcze nieotwarte',
    opensOn: (day) => `Strona wydarzenia zostanie otwarta ${formatDay(day)} r. Wtedy wszystko się tu zacznie.`,
    uploadsOff: uploadErrors.upload_disabled,
    uploadsOffText: 'Jeśli zostanie znów włączone, na tej stronie będzie można kontynuować.',
    otherEvent: 'Otwórz inne wydarzenie',
  },
  form: {
    name: 'Państwa imię',
    pick: 'Wybierz pliki',
    eventPassword: 'Hasło wydarzenia',
    chosen: 'Wybrane pliki',
    private: 'Zdjęcia wszystkich gości widzi tylko gospodarz. Są przechowywane w postaci zaszyfrowanej.',
    sealed: 'Zdjęcia są przechowywane w postaci zaszyfrowanej.',
    gallery: 'Zdjęcia wszystkich gości',
    perDevice: (count) =>
      formFor(count, {
        one: 'Na tym wydarzeniu można przesłać jedno zdjęcie z jednego urządzenia.',
        few: 'Na tym wydarzeniu można przesłać # zdjęcia z jednego urządzenia.',
        other: 'Na tym wydarzeniu można przesłać # zdjęć z jednego urządzenia.',
      }),
    ownLater: 'Także własne zdjęcia zobaczą tu Państwo dopiero wtedy, gdy odsłoni je gospodarz.',
    own: (count) => `Moje zdjęcia (${formatNumber(count)})`,
    report: 'Zgłoś zdjęcie',
  },
  bar: {
    region: 'Przesyłanie',
    hint: 'Wystarczy zaznaczyć jeszcze to pole i można zaczynać.',
    consent: (takesVideos) =>
      takesVideos
        ? 'Przeczytałem(-am) [informacje o ochronie danych] i mam prawo udostępnić te zdjęcia i filmy.'
        : 'Przeczytałem(-am) [informacje o ochronie danych] i mam prawo udostępnić te zdjęcia.',
    originals: 'Gospodarz otrzymuje oryginały, także z miejscem wykonania zdjęcia, jeśli jest w nich zapisane.',
    seenBy: {
      open: 'Wszyscy goście od razu widzą to, co tu zostanie przesłane.',
      released: (minutes) =>
        minutes === null
          ? 'Wszyscy goście zobaczą to, co tu zostanie przesłane, gdy gospodarz to zatwierdzi.'
          : `Wszyscy goście zobaczą to, co tu zostanie przesłane, gdy gospodarz to zatwierdzi, najpóźniej po ${minutes} min.`,
      revealed: 'Wszyscy goście zobaczą to, co tu zostanie przesłane, gdy gospodarz odsłoni zdjęcia.',
      from: (instant) => `Od ${moment(instant)} wszyscy goście zobaczą to, co tu zostanie przesłane.`,
      wall: {
        always: 'Pokaz slajdów wyświetla wszystkim na miejscu to, czego gospodarz nie wstrzyma.',
        now: 'Już wcześniej pokaz slajdów wyświetla wszystkim na miejscu to, czego gospodarz nie wstrzyma.',
        later: 'Od tej chwili także pokaz slajdów wyświetla wszystkim na miejscu to, czego gospodarz nie wstrzyma.',
      },
    },
    nothing: 'Gotowe do przesyłania',
    done: '✓ Przesłano',
    send: (count) => `Prześlij (${formatNumber(count)})`,
    running: (left) => `Przesyłanie... (pozostało ${formatNumber(left)})`,
    off: {
      running: 'Przesyłanie trwa.',
      nothing: 'Prosimy najpierw coś wybrać.',
      done: 'Wszystko przesłano.',
      hopeless: 'Plików oznaczonych na czerwono nie można przesłać.',
    },
  },
  leave: {
    uploading: 'Przesyłanie jeszcze trwa. Czy mimo to chcą Państwo opuścić stronę?',
    unsent: 'Wybrane pliki nie są jeszcze przesłane. Czy mimo to chcą Państwo opuścić stronę?',
  },
  status: {
    cloud: 'Telefon najpierw pobiera pliki z chmury.',
    chooseAgain: (counts) => `Prosimy wybrać jeszcze raz: ${counted(counts)}.`,
    gone: () => 'Na tym urządzeniu już tego nie ma.',
    silent: 'Prosimy jeszcze raz wybrać zdjęcia z ostatniego razu.',
    stuck: {
      line: 'Oczekiwanie na sieć – przesyłanie wznowi się samo.',
      server: 'Oczekiwanie na serwer – przesyłanie wznowi się samo.',
      way,
      device: 'Oczekiwanie na pamięć tego urządzenia – przesyłanie wznowi się samo.',
    },
    paused: (counts) => `Jeszcze nie przesłano: ${counted(counts)}.`,
    safe: (stored, all) => `Dotarło ${formatNumber(stored)} z ${formatNumber(all)}.`,
    shown: (count) => `Już widać: ${formatNumber(count)}; ${count === 1 ? 'oryginał' : 'oryginały'} w drodze.`,
    stayOpen: 'Prosimy nie zamykać tej strony.',
    mayClose: 'Po zamknięciu strony przesyłanie zostanie wznowione przy następnym otwarciu.',
    more: 'Więcej',
    stop: 'Anuluj przesyłanie',
    ended: {
      removing: 'Przesyłanie anulowano. To, co już widać, jest właśnie usuwane: prosimy do tego czasu nie zamykać strony.',
      removed: 'Przesyłanie anulowano. Tego, co nie dotarło, nigdzie nie widać.',
    },
    elsewhere: (stored, all) => `W innym oknie: dotarło ${formatNumber(stored)} z ${formatNumber(all)}.`,
    requests: (ids) => `(nr ${ids.join(', ')})`,
  },
  thanks: {
    title: (name) => (name ? `Dziękujemy, ${name}!` : 'Dziękujemy!'),
    all: (counts) => `Dotarło: ${counted(counts)}.`,
    partly: (stored, { photos, videos }) => {
      const [some, all] = [formatNumber(stored), formatNumber(photos + videos)];
      if (videos === 0) return `Dotarło zdjęć: ${some} z ${all}.`;
      return photos === 0 ? `Dotarło filmów: ${some} z ${all}.` : `Dotarło zdjęć i filmów: ${some} z ${all}.`;
    },
  },
  tile: {
    waiting: 'wybrano',
    sending: 'przesyłanie',
    announced: 'oryginał w drodze',
    stored: 'przesłano',
    failed: 'nie udało się',
    resends: 'czeka',
    heic: 'Format HEIC',
    remove: 'usuń z wyboru',
    view: (name) => `${name}, obejrzyj`,
  },
  failed: {
    no_connection: shell.noConnection,
    too_large: errors.too_large,
    unreadable: 'Tego pliku nie da się już odczytać.',
    device_silent: 'Pamięć tego urządzenia chwilowo nie odpowiada.',
    altered: 'To zdjęcie zmieniło się podczas przesyłania.',
    not_ours: 'Zatrzymane w drodze do serwera.',
  },
  said: {
    progress: (percent) => `Przesłano ${percent} procent`,
    stuck: {
      line: 'Przesyłanie czeka na sieć',
      server: 'Przesyłanie czeka na serwer',
      way,
      device: 'Przesyłanie czeka na pamięć tego urządzenia',
    },
    done: 'Wszystko przesłano',
    failed: (count) => `Przesyłanie zakończone, nie udało się: ${formatNumber(count)}`,
  },
} satisfies GuestTexts;

const tap = 'Aby usunąć z wyboru pliki oznaczone na czerwono, prosimy ich dotknąć.';
const again = 'Prosimy dotknąć pliku oznaczonego na czerwono i wybrać go ponownie.';

export const later = {
  passOn: 'Powiedz innym',
  inApp: {
    title: (app) =>
      app === '' ? 'Ta strona jest otwarta w przeglądarce innej aplikacji.' : `Ta strona jest otwarta w przeglądarce aplikacji ${app}.`,
    text: 'Pewniej działa we właściwej przeglądarce: prosimy dotknąć u góry „…” lub „⋮”, a potem „Otwórz w przeglądarce”.',
  },
  failures: {
    files: (count) => formFor(count, { one: '# plik', few: '# pliki', other: '# plików' }),
    counted,
    because: (what, reason) => `${what}: ${reason}`,
    more: (names, others) =>
      others > 0 ? `${names.join(', ')} i ${formFor(others, { one: '# inny', few: '# inne', other: '# innych' })}` : names.join(', '),
    causes: {
      too_large: { short: 'Za duży', reason: 'za duży rozmiar.', advice: 'Prosimy przekazać plik gospodarzowi w inny sposób.' },
      not_a_photo: { short: 'To nie zdjęcie', reason: 'nie można odczytać jako zdjęcia.', advice: tap },
      too_many_pixels: {
        short: 'Za duży',
        reason: 'ponad 200 megapikseli.',
        advice: 'Prosimy zrobić mniejsze zdjęcie lub przekazać je gospodarzowi w inny sposób.',
      },
      video_refused: { short: 'Bez filmów', reason: uploadErrors.video_refused, advice: tap },
      video_unreadable: { short: 'Nieczytelny', reason: 'Przyjmowane są MP4, MOV i WebM nagrane telefonem.', advice: tap },
      unreadable: { short: 'Nieczytelny', reason: 'nie da się już odczytać.', advice: `Może coś usunięto lub przeniesiono. ${again}` },
      photo_removed: { short: 'Usunięty', reason: 'usunięto, zanim dotarł oryginał.', advice: tap },
      altered: { short: 'Zmieniony', reason: 'zmieniono podczas przesyłania.', advice: again },
      storage_full: {
        short: 'Brak miejsca',
        reason: uploadErrors.storage_full,
        advice: 'Prosimy powiedzieć o tym gospodarzowi; wszystko jest jeszcze na tym urządzeniu.',
      },
      disk_full: {
        short: 'Brak miejsca',
        reason: 'Na serwerze nie ma już wolnego miejsca.',
        advice: 'Nic nie przepadło; prosimy spróbować później.',
      },
      demo_full: {
        short: 'Limit demo',
        reason: uploadErrors.demo_full,
        advice: '',
      },
      device_full: { short: 'Za dużo', reason: uploadErrors.device_full, advice: tap },
      wrong_event_password: { short: 'Hasło', reason: 'Brakuje hasła wydarzenia albo nie jest już aktualne.', advice: '' },
      closed: { short: 'Zamknięte', reason: 'Do tego wydarzenia nie można teraz niczego przesłać.', advice: 'Prosimy zapytać gospodarza.' },
      no_connection: {
        short: 'Brak sieci',
        reason: 'nie przesłano, brak połączenia.',
        advice: 'Aby kontynuować, prosimy dotknąć „Prześlij”.',
      },
      other: { short: 'Nie przesłano', reason: 'nie przesłano.', advice: 'Prosimy za chwilę spróbować ponownie.' },
    },
  },
  mine: {
    title: 'Moje zdjęcia',
    hint: 'Ta lista należy do tej przeglądarki; na innych urządzeniach jest pusta.',
    states: { announced: 'Oryginał w drodze', unreadable: 'Oryginał nieczytelny' },
    photo: (name) => `Moje zdjęcie ${name}`,
    video: (name) => `Mój film ${name}`,
    remove: 'Usuń',
    download: 'Pobierz',
    delete: (isVideo) => (isVideo ? 'Usunąć film?' : 'Usunąć zdjęcie?'),
    deleteText: (isVideo, name) =>
      isVideo
        ? `Film „${name}” zostanie usunięty także u gospodarza. Tego nie można cofnąć.`
        : `Zdjęcie „${name}” zostanie usunięte także u gospodarza. Tego nie można cofnąć.`,
    keep: 'Zachowaj',
    deleteNow: 'Usuń na zawsze',
  },
} satisfies LaterTexts;

export const unkept = {
  hint: 'Ta lista jest dostępna do zamknięcia strony: przeglądarka blokuje pliki cookie.',
} satisfies CookielessTexts;
