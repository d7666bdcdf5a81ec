import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { servicesOf } from '../checks.ts';
import type { Known } from '../facts.ts';
import { clauses } from './avv-clauses.ts';
import { contactLine, hostingLine, isOwnServer, operatorLine, type Line, type PaperSection } from './paper.ts';
import { tom } from './tom.ts';

const BLANK = '________________________';

/** The contract on processing, in the order of the Commission's standard contractual clauses (EU) 2021/915, in words of its own. */
export function avv(known: Known): PaperSection[] {
  return [...clauses(known), ...annexes(known)];
}

function annexes(known: Known): PaperSection[] {
  const { form, business } = known;
  const { dpo } = business.privacy;
  const own = isOwnServer(known);
  const processors: Line[] = servicesOf(known).map(({ what, company }) => [
    `${what}: ${company?.name ?? '…'}, ${company?.address ?? '…'}, ${company?.country ?? '…'}.`,
    'Art. 28 Abs. 2 DSGVO',
    'processors',
  ]);
  return [
    {
      title: 'Anhang I Parteien',
      lines: [
        [
          `Verantwortlicher: ${BLANK}, Anschrift: ${BLANK}, Kontakt: ${BLANK}, weisungsberechtigt: ${BLANK}`,
          'Art. 4 Nr. 7, Art. 28 Abs. 3 Satz 2 lit. a DSGVO',
          'business',
        ],
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
          'Daten: Titel, Untertitel und Tage der Veranstaltung, Fotos und Videos mit den Angaben, die das Gerät darin speichert (etwa Aufnahmezeit und Aufnahmeort), Dateiname, angegebener Name, Prüfwert einer zufälligen Gerätekennung, Herzen, Name und E-Mail-Adresse des Gastgebers, wo sie eingetragen sind, Zugangs- und Sitzungsdaten.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        [
          'Art: Entgegennehmen, verschlüsselt Speichern, Verkleinern, Anzeigen, Bereitstellen zum Herunterladen, Löschen.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'sealing',
        ],
        [
          'Zweck: Fotos der Veranstaltung für den Verantwortlichen sammeln und denen zeigen, die er bestimmt: durch Slideshow, Gästegalerie, Titelbild und Links.',
          'Art. 28 Abs. 3 Satz 1 DSGVO',
          'business',
        ],
        [
          `Dauer: von der Anlage des Events bis zur Löschung, längstens ${PHOTOS_KEPT_DAYS} Tage nach seinem Ende, wie Klausel 7.3 sagt.`,
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
        [
          'Gegenstand und Dauer ihrer Verarbeitung sind die in Anhang II, soweit die genannte Leistung sie umfasst.',
          'Anhang II (EU) 2021/915',
          'processors',
        ],
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
