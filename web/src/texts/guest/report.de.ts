import { formatInstant } from '../../lib/format.ts';

/** The German texts of the form that reports a photo. */
export const reportDe = {
  arrived: 'Die Meldung ist angekommen.',
  arrivedText: (at: string) =>
    `Eingegangen am ${formatInstant(at)}. Wir prüfen sie und melden uns, wenn eine E\u2011Mail-Adresse dabei ist.`,
  event: 'Event',
  eventHint: 'Der Code oder der Name des Festes',
  which: 'Welches Foto?',
  whichHint: 'Was darauf zu sehen ist, von wem und wann es etwa kam',
  byNumber: 'An dieser Nummer erkennen wir es.',
  why: 'Warum soll es entfernt werden?',
  name: 'Name (freiwillig)',
  email: 'E\u2011Mail-Adresse (freiwillig)',
  emailHint: 'Für unsere Antwort',
  truth: 'Mit dem Absenden wird versichert, dass die Angaben nach bestem Wissen stimmen.',
  send: 'Meldung absenden',
};
