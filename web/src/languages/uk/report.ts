import { formatInstant } from '../../lib/format.ts';
import type { ReportTexts } from '../../texts/guest/report.ts';
import type { VideoTexts } from '../../texts/guest/video.ts';

export const report = {
  arrived: 'Ваше повідомлення отримано.',
  arrivedText: (at) => `Отримано ${formatInstant(at)}. Ми перевіримо його й відповімо, якщо вказано адресу електронної пошти.`,
  event: 'Подія',
  eventHint: 'Код або назва свята',
  which: 'Про яку фотографію йдеться?',
  whichHint: 'Що на ній видно, від кого і коли приблизно надійшла',
  byNumber: 'За цим номером ми її впізнаємо.',
  why: 'Чому її треба видалити?',
  name: 'Ім’я (необов’язково)',
  email: 'Адреса електронної пошти (необов’язково)',
  emailHint: 'Для нашої відповіді',
  truth: 'Надсилаючи повідомлення, ви підтверджуєте, що відомості правильні, наскільки вам відомо.',
  send: 'Надіслати повідомлення',
} satisfies ReportTexts;

export const video = {
  broken: 'З’єднання перервано. Відео продовжиться автоматично.',
  unplayable: 'Цей пристрій не може відтворити відео',
} satisfies VideoTexts;
