import { formatNumber, formFor } from '../../lib/format.ts';
import type { GalleryTexts } from '../../texts/guest/gallery.ts';
import { moment } from './shell.ts';

export const gallery = {
  grid: {
    label: 'Zdjęcia, dostępne klawiszami strzałek',
    loading: 'Wczytywanie zdjęć',
    scale: 'Oś czasu',
    hour: (hour) => `${hour}:00`,
  },
  viewerFails: {
    title: 'Nie udało się otworzyć zdjęcia',
    text: 'Prosimy sprawdzić sieć i spróbować ponownie.',
    back: 'Do galerii',
  },
  viewer: {
    Previous: 'Poprzednie zdjęcie',
    Next: 'Następne zdjęcie',
    Close: 'Zamknij',
    'Zoom in': 'Powiększ',
    'Zoom out': 'Pomniejsz',
    Lightbox: 'Zdjęcie',
    'Photo gallery': 'Zdjęcia',
    '{index} of {total}': '{index} z {total}',
  },
  gallery: {
    title: 'Zdjęcia wszystkich gości',
    closed: 'Jeszcze chwila cierpliwości',
    closedUntil: (opens) => `Od ${moment(opens)} wszyscy zobaczą tu wszystko.`,
    closedOpen: 'Gdy gospodarz odsłoni zdjęcia, wszyscy zobaczą tu wszystko.',
    counted: (count) => formFor(count, { one: '# zdjęcie już czeka.', few: '# zdjęcia już czekają.', other: '# zdjęć już czeka.' }),
    noAccess: 'Do tej galerii potrzebny jest link',
    noAccessText:
      'Prosimy jeszcze raz otworzyć link lub kod QR od gospodarza; starszy może już nie działać. Galerię otwiera też kod na kartach i na ekranie.',
    failed: 'Nie można teraz otworzyć galerii',
    againByItself: 'Strona sama spróbuje ponownie.',
    send: 'Prześlij własne zdjęcia',
    toEvent: 'Do wydarzenia',
    empty: 'Nie ma jeszcze zdjęć',
    emptyText: 'To, co mogą widzieć wszyscy, pojawi się tutaj samo.',
    show: 'Pokaż',
    all: (count) => `Wszystkie (${formatNumber(count)})`,
    own: (count) => `Moje (${formatNumber(count)})`,
    loved: (count) => `♥ Moje ulubione (${formatNumber(count)})`,
    days: 'Dni',
    guests: 'Goście',
    unnamed: 'bez imienia',
    sort: 'Kolejność',
    newest: 'Od najnowszych',
    oldest: 'Od najstarszych',
    loading: (loaded, total) => `Wczytywanie zdjęć: ${formatNumber(loaded)} z ${formatNumber(total)}`,
    report: 'Zgłoś',
    reportTitle: 'Zgłoś zdjęcie',
    notSent: 'Serduszko nie dotarło. Prosimy dotknąć go jeszcze raz.',
  },
} satisfies GalleryTexts;
