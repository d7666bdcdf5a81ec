import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { BACKUP_DAYS, servicesOf } from '../checks.ts';
import type { Known } from '../facts.ts';
import { contactLine, hostingLine, operatorLine, type Line, type PaperSection } from './paper.ts';
import { tom } from './tom.ts';

const BLANK = '______________________________';

/** The contract on processing, in the order of the Commission's standard contractual clauses (EU) 2021/915, in words of its own. */
export function avv(known: Known): PaperSection[] {
  return [...clauses(known), ...annexes(known)];
}

function clauses({ form, business }: Known): PaperSection[] {
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
          'Hält der Auftragsverarbeiter eine Weisung für rechtswidrig, sagt er das dem Verantwortlichen unverzüglich.',
          'Art. 28 Abs. 3 Satz 3 DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 7.2 Zweckbindung',
      lines: [
        [
          'Der Auftragsverarbeiter verarbeitet die Daten nur zu den Zwecken in Anhang II, nicht zu eigenen.',
          'Art. 28 Abs. 3 Satz 2 lit. a, Art. 5 Abs. 1 lit. b DSGVO',
          'business',
        ],
        ['Er erkennt auf den Fotos keine Gesichter und bildet keine Profile.', 'Art. 5 Abs. 1 lit. b und c DSGVO', 'analysis'],
      ],
    },
    {
      title: 'Klausel 7.3 Dauer der Verarbeitung',
      lines: [
        [
          `Die Verarbeitung dauert, bis der Verantwortliche oder die hochladende Person die Fotos löscht, spätestens bis zum Ablauf des ${PHOTOS_KEPT_DAYS}. Tages nach dem Event.`,
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'cleaning',
        ],
      ],
    },
    {
      title: 'Klausel 7.4 Sicherheit der Verarbeitung',
      lines: [
        [
          'Der Auftragsverarbeiter trifft mindestens die Maßnahmen in Anhang III.',
          'Art. 28 Abs. 3 Satz 2 lit. c, Art. 32 DSGVO',
          'business',
        ],
        [
          'Zugang zu den Daten haben bei ihm nur Personen, die ihn zur Erfüllung des Vertrags brauchen und zur Vertraulichkeit verpflichtet sind.',
          'Art. 28 Abs. 3 Satz 2 lit. b, Art. 29 DSGVO',
          'confidentiality',
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
          'Der Auftragsverarbeiter beantwortet Fragen des Verantwortlichen zu dieser Verarbeitung umgehend.',
          'Art. 28 Abs. 3 Satz 2 lit. h DSGVO',
          'contact',
        ],
        [
          'Er stellt alle Informationen bereit, die zum Nachweis der Pflichten nötig sind, und ermöglicht Überprüfungen, auch Inspektionen, durch den Verantwortlichen oder einen von ihm beauftragten Prüfer, und trägt dazu bei.',
          'Art. 28 Abs. 3 Satz 2 lit. h DSGVO',
          'contact',
        ],
        [
          'Über jede Löschung eines Events stellt er ein unterschriebenes Löschprotokoll aus, das sich ohne ihn prüfen lässt.',
          'Art. 5 Abs. 2 DSGVO',
          'receipts',
        ],
        ['Der Aufsichtsbehörde stellt er diese Angaben auf Anfrage zur Verfügung.', 'Art. 31, Art. 58 Abs. 1 lit. a DSGVO', 'contact'],
      ],
    },
    {
      title: 'Klausel 7.7 Unterauftragsverarbeiter',
      lines: [
        ['Der Verantwortliche genehmigt die in Anhang IV genannten Unterauftragsverarbeiter.', 'Art. 28 Abs. 2 Satz 1 DSGVO', 'processors'],
        [
          `Kommt einer hinzu oder wird einer ersetzt, unterrichtet der Auftragsverarbeiter den Verantwortlichen mindestens ${days} Tage vorher in Textform, sodass dieser Einspruch erheben kann.`,
          'Art. 28 Abs. 2 Satz 2 DSGVO',
          'objection',
        ],
        [
          'Der Auftragsverarbeiter erlegt jedem von ihnen vertraglich dieselben Pflichten auf und haftet dem Verantwortlichen, wenn einer sie nicht erfüllt. Auf Verlangen legt er den Vertrag vor, ohne Geschäftsgeheimnisse.',
          'Art. 28 Abs. 4 DSGVO',
          'contracts',
        ],
      ],
    },
    {
      title: 'Klausel 7.8 Internationale Datenübermittlungen',
      lines: [
        ['Die Fotos werden nur in Staaten des Europäischen Wirtschaftsraums verarbeitet.', 'Art. 44 DSGVO', 'eea', 'processors'],
        [
          'Eine Übermittlung in ein Drittland bedarf einer dokumentierten Weisung und der Voraussetzungen des Kapitels V.',
          'Art. 28 Abs. 3 Satz 2 lit. a, Art. 44 DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 8 Unterstützung des Verantwortlichen',
      lines: [
        [
          'Wendet sich eine betroffene Person an den Auftragsverarbeiter, leitet er das unverzüglich weiter und antwortet selbst nur, wenn er dazu ermächtigt ist.',
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
          'Bei Verletzungen aufseiten des Verantwortlichen hilft der Auftragsverarbeiter mit den Angaben, die dieser für seine Meldung braucht.',
          'Art. 28 Abs. 3 Satz 2 lit. f DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: 'Klausel 10 Verstöße und Ende des Vertrags',
      lines: [
        [
          'Verstößt der Auftragsverarbeiter gegen diese Vereinbarung, kann der Verantwortliche ihn anweisen, die Verarbeitung auszusetzen, bis sie eingehalten wird.',
          'Art. 28 Abs. 3 Satz 2 lit. a DSGVO; Klausel 10 lit. a (EU) 2021/915',
          'contact',
        ],
        [
          'Bei erheblichem oder anhaltendem Verstoß kann der Verantwortliche den Vertrag kündigen, soweit er die Verarbeitung betrifft.',
          'Art. 28 Abs. 1 DSGVO; Klausel 10 lit. b (EU) 2021/915',
          'contact',
        ],
        [
          'Nach dem Ende der Verarbeitung löscht der Auftragsverarbeiter alle Fotos, vernichtet ihre Schlüssel und bescheinigt das durch das Löschprotokoll. Bis dahin kann der Verantwortliche alles herunterladen.',
          'Art. 28 Abs. 3 Satz 2 lit. g DSGVO',
          'cleaning',
          'receipts',
        ],
        [
          `Sicherungen enthalten danach höchstens ${BACKUP_DAYS} Tage lang noch, was gelöscht ist.`,
          'Art. 28 Abs. 3 Satz 2 lit. g DSGVO',
          'backup',
          'versions',
        ],
      ],
    },
  ];
}

function annexes(known: Known): PaperSection[] {
  const { form, business } = known;
  const { dpo, hosting } = business.privacy;
  const own = hosting !== undefined && [business.identity.brand, business.identity.owner].includes(hosting.name);
  const processors: Line[] = servicesOf(known).map(({ what, company }) => [
    `${what}: ${company?.name ?? '…'}, ${company?.address ?? '…'}, ${company?.country ?? '…'}.`,
    'Art. 28 Abs. 2 DSGVO',
    'processors',
  ]);
  return [
    {
      title: 'Anhang I Parteien',
      lines: [
        [`Verantwortlicher: ${BLANK}, Anschrift: ${BLANK}, Kontakt: ${BLANK}`, 'Art. 4 Nr. 7 DSGVO', 'business'],
        [
          `Auftragsverarbeiter: ${operatorLine(known)}, ${contactLine(known)}. Ansprechperson: ${form.contact ?? '…'}.`,
          'Art. 4 Nr. 8 DSGVO',
          'business',
          'contact',
        ],
        ...(dpo
          ? [[`Datenschutzbeauftragte Person des Auftragsverarbeiters: ${dpo}.`, 'Art. 37 Abs. 7 DSGVO', 'business'] satisfies Line]
          : []),
      ],
    },
    {
      title: 'Anhang II Beschreibung der Verarbeitung',
      lines: [
        [
          'Betroffene Personen: Gäste der Veranstaltung, abgebildete Personen, Gastgeber und seine Helfenden.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        [
          'Daten: Fotos und Videos mit den Angaben, die das Gerät darin speichert (etwa Aufnahmezeit und Aufnahmeort), Dateiname, angegebener Name, Prüfwert einer zufälligen Gerätekennung, Zugangs- und Sitzungsdaten des Gastgebers.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        [
          'Art: Entgegennehmen, verschlüsselt Speichern, Verkleinern, Anzeigen, Bereitstellen zum Herunterladen, Löschen.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'sealing',
        ],
        [
          'Zweck: Fotos der Veranstaltung für den Verantwortlichen sammeln und denen zeigen, die er bestimmt.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        [
          `Dauer: von der Anlage des Events bis zur Löschung, spätestens ${PHOTOS_KEPT_DAYS} Tage nach seinem Ende.`,
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'cleaning',
        ],
      ],
    },
    {
      title: 'Anhang III Technische und organisatorische Maßnahmen',
      lines: [['Es gelten die Maßnahmen der folgenden Abschnitte.', 'Art. 28 Abs. 3 Satz 2 lit. c DSGVO', 'business']],
    },
    ...tom(known).map((section) => ({ ...section, title: `Anhang III: ${section.title}` })),
    {
      title: 'Anhang IV Unterauftragsverarbeiter',
      lines: [
        ...(own
          ? [['Der Server wird vom Auftragsverarbeiter selbst betrieben.', 'Art. 28 Abs. 2 DSGVO', 'hosting'] satisfies Line]
          : [[`Betrieb des Servers: ${hostingLine(known)}.`, 'Art. 28 Abs. 2 DSGVO', 'hosting'] satisfies Line]),
        ...processors,
      ],
    },
    {
      title: 'Unterschriften',
      lines: [
        [`Verantwortlicher: Ort, Datum ${BLANK} Unterschrift ${BLANK}`, 'Art. 28 Abs. 9 DSGVO', 'business'],
        [`Auftragsverarbeiter: Ort, Datum ${BLANK} Unterschrift ${BLANK}`, 'Art. 28 Abs. 9 DSGVO', 'business'],
      ],
    },
  ];
}
