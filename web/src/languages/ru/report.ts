import { formatInstant } from '../../lib/format.ts';
import type { ReportTexts } from '../../texts/guest/report.ts';
import type { VideoTexts } from '../../texts/guest/video.ts';

export const report = {
  arrived: 'Ваше сообщение получено.',
  arrivedText: (at) => `Получено ${formatInstant(at)}. Мы проверим его и ответим, если указан адрес электронной почты.`,
  event: 'Праздник',
  eventHint: 'Код или название праздника',
  which: 'Какая фотография?',
  whichHint: 'Что на ней видно, от кого и когда примерно она пришла',
  byNumber: 'По этому номеру мы её узнаем.',
  why: 'Почему её нужно удалить?',
  name: 'Имя (необязательно)',
  email: 'Адрес электронной почты (необязательно)',
  emailHint: 'Для нашего ответа',
  truth: 'Отправляя сообщение, вы подтверждаете, что, насколько вам известно, сведения верны.',
  send: 'Отправить сообщение',
} satisfies ReportTexts;

export const video = {
  broken: 'Соединение прервано. Видео продолжится само.',
  unplayable: 'Это устройство не может воспроизвести видео',
} satisfies VideoTexts;
