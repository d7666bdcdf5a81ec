import { formFor } from '../../lib/format.ts';
import type { CookieTexts } from '../../texts/guest/cookies.ts';
import type { PhotoTexts } from '../../texts/guest/photo.ts';
import type { FileErrorTexts } from '../spoken.ts';
import { counted, moment } from './shell.ts';

export const fileErrors = {
  originals_off: 'Gospodarz tego wydarzenia nie przekazuje oryginałów gościom.',
  original_missing: 'Dostępny jest tylko podgląd tego zdjęcia.',
  video_not_shared:
    'Nie można utworzyć wersji tego filmu bez miejsca nagrania. Dlatego odtworzyć go mogą tylko gospodarz i osoba, która go przesłała, i nie ma do niego linku.',
} satisfies FileErrorTexts;

export const photo = {
  heart: 'Podoba mi się',
  anonymous: 'Bez imienia',
  of: (isVideo, name, at) => `${isVideo ? 'Film' : 'Zdjęcie'}${name ? ` od: ${name}` : ''}, ${moment(at)}`,
  states: {
    waiting: 'Czeka na zatwierdzenie',
    announced: 'Oryginał w drodze',
    unreadable: 'Oryginał nieczytelny',
    replaced: 'Podgląd zastąpiony',
  },
  replaced: 'pokazany najpierw podgląd był innym zdjęciem',
  taken: (time) => `zrobione: ${time}`,
  download: 'Pobierz',
  details: 'Wszystkie informacje',
  hearts: (count) => formFor(count, { one: 'serduszko', few: 'serduszka', other: 'serduszek' }),
  counted,
} satisfies PhotoTexts;

export const cookies = {
  title: 'Przeglądarka blokuje pliki cookie',
  text: 'Bez pliku cookie ta strona się nie otworzy. Prosimy zezwolić na pliki cookie dla tego adresu i odświeżyć stronę albo użyć innej przeglądarki.',
} satisfies CookieTexts;
