import { BACKUPS_KEPT_DAYS, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { servicesOf } from '../checks.ts';
import type { Known } from '../facts.ts';
import { isOwnServer, KEPT_AFTER, type Line, type PaperSection } from './paper.ts';

/** The clauses, in the Commission's order and in words of our own. */
export function clauses(known: Known): PaperSection[] {
  const { form, business } = known;
  const { email } = business.contact;
  const days = form.objectionDays ?? '…';
  const hours = form.breachHours ?? '…';
  return [
    {
      title: 'Klausel 1 Zweck und Anwendungsbereich',
      lines: [
        [
          `Diese Vereinbarung regelt, wie ${business.identity.brand} (Auftragsverarbeiter) personenbezogene Daten im Auftrag des Kunden (Verantwortlicher) verarbeitet, wenn dieser Fotos und Videos seiner Veranstaltung über Feierbild sammelt.`,
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        [
          'Sie gilt für die in Anhang II beschriebene Verarbeitung. Die Anhänge I bis IV sind ihr Bestandteil.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        ['Die eigenen Pflichten des Verantwortlichen nach der DSGVO bleiben unberührt.', 'Art. 24 Abs. 1 DSGVO', 'business'],
        [
          'Aufbau und Reihenfolge entsprechen den Standardvertragsklauseln der Kommission, Durchführungsbeschluss (EU) 2021/915. Der Wortlaut ist ein eigener; diese Klauseln selbst sind damit nicht vereinbart.',
          'Art. 28 Abs. 6 und 7 DSGVO',
          'business',
        ],
      ],
    },
    {
      title: 'Klausel 2 Änderungen',
      lines: [
        [
          'Der Vertrag und seine Änderungen werden schriftlich oder in einem elektronischen Format geschlossen.',
          'Art. 28 Abs. 9 DSGVO',
          'business',
        ],
      ],
    },
    {
      title: 'Klausel 3 Auslegung',
      lines: [['Begriffe haben die Bedeutung, die ihnen die DSGVO gibt.', 'Art. 4 DSGVO', 'business']],
    },
    {
      title: 'Klausel 4 Vorrang',
      lines: [
        [
          'Widerspricht diese Vereinbarung anderen Abreden der Parteien über dieselbe Verarbeitung, geht sie ihnen vor.',
          'Klausel 4 (EU) 2021/915',
          'business',
        ],
      ],
    },
    {
      title: 'Klausel 5 Beitritt Dritter',
      lines: [
        [
          'Weitere Parteien treten dieser Vereinbarung nicht bei; für sie wird eine eigene geschlossen.',
          'Klausel 5 (EU) 2021/915, fakultativ',
          'business',
        ],
      ],
    },
    {
      title: 'Klausel 6 Beschreibung der Verarbeitung',
      lines: [
        [
          'Gegenstand, Dauer, Art und Zweck der Verarbeitung, die Art der Daten und die Kategorien betroffener Personen stehen in Anhang II.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
      ],
    },
    {
      title: 'Klausel 7.1 Weisungen',
      lines: [
        [
          'Der Auftragsverarbeiter verarbeitet die Daten nur auf dokumentierte Weisung des Verantwortlichen, auch bei einer Übermittlung in ein Drittland, es sei denn, das Recht der Union oder eines Mitgliedstaats verpflichtet ihn dazu; das teilt er vorher mit, soweit dieses Recht es nicht wegen eines wichtigen öffentlichen Interesses verbietet.',
          'Art. 28 Abs. 3 Satz 2 lit. a DSGVO',
          'contact',
        ],
        [
          `Weisungen erteilt der Verantwortliche durch die Einstellungen seines Events und in Textform an ${email}; Ansprechperson ist ${form.contact ?? '…'}. Wer wann was eingestellt hat, steht im Protokoll der Verwaltung.`,
          'Art. 28 Abs. 3 Satz 2 lit. a DSGVO',
          'contact',
          'audit',
        ],
        [
          'Hält der Auftragsverarbeiter eine Weisung für rechtswidrig, sagt er das dem Verantwortlichen unverzüglich und darf sie aussetzen, bis dieser sie bestätigt oder ändert.',
          'Art. 28 Abs. 3 Satz 3 DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 7.2 Zweckbindung',
      lines: [
        [
          'Der Auftragsverarbeiter verarbeitet die Daten nur zu den Zwecken in Anhang II, nicht zu eigenen; davon ausgenommen sind allein die Nachweise, die Klausel 10 nennt.',
          'Art. 28 Abs. 3 Satz 2 lit. a, Art. 5 Abs. 1 lit. b DSGVO',
          'business',
        ],
        [
          'Kopien der Daten erstellt er ohne Wissen des Verantwortlichen nicht; ausgenommen sind Sicherungen.',
          'Art. 28 Abs. 3 Satz 2 lit. a DSGVO',
          'contact',
        ],
        ['Er erkennt auf den Fotos keine Gesichter und bildet keine Profile.', 'Art. 5 Abs. 1 lit. b und c DSGVO', 'analysis'],
      ],
    },
    {
      title: 'Klausel 7.3 Dauer der Verarbeitung',
      lines: [
        [
          `Die Verarbeitung dauert, bis der Verantwortliche oder die hochladende Person die Fotos löscht, längstens bis zum Ablauf des ${PHOTOS_KEPT_DAYS}. Tages nach dem Event; der nächste stündliche Lauf löscht sie dann.`,
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'cleaning',
        ],
      ],
    },
    {
      title: 'Klausel 7.4 Sicherheit der Verarbeitung',
      lines: [
        [
          'Der Auftragsverarbeiter trifft mindestens die Maßnahmen in Anhang III. Sie schützen die Daten davor, unbeabsichtigt oder unrechtmäßig vernichtet, verloren, verändert, offengelegt oder Unbefugten zugänglich zu werden.',
          'Art. 28 Abs. 3 Satz 2 lit. c, Art. 32 DSGVO; Klausel 7.4 lit. a (EU) 2021/915',
          'business',
        ],
        [
          'Das Schutzniveau bemisst sich nach dem Stand der Technik, den Kosten, nach Art, Umfang, Umständen und Zwecken der Verarbeitung und nach den Risiken für die Abgebildeten.',
          'Art. 32 Abs. 1 und 2 DSGVO; Klausel 7.4 lit. a (EU) 2021/915',
          'business',
        ],
        [
          'Das schwerste Risiko ist, dass Unbefugte Fotos sehen. Dagegen ist jedes mit einem eigenen Schlüssel verschlüsselt (Anhang III, Abschnitte 1 bis 3).',
          'Art. 32 Abs. 2 DSGVO',
          'sealing',
          'keys',
        ],
        [
          'Gegen Verlust und Veränderung wird geprüft und gesichert (Anhang III, Abschnitte 4 und 5).',
          'Art. 32 Abs. 2 DSGVO',
          'backup',
          'look',
        ],
        ['Gegen zu langes Aufbewahren wird von selbst gelöscht (Anhang III, Abschnitt 6).', 'Art. 32 Abs. 2 DSGVO', 'cleaning', 'receipts'],
        [
          'Zugang zu den Daten haben beim Auftragsverarbeiter nur Personen, die ihn zur Erfüllung des Vertrags brauchen und zur Vertraulichkeit verpflichtet sind, auch über das Ende ihrer Tätigkeit hinaus.',
          'Art. 28 Abs. 3 Satz 2 lit. b, Art. 29 DSGVO',
          'confidentiality',
        ],
        [
          'Er darf Maßnahmen ändern, wenn das Schutzniveau nicht sinkt; wesentliche Änderungen teilt er dem Verantwortlichen vorher mit.',
          'Art. 28 Abs. 3 Satz 2 lit. c, Art. 32 Abs. 1 lit. d DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 7.5 Sensible Daten',
      lines: [
        [
          'Besondere Kategorien personenbezogener Daten sind nicht Gegenstand des Auftrags. Zeigen einzelne Fotos sie, sind sie wie alle Fotos verschlüsselt, jedes mit einem eigenen Schlüssel, und werden nicht ausgewertet.',
          'Art. 9 Abs. 1, Art. 32 Abs. 1 lit. a DSGVO',
          'sealing',
          'analysis',
        ],
      ],
    },
    {
      title: 'Klausel 7.6 Dokumentation und Nachweis',
      lines: [
        [
          'Jede Partei kann nachweisen, dass sie diese Vereinbarung einhält. Der Auftragsverarbeiter beantwortet Fragen des Verantwortlichen zu dieser Verarbeitung umgehend und angemessen.',
          'Art. 5 Abs. 2, Art. 28 Abs. 3 Satz 2 lit. h DSGVO; Klausel 7.6 lit. a und b (EU) 2021/915',
          'contact',
        ],
        [
          'Er stellt alle Informationen bereit, die zum Nachweis seiner Pflichten nötig sind. Auf Verlangen ermöglicht er Prüfungen der Verarbeitung in angemessenen Abständen und wann immer etwas auf einen Verstoß hindeutet, und trägt dazu bei; einschlägige Zertifizierungen kann der Verantwortliche berücksichtigen.',
          'Art. 28 Abs. 3 Satz 2 lit. h DSGVO; Klausel 7.6 lit. c (EU) 2021/915',
          'contact',
        ],
        [
          'Der Verantwortliche prüft selbst oder durch einen unabhängigen Prüfer, auch in den Räumen des Auftragsverarbeiters. Prüfungen kündigt er angemessen vorher an, soweit das ihren Zweck nicht vereitelt.',
          'Art. 28 Abs. 3 Satz 2 lit. h DSGVO; Klausel 7.6 lit. d (EU) 2021/915',
          'contact',
        ],
        [
          'Über jede Löschung eines Events stellt der Auftragsverarbeiter ein unterschriebenes Löschprotokoll aus, das sich ohne ihn prüfen lässt.',
          'Art. 5 Abs. 2 DSGVO',
          'receipts',
        ],
        [
          'Der Auftragsverarbeiter führt ein Verzeichnis dieser Verarbeitungen und gibt dem Verantwortlichen die Angaben, die er für seines braucht.',
          'Art. 30 Abs. 1 und 2 DSGVO',
          'contact',
        ],
        [
          'Prüft oder ermittelt eine Behörde zu dieser Verarbeitung, oder gefährden Pfändung, Beschlagnahme oder Insolvenz die Daten, unterrichtet er den Verantwortlichen unverzüglich, soweit ihm das nicht verboten ist.',
          'Art. 28 Abs. 3 Satz 2 lit. h, Art. 31 DSGVO',
          'contact',
        ],
        [
          'Der Aufsichtsbehörde stellen beide diese Angaben und die Ergebnisse von Prüfungen auf Anfrage zur Verfügung.',
          'Art. 31, Art. 58 Abs. 1 lit. a DSGVO; Klausel 7.6 lit. e (EU) 2021/915',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 7.7 Unterauftragsverarbeiter',
      lines: [
        ['Der Verantwortliche genehmigt die in Anhang IV genannten Unterauftragsverarbeiter.', 'Art. 28 Abs. 2 Satz 1 DSGVO', 'processors'],
        [
          `Kommt einer hinzu oder wird einer ersetzt, unterrichtet der Auftragsverarbeiter den Verantwortlichen mindestens ${days} Tage vorher in Textform und mit den Angaben, die dieser braucht, um Einspruch erheben zu können.`,
          'Art. 28 Abs. 2 Satz 2 DSGVO',
          'objection',
        ],
        [
          'Der Auftragsverarbeiter erlegt jedem von ihnen vertraglich im Wesentlichen dieselben Pflichten auf und haftet dem Verantwortlichen in vollem Umfang, wenn einer sie nicht erfüllt; das teilt er ihm auch mit. Auf Verlangen legt er den Vertrag und dessen Änderungen vor; Geschäftsgeheimnisse darf er schwärzen.',
          'Art. 28 Abs. 4 DSGVO; Klausel 7.7 lit. b bis d (EU) 2021/915',
          'contracts',
        ],
        ...(isOwnServer(known) && servicesOf(known).length === 0
          ? []
          : [
              [
                'In diesen Verträgen ist vereinbart: Besteht der Auftragsverarbeiter faktisch oder rechtlich nicht mehr oder ist er zahlungsunfähig, kann der Verantwortliche den Vertrag mit dem Unterauftragsverarbeiter kündigen und ihn anweisen, die Daten zu löschen oder zurückzugeben.',
                'Klausel 7.7 lit. e (EU) 2021/915',
                'beneficiary',
              ] satisfies Line,
            ]),
      ],
    },
    {
      title: 'Klausel 7.8 Internationale Datenübermittlungen',
      lines: [
        ['Die Fotos werden nur in Staaten des Europäischen Wirtschaftsraums verarbeitet.', 'Art. 44 DSGVO', 'eea', 'processors'],
        [
          'In ein Drittland oder an eine internationale Organisation übermittelt der Auftragsverarbeiter Daten nur auf dokumentierte Weisung, oder wo ihn das Recht der Union oder eines Mitgliedstaats dazu verpflichtet, und stets nach Kapitel V der DSGVO.',
          'Art. 28 Abs. 3 Satz 2 lit. a, Art. 44 DSGVO; Klausel 7.8 lit. a (EU) 2021/915',
          'contact',
        ],
        [
          'Gehört zur Leistung eines nach Klausel 7.7 eingesetzten Unterauftragsverarbeiters eine solche Übermittlung, dürfen beide Kapitel V durch Standardvertragsklauseln der Kommission einhalten, sofern deren Voraussetzungen vorliegen.',
          'Art. 46 Abs. 2 lit. c DSGVO; Klausel 7.8 lit. b (EU) 2021/915',
          'contracts',
          'processors',
        ],
      ],
    },
    {
      title: 'Klausel 8 Unterstützung des Verantwortlichen',
      lines: [
        [
          'Wendet sich eine betroffene Person an den Auftragsverarbeiter, leitet er das unverzüglich weiter und antwortet selbst nur, wenn er dazu ermächtigt ist. Dabei befolgt er die Weisungen des Verantwortlichen.',
          'Art. 28 Abs. 3 Satz 2 lit. e DSGVO',
          'contact',
        ],
        [
          'Er unterstützt den Verantwortlichen mit geeigneten Mitteln bei Anträgen nach Kapitel III: Gäste sehen, laden und löschen ihre eigenen Fotos selbst; einzelne Fotos findet und löscht er nach ihrer Kennung, ohne sie anzusehen.',
          'Art. 28 Abs. 3 Satz 2 lit. e DSGVO',
          'contact',
          'audit',
        ],
        [
          'Stellt er fest, dass Daten unrichtig oder veraltet sind, sagt er das dem Verantwortlichen unverzüglich.',
          'Art. 5 Abs. 1 lit. d DSGVO; Klausel 8 lit. c Nr. 3 (EU) 2021/915',
          'contact',
        ],
        [
          'Er unterstützt ihn bei Sicherheit, Meldung von Verletzungen, Datenschutz-Folgenabschätzung und vorheriger Konsultation mit den Angaben, die ihm zur Verfügung stehen.',
          'Art. 28 Abs. 3 Satz 2 lit. f, Art. 32 bis 36 DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 9 Meldung von Verletzungen',
      lines: [
        [
          `Eine Verletzung des Schutzes der Daten meldet der Auftragsverarbeiter dem Verantwortlichen unverzüglich, spätestens ${hours} Stunden, nachdem sie ihm bekannt wurde. Rückfragen: ${form.breachPhone ?? '…'}.`,
          'Art. 33 Abs. 2 DSGVO',
          'breach',
        ],
        [
          'Die Meldung nennt Art der Verletzung, ungefähre Zahl von Personen und Datensätzen, Anlaufstelle, wahrscheinliche Folgen und Gegenmaßnahmen; was noch fehlt, folgt ohne weitere Verzögerung.',
          'Art. 33 Abs. 3 und 4 DSGVO',
          'breach',
        ],
        [
          'Bei Verletzungen aufseiten des Verantwortlichen hilft der Auftragsverarbeiter mit den Angaben, die dieser für seine Meldung an die Aufsichtsbehörde und die Benachrichtigung der betroffenen Personen braucht.',
          'Art. 28 Abs. 3 Satz 2 lit. f, Art. 33 und 34 DSGVO; Klausel 9.1 (EU) 2021/915',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 10 Verstöße und Ende des Vertrags',
      lines: [
        [
          'Verstößt der Auftragsverarbeiter gegen diese Vereinbarung, kann der Verantwortliche ihn anweisen, die Verarbeitung auszusetzen, bis sie eingehalten wird oder der Vertrag endet. Kann der Auftragsverarbeiter sie nicht einhalten, sagt er das unverzüglich.',
          'Art. 28 Abs. 3 Satz 2 lit. a DSGVO; Klausel 10 lit. a (EU) 2021/915',
          'contact',
        ],
        [
          'Der Verantwortliche kann den Vertrag kündigen, soweit er die Verarbeitung betrifft: wenn die Vereinbarung nach einer Aussetzung nicht in angemessener Frist, spätestens nach einem Monat, wieder eingehalten wird; bei erheblichem oder anhaltendem Verstoß gegen sie oder die DSGVO; wenn der Auftragsverarbeiter eine bindende Entscheidung eines Gerichts oder einer Aufsichtsbehörde dazu nicht befolgt.',
          'Art. 28 Abs. 1 DSGVO; Klausel 10 lit. b (EU) 2021/915',
          'contact',
        ],
        [
          'Der Auftragsverarbeiter kann den Vertrag insoweit kündigen, wenn der Verantwortliche auf einer Weisung besteht, obwohl er ihm nach Klausel 7.1 gesagt hat, dass sie rechtswidrig ist.',
          'Art. 28 Abs. 3 Satz 3 DSGVO; Klausel 10 lit. c (EU) 2021/915',
          'contact',
        ],
        [
          'Nach dem Ende des Vertrags hat der Verantwortliche die Wahl: Entweder löscht der Auftragsverarbeiter alle Fotos sofort, oder der Verantwortliche lädt vorher alle Originale als ZIP herunter (Rückgabe), und danach werden sie gelöscht. Wählt er nicht, wird nach Klausel 7.3 gelöscht.',
          'Art. 28 Abs. 3 Satz 2 lit. g DSGVO; Klausel 10 lit. d (EU) 2021/915',
          'contact',
          'cleaning',
        ],
        [
          'Mit der Löschung werden auch die Schlüssel vernichtet; das Löschprotokoll bescheinigt sie. Bis dahin gilt diese Vereinbarung weiter.',
          'Art. 28 Abs. 3 Satz 2 lit. g DSGVO; Klausel 10 lit. d (EU) 2021/915',
          'cleaning',
          'receipts',
        ],
        [
          `${KEPT_AFTER} Das bewahrt der Auftragsverarbeiter in eigener Verantwortung zum Nachweis auf, nicht mehr im Auftrag.`,
          'Art. 5 Abs. 2, Art. 6 Abs. 1 lit. c DSGVO',
          'cleaning',
          'audit',
        ],
        [
          `Sicherungen enthalten danach höchstens ${BACKUPS_KEPT_DAYS} Tage lang noch, was gelöscht ist.`,
          'Art. 28 Abs. 3 Satz 2 lit. g DSGVO',
          'old-backups',
          'versions',
        ],
      ],
    },
  ];
}
