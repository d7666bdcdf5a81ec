import { formatInstant } from '../../lib/format.ts';
import type { ReportTexts } from '../../texts/guest/report.ts';
import type { VideoTexts } from '../../texts/guest/video.ts';

export const report = {
  arrived: 'Bildiriminiz ulaştı.',
  arrivedText: (at) =>
    `Alınma zamanı: ${formatInstant(at)}. Bildiriminizi inceleyeceğiz ve bir e‑posta adresi verdiyseniz size yanıt vereceğiz.`,
  event: 'Etkinlik',
  eventHint: 'Kutlamanın kodu veya adı',
  which: 'Hangi fotoğraf?',
  whichHint: 'Fotoğrafta ne göründüğü, kimin ve yaklaşık ne zaman gönderdiği',
  byNumber: 'Fotoğrafı bu numaradan tanırız.',
  why: 'Neden kaldırılmalı?',
  name: 'Ad (isteğe bağlı)',
  email: 'E‑posta adresi (isteğe bağlı)',
  emailHint: 'Yanıtımız için',
  truth: 'Göndererek, verdiğiniz bilgilerin bildiğiniz kadarıyla doğru olduğunu onaylarsınız.',
  send: 'Bildirimi gönder',
} satisfies ReportTexts;

export const video = {
  broken: 'Bağlantı kesildi. Video kendiliğinden devam eder.',
  unplayable: 'Bu cihaz videoyu oynatamıyor',
} satisfies VideoTexts;
