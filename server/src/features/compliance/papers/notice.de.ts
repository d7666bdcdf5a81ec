import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { contactLine, operatorLine, type PaperText } from './paper.ts';

export const de: PaperText = (known) => [
  {
    title: 'Hier werden Fotos gesammelt',
    lines: [
      [
        'Gäste laden ihre Fotos hoch, damit der Gastgeber sie als Andenken erhält; das ist freiwillig.',
        'Art. 13 Abs. 1 lit. c, Abs. 2 lit. e DSGVO',
        'business',
      ],
      [
        'Grundlage ist das berechtigte Interesse des Gastgebers, Fotos seiner Feier zu sammeln (Art. 6 Abs. 1 lit. f DSGVO).',
        'Art. 13 Abs. 1 lit. c und d DSGVO',
        'business',
      ],
      [
        'Die Fotos erhält der Gastgeber. Wer sie sonst noch sehen kann, steht auf der Upload-Seite, bevor ein Foto gesendet wird.',
        'Art. 13 Abs. 1 lit. e DSGVO',
        'business',
      ],
      [`Gelöscht wird alles spätestens ${PHOTOS_KEPT_DAYS} Tage nach dem Fest.`, 'Art. 13 Abs. 2 lit. a DSGVO', 'cleaning'],
      ['Die Fotos liegen verschlüsselt auf dem Server.', 'Art. 32 Abs. 1 lit. a DSGVO', 'sealing', 'https'],
      ['Die Fotos bleiben im Europäischen Wirtschaftsraum.', 'Art. 13 Abs. 1 lit. f DSGVO', 'eea', 'processors'],
      [
        'Sie möchten auf keinem Foto zu sehen sein oder eines löschen lassen? Sagen Sie es dem Gastgeber oder melden Sie es über die Adresse im QR-Code.',
        'Art. 13 Abs. 2 lit. b DSGVO',
        'business',
      ],
      [
        'Sie haben das Recht auf Auskunft, Berichtigung, Löschung, Einschränkung, Übertragbarkeit und Widerspruch (Art. 15 bis 21 DSGVO) und auf Beschwerde bei einer Aufsichtsbehörde (Art. 77 DSGVO).',
        'Art. 13 Abs. 2 lit. b und d DSGVO',
        'business',
      ],
      [`Den Dienst betreibt ${operatorLine(known)}, ${contactLine(known)}.`, 'Art. 13 Abs. 1 lit. a DSGVO', 'business'],
      ...(known.business.privacy.dpo
        ? [[`Datenschutzbeauftragte Person: ${known.business.privacy.dpo}.`, 'Art. 13 Abs. 1 lit. b DSGVO', 'business'] as const]
        : []),
    ],
  },
];
