import { formFor } from '../../lib/format.ts';
import type { ReleaseTexts } from '../../texts/guest/release.ts';
import { moment } from './shell.ts';

export const release = {
  title: 'Zatwierdzanie zdjęć',
  waiting: (count) => formFor(count, { one: '# zdjęcie czeka', few: '# zdjęcia czekają', other: '# zdjęć czeka' }),
  show: 'Pokaż',
  hide: 'Nie pokazuj',
  meaning: '„Pokaż”: zdjęcie zobaczą wszyscy goście i widzowie pokazu slajdów. „Nie pokazuj”: widzi je tylko gospodarz.',
  unseen: 'Z tego filmu nic jeszcze nie widać. Prosimy najpierw go obejrzeć, a potem pokazać.',
  byHost: 'Gospodarz może go obejrzeć; „Nie pokazuj” zostawia to jemu.',
  undo: 'Cofnij',
  showAll: (count) => formFor(count, { one: 'Pokaż jedno', other: 'Pokaż wszystkie #' }),
  showAllTitle: (count) =>
    formFor(count, { one: 'Pokazać to zdjęcie?', few: 'Pokazać wszystkie # zdjęcia?', other: 'Pokazać wszystkie # zdjęć?' }),
  showAllText: 'Zdjęcia będą od razu widoczne dla gości i w pokazie slajdów. Pojedyncze można potem znowu ukryć w galerii.',
  done: 'Wszystko rozstrzygnięte',
  doneText: 'Nowe zdjęcia pojawią się tutaj same.',
  from: (name, at) => (name ? `${name}, ${moment(at)}` : moment(at)),
  failed: 'Nie można teraz otworzyć strony zatwierdzania',
  notSent: (count) =>
    formFor(count, {
      one: '# decyzja nie dotarła; zdjęcie znowu czeka.',
      few: '# decyzje nie dotarły; zdjęcia znowu czekają.',
      other: '# decyzji nie dotarło; zdjęcia znowu czekają.',
    }),
  elsewhere: (count) =>
    formFor(count, {
      one: 'O # zdjęciu zdecydował tymczasem ktoś inny.',
      other: 'O # zdjęciach zdecydował tymczasem ktoś inny.',
    }),
  sending: 'Przesyłanie decyzji …',
  loading: 'Wczytywanie kolejnych zdjęć …',
  noAccess: 'Do tej strony potrzebny jest link',
  noAccessText: 'Prosimy jeszcze raz otworzyć link od gospodarza; być może gospodarz go zakończył. Gospodarze logują się tutaj.',
  login: 'Zaloguj się jako gospodarz (po niemiecku)',
  linkPart: {
    label: 'Link lub kod',
    go: 'Dalej',
    mistake: 'Nie ma tu ani całego linku, ani jego kodu.',
  },
} satisfies ReleaseTexts;
