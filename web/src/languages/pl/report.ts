import type { ReportTexts } from '../../texts/guest/report.ts';
import type { VideoTexts } from '../../texts/guest/video.ts';
import { moment } from './shell.ts';

export const report = {
  arrived: 'Zgłoszenie dotarło.',
  arrivedText: (at) => `Otrzymano ${moment(at)}. Sprawdzimy je i odpowiemy, jeśli podano adres e‑mail.`,
  event: 'Wydarzenie',
  eventHint: 'Kod lub nazwa wydarzenia',
  which: 'Które zdjęcie?',
  whichHint: 'Co na nim widać, od kogo jest i mniej więcej kiedy dotarło',
  byNumber: 'Po tym numerze je rozpoznamy.',
  why: 'Dlaczego ma zostać usunięte?',
  name: 'Imię i nazwisko (nieobowiązkowo)',
  email: 'Adres e‑mail (nieobowiązkowo)',
  emailHint: 'Abyśmy mogli odpowiedzieć',
  truth: 'Wysyłając zgłoszenie, zapewniają Państwo, że podane informacje są zgodne z Państwa najlepszą wiedzą.',
  send: 'Wyślij zgłoszenie',
} satisfies ReportTexts;

export const video = {
  broken: 'Połączenie zostało przerwane. Film sam odtworzy się dalej.',
  unplayable: 'To urządzenie nie może odtworzyć filmu',
} satisfies VideoTexts;
