import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { Known } from '../facts.ts';
import { operatorLine, type Line, type PaperSection } from './paper.ts';

const WP248 = 'Art. 35 Abs. 1 und 3 DSGVO; WP 248 rev. 01, Abschnitt III.B';

/** Whether an assessment by Art. 35 is needed: what the system can say to each of the nine criteria; the judgement is the operator's. */
export function threshold(known: Known): PaperSection[] {
  return [
    {
      title: '1. Verarbeitung',
      lines: [
        [
          `${operatorLine(known)} sammelt mit Feierbild ${known.release} Fotos von Veranstaltungen für deren Gastgeber.`,
          'Art. 35 Abs. 1 DSGVO',
          'business',
        ],
        [
          'Zwecke, Rechtsgrundlagen, Daten, Empfänger und Fristen stehen im Verzeichnis.',
          'Art. 30 Abs. 1, Art. 35 Abs. 1 DSGVO',
          'business',
        ],
        [`Die Fotos werden ${PHOTOS_KEPT_DAYS} Tage nach dem Event gelöscht.`, 'Art. 35 Abs. 1 DSGVO', 'cleaning'],
      ],
    },
    {
      title: '2. Kriterien',
      lines: [
        ['Bewerten oder Einstufen: nein. Es werden keine Profile gebildet.', WP248, 'analysis'],
        ['Automatisierte Entscheidung mit Rechtswirkung: nein.', 'Art. 35 Abs. 3 lit. a DSGVO', 'analysis'],
        [
          'Systematische Überwachung: nein. Fotos senden Gäste von sich aus; es gibt keine Kamera des Dienstes, die laufend aufnimmt.',
          'Art. 35 Abs. 3 lit. c DSGVO',
          'business',
        ],
        [
          'Vertrauliche oder höchst persönliche Daten: möglich, je nach Veranstaltung. Die Fotos sind verschlüsselt, jedes mit einem eigenen Schlüssel.',
          WP248,
          'sealing',
        ],
        [
          'Biometrische Daten zur Identifizierung: nein. Es gibt keine Suche nach Gesichtern.',
          'Art. 9 Abs. 1, Art. 35 Abs. 3 lit. b DSGVO',
          'analysis',
        ],
        [
          'Verarbeitung in großem Umfang: nein, bezogen auf die einzelne Veranstaltung; die Events sind durch eigene Schlüssel getrennt.',
          WP248,
          'sealing',
          'keys',
        ],
        [
          'Abgleichen oder Zusammenführen von Datensätzen: nein. Dasselbe Gerät ist in zwei Events nicht wiederzuerkennen.',
          WP248,
          'devices',
        ],
        [
          'Schutzbedürftige Personen: möglich. Bei Schulen und Kitas ist vorher zu klären, wer einwilligt.',
          `${WP248}; Art. 8 DSGVO`,
          'business',
        ],
        [
          'Neue Technik: nein. Verwendet werden Verschlüsselung und Bildverkleinerung nach dem Stand der Technik.',
          WP248,
          'sealing',
          'isolation',
        ],
        [
          'Hinderung an der Ausübung eines Rechts: nein. Ohne Hochladen bleibt die Teilnahme an der Feier unverändert möglich.',
          WP248,
          'business',
        ],
      ],
    },
    {
      title: '3. Ergebnis',
      lines: [
        [
          'Nach diesen Angaben treffen höchstens zwei Kriterien zu, abhängig von der Veranstaltung. Treffen zwei zu, ist eine Datenschutz-Folgenabschätzung in den meisten Fällen nötig, im Zweifel auch sonst (WP 248 rev. 01). Ob sie nötig ist, entscheidet der Verantwortliche; bei Schulen, Kitas und Einrichtungen der Pflege ist das gesondert zu prüfen.',
          'Art. 35 Abs. 1 und 2 DSGVO',
          'analysis',
          'sealing',
        ],
        [
          'Ändert sich die Verarbeitung oder ihr Risiko, ist neu zu prüfen. Auch das Ergebnis, dass keine nötig ist, gehört mit Gründen zu den Unterlagen.',
          'Art. 35 Abs. 11, Art. 5 Abs. 2 DSGVO',
          'business',
        ],
        ...(known.business.privacy.dpo
          ? [['Rat der datenschutzbeauftragten Person: ______________________________', 'Art. 35 Abs. 2 DSGVO', 'business'] satisfies Line]
          : []),
        [
          'Zu vergleichen ist die Liste der Aufsichtsbehörde über Verarbeitungen, für die sie immer nötig ist.',
          'Art. 35 Abs. 4 DSGVO',
          'business',
        ],
        [
          'Ergebnis des Verantwortlichen: ______________________________ Datum: ______________',
          'Art. 35 Abs. 1, Art. 5 Abs. 2 DSGVO',
          'business',
        ],
      ],
    },
  ];
}
