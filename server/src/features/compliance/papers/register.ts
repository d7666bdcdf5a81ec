import {
  ADDRESSES_KEPT,
  BACKUPS_KEPT_DAYS,
  DAY,
  HOUR,
  IDEMPOTENCY_KEPT,
  INVITATION_KEPT,
  PHOTOS_KEPT_DAYS,
  UPLOAD_KEPT,
} from '@feierbild/contract/constants.ts';
import { RECEIPT_WAITS } from '../../mail/mail.ts';
import { DONE_KEPT, FAILED_KEPT } from '../../outbox/outbox.ts';
import { VERSIONS_KEPT } from '../../settings/settings.ts';
import { servicesOf } from '../checks.ts';
import type { Known } from '../facts.ts';
import { contactLine, MONTHS, operatorLine, type Line, type PaperSection } from './paper.ts';

const FIRST = 'Art. 30 Abs. 1 Satz 2';
const SECOND = 'Art. 30 Abs. 2';
const TOM = 'Siehe das Papier „Technische und organisatorische Maßnahmen“.';

/** The records of processing: first of the controller's own, then of what is done for others. */
export function register(known: Known): PaperSection[] {
  const { business, form } = known;
  const { dpo, hosting } = business.privacy;
  const recipients = [
    hosting?.name ?? 'wer den Server betreibt (noch nicht eingetragen)',
    ...servicesOf(known).map(({ company, what }) => `${company?.name ?? 'noch nicht eingetragen'} (${what})`),
  ].join(', ');
  const activity = (
    title: string,
    purpose: string,
    persons: string,
    data: string,
    /** Beside those who run the server and its services. */
    to: string,
    basis: string,
    period: string,
    ...checks: Line[2][]
  ): PaperSection => ({
    title,
    lines: [
      [`Zwecke: ${purpose}`, `${FIRST} lit. b DSGVO`, 'business'],
      [`Rechtsgrundlage: ${basis}`, 'Art. 6 Abs. 1 DSGVO', 'business'],
      [`Betroffene Personen: ${persons}`, `${FIRST} lit. c DSGVO`, 'business'],
      [`Daten: ${data}`, `${FIRST} lit. c DSGVO`, 'business'],
      [`Empfänger: ${to}${recipients}.`, `${FIRST} lit. d DSGVO`, 'processors', 'hosting'],
      ['Übermittlung in Drittländer: keine.', `${FIRST} lit. e DSGVO`, 'eea', 'processors'],
      [`Löschfrist: ${period}`, `${FIRST} lit. f DSGVO`, 'cleaning', ...checks],
      [`Maßnahmen: ${TOM}`, `${FIRST} lit. g DSGVO`, 'business'],
    ],
  });
  return [
    {
      title: 'Verzeichnis nach Art. 30 Abs. 1: Verantwortlicher',
      lines: [
        [`Verantwortlicher: ${operatorLine(known)}, ${contactLine(known)}.`, `${FIRST} lit. a DSGVO`, 'business'],
        [
          dpo
            ? `Datenschutzbeauftragte Person: ${dpo}.`
            : `Eine datenschutzbeauftragte Person ist nicht benannt; Ansprechperson: ${form.contact ?? '…'}.`,
          `${FIRST} lit. a DSGVO`,
          'contact',
        ],
        ...(form.introduced ? [[`Eingeführt: ${form.introduced}.`, 'Art. 5 Abs. 2 DSGVO', 'business'] satisfies Line] : []),
        ...(known.fromFile
          ? []
          : [
              [
                `Was sich an diesen Angaben geändert hat, wann und durch wen, zeigt der Verlauf der Einstellungen (die letzten ${VERSIONS_KEPT} Fassungen je Bereich).`,
                'Art. 5 Abs. 2 DSGVO',
                'history',
              ] satisfies Line,
            ]),
        [
          'Zugriff im Betrieb hat, wer einen Zugang zur Verwaltung hat: auf Events, Protokoll und Meldungen, nicht auf Fotos, ohne ein Passwort sichtbar zurückzusetzen. Helfende der Verwaltung sehen und ändern Events, löschen aber nichts.',
          `${FIRST} lit. d DSGVO`,
          'sealing',
          'audit',
        ],
      ],
    },
    activity(
      '1. Fotos privater Feiern',
      'Gäste laden Fotos hoch, eine Fotobox legt welche ab; der Gastgeber erhält sie und zeigt, was er will.',
      'Gäste, abgebildete Personen, Gastgeber.',
      'Fotos und Videos mit gespeicherten Angaben, Dateiname, angegebener Name, Prüfwert der Gerätekennung, Herzen.',
      'Gastgeber; wenn er sie öffnet, Gäste in der Gästegalerie (sofort oder ab der Enthüllung, mit „Freigabe“ nur, was freigegeben oder nach der eingestellten Zeit nicht abgelehnt ist); wer die Slideshow sieht oder einen Link von ihm hat; ein Programm, dem er Zugang gibt; ein Titelbild jede Person mit der Adresse des Events; ',
      'Art. 6 Abs. 1 lit. b (Gastgeber) und lit. f DSGVO (Gäste, Abgebildete): Sammeln der Fotos für den Gastgeber.',
      `${PHOTOS_KEPT_DAYS} Tage nach dem Event, auch Vorschauen, deren Original nie kam; Teile unvollständiger Originale ${UPLOAD_KEPT / HOUR} Stunden.`,
      'receipts',
    ),
    activity(
      '2. Zugänge von Gastgebern und Helfenden',
      'Nur Berechtigte öffnen die Fotos.',
      'Gastgeber, Helfende, Gäste der Galerie.',
      'Event-Code, versiegelte Schlüssel, Sitzungen, offene Einladungen.',
      '',
      'Art. 6 Abs. 1 lit. b DSGVO.',
      `mit den Fotos; Sitzungen, wenn sie ablaufen; Einladungen, wenn sie genutzt sind, spätestens nach ${INVITATION_KEPT / DAY} Tagen.`,
    ),
    activity(
      '3. Verwaltung und Protokoll',
      'Anlegen und Löschen von Events; Nachweis, wer Zugang hatte.',
      'Beschäftigte des Betriebs, Gastgeber, Kunden.',
      'Benutzername, Zeit, Vorgang, Event-Code, IP-Adresse; Titel, Untertitel, Tage und Einstellungen eines Events; Kunde, Auftragsnummer und Notiz dazu.',
      '',
      'Art. 6 Abs. 1 lit. b, c und f in Verbindung mit Art. 32 DSGVO.',
      `IP-Adressen gekürzt nach ${ADDRESSES_KEPT / DAY} Tagen, Einträge gelöscht nach ${MONTHS}n; Titel, Untertitel, Tage und Einstellungen ${MONTHS} nach der Löschung der Fotos; Kunde, Auftragsnummer und Notiz mit den Fotos.`,
      'addresses',
      'audit',
    ),
    activity(
      '4. Meldungen von Fotos',
      'Prüfung gemeldeter Fotos.',
      'Meldende, abgebildete Personen.',
      'Angaben im Formular: Event, Foto, Grund, Name, E-Mail.',
      '',
      'Art. 6 Abs. 1 lit. c DSGVO in Verbindung mit Art. 16 Verordnung (EU) 2022/2065.',
      `${MONTHS}.`,
    ),
    activity(
      '5. Löschprotokolle',
      'Nachweis der Löschung.',
      'keine: Sie nennen den Event-Code und Zahlen.',
      'Event-Code, Zahl der Fotos und Videos, Bytes, Zeitpunkte.',
      'Gastgeber und wer den Link von ihm hat; ',
      'Art. 6 Abs. 1 lit. c in Verbindung mit Art. 5 Abs. 2 DSGVO.',
      `${MONTHS}.`,
      'receipts',
    ),
    activity(
      '6. Andere Programme der Verwaltung (Buchung, Kalender, Webhooks)',
      'Events aus einer Buchung anlegen; melden, was mit einem Event geschieht.',
      'Gastgeber, Beschäftigte des Betriebs.',
      'Event-Code, Titel, Tage, Auftragsnummer, Zeitpunkte; die Adresse des Gastgebers nur von dem Programm, das sie sendet. Weder Fotos noch Namen von Gästen oder Dateien.',
      'wer die Programme betreibt, denen die Verwaltung unter „Verbindungen“ ein Token oder einen Webhook einrichtet; ',
      'Art. 6 Abs. 1 lit. b und f DSGVO.',
      `Tokens und Webhooks, bis die Verwaltung sie widerruft oder löscht; wiederholbare Antworten ${IDEMPOTENCY_KEPT / HOUR} Stunden; zugestellte Meldungen ${DONE_KEPT / DAY} Tage, andere ${FAILED_KEPT / DAY} Tage.`,
      'webhooks',
    ),
    ...(known.mail
      ? [
          activity(
            '7. E-Mails an Gastgeber',
            'Einladung, Erinnerung vor der Löschung, Löschprotokoll.',
            'Gastgeber.',
            'Name, E-Mail-Adresse, abbestellte Arten von E-Mails, Vermerk über den Versand.',
            'Gastgeber und wer sein Postfach betreibt; ',
            'Art. 6 Abs. 1 lit. b DSGVO.',
            `mit den Fotos, spätestens ${PHOTOS_KEPT_DAYS} Tage nach dem Event; das Löschprotokoll geht danach noch an die Adresse, höchstens ${RECEIPT_WAITS / DAY} Tage lang; der Vermerk über diese E-Mail, ohne die Adresse, ${DONE_KEPT / DAY} Tage.`,
            'mail',
          ),
        ]
      : []),
    {
      title: 'Verzeichnis nach Art. 30 Abs. 2: Auftragsverarbeiter',
      lines: [
        [
          `Auftragsverarbeiter: ${operatorLine(known)}, ${business.contact.email}. Ansprechperson: ${form.contact ?? '…'}.`,
          `${SECOND} lit. a DSGVO`,
          'business',
          'contact',
        ],
        [
          'Verantwortliche: Unternehmen, Vereine und Schulen, für die Events angelegt sind; die Liste mit den Kunden steht in der Verwaltung unter „Events“.',
          `${SECOND} lit. a DSGVO`,
          'business',
        ],
        [
          'Kategorien von Verarbeitungen: Fotos und Videos einer Veranstaltung entgegennehmen, speichern, anzeigen, bereitstellen, löschen.',
          `${SECOND} lit. b DSGVO`,
          'business',
        ],
        ['Übermittlung in Drittländer: keine.', `${SECOND} lit. c DSGVO`, 'eea', 'processors'],
        [`Maßnahmen: ${TOM}`, `${SECOND} lit. d DSGVO`, 'business'],
        [`Sicherungen enthalten Gelöschtes höchstens ${BACKUPS_KEPT_DAYS} Tage lang.`, 'Art. 5 Abs. 1 lit. e DSGVO', 'old-backups'],
      ],
    },
  ];
}
