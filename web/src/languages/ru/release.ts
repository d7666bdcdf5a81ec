import { formatInstant, formatNumber, formFor } from '../../lib/format.ts';
import type { ReleaseTexts } from '../../texts/guest/release.ts';

export const release = {
  title: 'Одобрение фотографий',
  waiting: (count) => formFor(count, { one: 'Ждёт # фотография', few: 'Ждут # фотографии', other: 'Ждут # фотографий' }),
  show: 'Показать',
  hide: 'Не показывать',
  meaning: '«Показать»: фотографию увидят все гости и зрители слайд-шоу. «Не показывать»: её видит только хозяин праздника.',
  undo: 'Вернуть',
  showAll: (count) => (count === 1 ? 'Показать одну' : `Показать все (${formatNumber(count)})`),
  showAllTitle: (count) => (count === 1 ? 'Показать эту фотографию?' : `Показать все фотографии (${formatNumber(count)})?`),
  showAllText: 'Гости увидят их сразу, слайд-шоу тоже сразу покажет их. Отдельные фотографии потом можно снова скрыть в галерее.',
  done: 'По всем фотографиям решено',
  doneText: 'Новые фотографии появятся здесь сами.',
  from: (name, at) => (name ? `${name}, ${formatInstant(at)}` : formatInstant(at)),
  failed: 'Страница одобрения сейчас не открывается',
  notSent: (count) =>
    count === 1 ? 'Одно решение не дошло; фотография снова ждёт.' : `Не дошло решений: ${formatNumber(count)}; эти фотографии снова ждут.`,
  elsewhere: (count) =>
    formFor(count, {
      one: 'О # фотографии тем временем решил кто-то другой.',
      other: 'О # фотографиях тем временем решил кто-то другой.',
    }),
  sending: 'Решения передаются …',
  loading: 'Загружаются ещё фотографии …',
  noAccess: 'Для этой страницы нужна ссылка',
  noAccessText: 'Пожалуйста, откройте ещё раз ссылку от хозяина праздника; возможно, он её закрыл. Хозяева праздника входят здесь.',
  login: 'Войти как хозяин праздника (на немецком)',
  linkPart: {
    label: 'Ссылка или код',
    go: 'Далее',
    mistake: 'Здесь нет ни ссылки целиком, ни её кода.',
  },
} satisfies ReleaseTexts;
