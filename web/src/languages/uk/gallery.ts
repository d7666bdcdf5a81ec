import { formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { GalleryTexts } from '../../texts/guest/gallery.ts';

export const gallery = {
  grid: {
    label: 'Фотографії, рух клавішами зі стрілками',
    loading: 'Фотографії завантажуються',
    scale: 'Шкала часу',
    hour: (hour) => `${hour}:00`,
  },
  viewerFails: {
    title: 'Не вдалося відкрити фотографію',
    text: 'Будь ласка, перевірте мережу та спробуйте ще раз.',
    back: 'До галереї',
  },
  viewer: {
    Previous: 'Попередня фотографія',
    Next: 'Наступна фотографія',
    Close: 'Закрити',
    'Zoom in': 'Збільшити',
    'Zoom out': 'Зменшити',
    Lightbox: 'Фотографія',
    'Photo gallery': 'Фотографії',
    '{index} of {total}': '{index} із {total}',
  },
  gallery: {
    title: 'Фотографії всіх гостей',
    closed: 'Ще трохи терпіння',
    closedUntil: (opens) => `Від цього часу всі побачать тут усе: ${formatInstant(opens)}.`,
    closedOpen: 'Щойно господар свята покаже фотографії гостям, усі побачать тут усе.',
    counted: (count) =>
      formFor(count, { one: 'Уже чекає # фотографія.', few: 'Уже чекають # фотографії.', other: 'Уже чекають # фотографій.' }),
    noAccess: 'Для цієї галереї потрібне посилання',
    noAccessText:
      'Будь ласка, відкрийте ще раз посилання або QR-код від господаря свята; попередні, можливо, більше не діють. Галерею відкриває також код на картках і на екрані.',
    failed: 'Галерея зараз не відкривається',
    againByItself: 'Сторінка сама спробує ще раз.',
    send: 'Надіслати свої фотографії',
    toEvent: 'До події',
    empty: 'Фотографій поки немає',
    emptyText: 'Те, що можна бачити всім, з’явиться тут саме.',
    show: 'Показати',
    all: (count) => `Усі (${formatNumber(count)})`,
    own: (count) => `Мої (${formatNumber(count)})`,
    loved: (count) => `♥ Мої улюблені (${formatNumber(count)})`,
    days: 'Дні',
    guests: 'Гості',
    unnamed: 'без імені',
    sort: 'Порядок',
    newest: 'Спочатку нові',
    oldest: 'Спочатку старі',
    loading: (loaded, total) => `Фотографії завантажуються: ${formatNumber(loaded)} із ${formatNumber(total)}`,
    report: 'Повідомити',
    reportTitle: 'Повідомити про фотографію',
    notSent: 'Сердечко не дійшло. Будь ласка, натисніть на нього ще раз.',
  },
} satisfies GalleryTexts;
