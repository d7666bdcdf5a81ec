import {
  ADDRESSES_KEPT,
  BACKUPS_KEPT_DAYS,
  DAY,
  FAILURES_KEPT,
  HOUR,
  IDEMPOTENCY_KEPT,
  INVITATION_KEPT,
  LINK_LIFETIME,
  LINK_REMEMBERED,
  MINUTE,
  PHOTOS_KEPT_DAYS,
  SESSIONS,
  UPLOAD_KEPT,
} from '@feierbild/contract/constants.ts';
import { RECEIPT_WAITS } from '../../mail/mail.ts';
import { DONE_KEPT, FAILED_KEPT } from '../../outbox/outbox.ts';
import { VERSIONS_KEPT } from '../../settings/settings.ts';
import type { Known } from '../facts.ts';
import { MONTHS, operatorLine, type Line, type PaperSection } from './paper.ts';

const PERIOD = 'Art. 5 Abs. 1 lit. e DSGVO';

/** Kinds of data with their class: where the period begins, and how long it is, as the code has both. */
const RULES: [kind: string, start: string, period: string, ...checks: Line[2][]][] = [
  ['Fotos, Videos, Vorschauen, Namen von Gästen und Dateien', 'Ende des Events', `${PHOTOS_KEPT_DAYS} Tage`, 'cleaning', 'receipts'],
  [
    'Vorschauen angekündigter Fotos, deren Original nie kam',
    'Ende des Events',
    `${PHOTOS_KEPT_DAYS} Tage wie Fotos, früher durch Gast oder Gastgeber`,
    'cleaning',
    'receipts',
  ],
  [
    'Titelbild und Begrüßung eines Events',
    'Ende des Events',
    `${PHOTOS_KEPT_DAYS} Tage, früher mit dem Foto, aus dem es gemacht ist; in Browsern von Gästen bis zu einem Tag länger`,
    'cleaning',
  ],
  [
    'Herzen und Schlüssel der Gästegalerie',
    'Ende des Events',
    `${PHOTOS_KEPT_DAYS} Tage, vor den Fotos; früher mit dem Foto; Herzen auch, wenn der Gast sie zurücknimmt, Schlüssel auch, wenn der Gastgeber das Foto herausnimmt oder einen neuen Link macht`,
    'cleaning',
    'receipts',
  ],
  ['Offene Einladungen an Gastgeber', 'Einladung', `${INVITATION_KEPT / DAY} Tage, früher mit der Nutzung oder einer neuen`, 'cleaning'],
  [
    'Schlüssel und Passwörter eines Events, Sitzungen seiner Gastgeber und Gäste',
    'Ende des Events',
    `${PHOTOS_KEPT_DAYS} Tage, vor den Fotos`,
    'cleaning',
    'receipts',
  ],
  [
    'Name und E-Mail-Adresse des Gastgebers',
    'Ende des Events',
    `${PHOTOS_KEPT_DAYS} Tage; für die E-Mail mit dem Löschprotokoll bis zu deren Versand, höchstens ${RECEIPT_WAITS / DAY} Tage`,
    'cleaning',
  ],
  ['Kunde, Auftragsnummer und Notiz zu einem Event', 'Ende des Events', `${PHOTOS_KEPT_DAYS} Tage`, 'cleaning'],
  ['Teile abgebrochener Übertragungen', 'letztes empfangenes Byte', `${UPLOAD_KEPT / HOUR} Stunden`, 'cleaning'],
  [
    'Links auf einzelne Fotos',
    'Anlage des Links',
    `${LINK_LIFETIME / DAY} Tage; ein Prüfwert ohne Bezug zum Foto weitere ${LINK_REMEMBERED / DAY} Tage`,
    'cleaning',
  ],
  [
    'Sitzungen',
    'letzte Nutzung',
    `Gastgeber ${SESSIONS.user.idle / DAY} Tage, Gäste der Galerie ${SESSIONS.gallery.idle / DAY} Tage, Helfende ${SESSIONS.helper.idle / DAY} Tage, Programme des Gastgebers bis zur Löschung der Fotos, gesperrte Slideshows ${SESSIONS.projector.idle / DAY} Tage, Verwaltung ${SESSIONS.admin.idle / HOUR} Stunden`,
    'cleaning',
  ],
  ['Fehlversuche', 'erster Versuch', `${FAILURES_KEPT / MINUTE} Minuten und bis zum nächsten stündlichen Lauf`, 'cleaning'],
  ['IP-Adressen im Protokoll', 'Eintrag', `gekürzt nach ${ADDRESSES_KEPT / DAY} Tagen`, 'cleaning', 'addresses'],
  ['Prüfwerte der Gerätekennungen von Gästen', 'Ende des Events', `${PHOTOS_KEPT_DAYS} Tage`, 'cleaning', 'receipts'],
  [
    'Zugänge der Verwaltung: Benutzername, Schlüssel unter dem Passwort, zweite Faktoren',
    'Entfernen durch die Verwaltung',
    'sofort',
    'audit',
  ],
  ['Verlauf der Einstellungen mit dem Namen, wer sie geändert hat', 'Änderung', `die letzten ${VERSIONS_KEPT} je Bereich`, 'history'],
  ['Protokoll der Verwaltung', 'Eintrag', MONTHS, 'cleaning'],
  ['Meldungen von Fotos', 'Eingang', MONTHS, 'cleaning'],
  ['Code, Titel, Untertitel, Tage und Einstellungen gelöschter Events', 'Löschung der Fotos', MONTHS, 'cleaning'],
  [
    'E-Mails an Gastgeber: Vermerke über den Versand, und was noch zu senden ist',
    'Ende des Events',
    `${PHOTOS_KEPT_DAYS} Tage; was nicht zugestellt ist, ${FAILED_KEPT / DAY} Tage nach dem Eintrag; der Vermerk über die E-Mail mit dem Löschprotokoll, ohne die Adresse, ${DONE_KEPT / DAY} Tage`,
    'cleaning',
  ],
  [
    'Meldungen an andere Programme (Webhooks) und E-Mails an die Verwaltung',
    'Eintrag',
    `${DONE_KEPT / DAY} Tage; was nicht zugestellt ist, ${FAILED_KEPT / DAY} Tage`,
    'cleaning',
  ],
  ['Antworten an andere Programme, die sich wiederholen lassen', 'Anfrage', `${IDEMPOTENCY_KEPT / HOUR} Stunden`, 'cleaning'],
  ['Tokens anderer Programme: Name, Prüfwert, letzte Nutzung', 'Widerruf durch die Verwaltung', 'sofort', 'audit'],
  ['Löschprotokolle', 'Vernichtung der Schlüssel', MONTHS, 'cleaning', 'receipts'],
  ['Sicherungen', 'Sicherung', `${BACKUPS_KEPT_DAYS} Tage`, 'old-backups'],
];

/** The concept of deletion, in the structure of DIN 66398. */
export function deletion(known: Known): PaperSection[] {
  return [
    {
      title: '1. Geltungsbereich',
      lines: [
        [
          `Dieses Konzept gilt für alle personenbezogenen Daten, die Feierbild ${known.release} bei ${operatorLine(known)} verarbeitet.`,
          PERIOD,
          'business',
        ],
        ['Nicht davon erfasst sind Rechnungen, Schriftwechsel und was Gastgeber und Gäste heruntergeladen haben.', PERIOD, 'business'],
      ],
    },
    {
      title: '2. Datenarten, Löschklassen und Regelfristen',
      lines: [
        [
          'Jede Regel verbindet einen Startzeitpunkt mit einer Frist; Datenarten, die beide gemeinsam haben, bilden eine Löschklasse.',
          PERIOD,
          'cleaning',
        ],
        ...RULES.map(([kind, start, period, check, ...checks]): Line => [
          `${kind}: Beginn der Frist: ${start}. Frist: ${period}.`,
          PERIOD,
          check ?? 'cleaning',
          ...checks,
        ]),
      ],
    },
    {
      title: '3. Umsetzung',
      lines: [
        [
          'Löschen heißt: Schlüssel und Zeilen werden aus der Datenbank entfernt, Bytes aus dem Fotospeicher; wiederherstellen lässt sich danach nichts, bis auf Sicherungen (Abschnitt 4).',
          'Art. 17 Abs. 1 DSGVO',
          'cleaning',
          'versions',
        ],
        ['Ein Lauf je Stunde löscht, was fällig ist. Wird er unterbrochen, setzt der nächste fort.', PERIOD, 'cleaning'],
        [
          'Bei einem Event werden erst alle Schlüssel gelöscht, dann die Bytes. So ist nichts mehr zu öffnen, auch wenn der Fotospeicher gerade nicht antwortet.',
          'Art. 17 Abs. 1, Art. 25 Abs. 1 DSGVO',
          'cleaning',
          'sealing',
        ],
        [
          'Gelöschte Schlüssel werden auch aus den Dateien der Datenbank entfernt; erst danach wird das Löschprotokoll unterschrieben.',
          'Art. 17 Abs. 1 DSGVO',
          'receipts',
        ],
        ['Der Fotospeicher behält keine alten Versionen.', 'Art. 17 Abs. 1 DSGVO', 'versions'],
        [
          'Ausgesetzt wird die Löschung eines Events nicht. Hinausschieben lässt sie sich nur, indem die Verwaltung sein Ende verlegt; das steht im Protokoll.',
          'Art. 5 Abs. 1 lit. e DSGVO',
          'cleaning',
          'audit',
        ],
        [
          'Springt die Uhr des Servers, wird nichts gelöscht, bis die Verwaltung sie bestätigt hat.',
          'Art. 32 Abs. 1 lit. b DSGVO',
          'cleaning',
        ],
      ],
    },
    {
      title: '4. Sicherungen',
      lines: [
        [
          `Sicherungen älter als ${BACKUPS_KEPT_DAYS} Tage werden bei der täglichen Sicherung entfernt. Bis dahin enthalten sie Gelöschtes.`,
          PERIOD,
          'backup',
          'old-backups',
        ],
        [
          'Wird eine Sicherung wiederhergestellt, löscht der nächste stündliche Lauf erneut, was fällig ist.',
          'Art. 17 Abs. 1 DSGVO',
          'cleaning',
        ],
        [
          'Einzelne Fotos, die nach dieser Sicherung gelöscht wurden, kommen mit ihr zurück; wer ihre Löschung verlangt hatte, ist zu fragen, und sie sind erneut zu löschen.',
          'Art. 17 Abs. 1, Art. 24 Abs. 1 DSGVO',
          'contact',
        ],
      ],
    },
    {
      title: '5. Löschung auf Verlangen',
      lines: [
        [
          'Gäste löschen eigene Fotos selbst, Gastgeber alle ihres Events. Die Verwaltung löscht einzelne Fotos nach ihrer Kennung, ohne sie zu sehen.',
          'Art. 17 Abs. 1 DSGVO',
          'audit',
        ],
      ],
    },
    {
      title: '6. Verantwortung und Nachweis',
      lines: [
        [`Verantwortlich für die Umsetzung ist ${known.form.contact ?? '…'}.`, 'Art. 24 Abs. 1 DSGVO', 'contact'],
        [
          'Dieses Konzept erzeugt das laufende System aus den Fristen, nach denen es löscht; ändert sich eine, ändert es sich mit.',
          'Art. 24 Abs. 1 Satz 2 DSGVO',
          'business',
        ],
        [
          'Jede Löschung steht im Protokoll der Verwaltung und, bei Events, in einem unterschriebenen Löschprotokoll.',
          'Art. 5 Abs. 2 DSGVO',
          'audit',
          'receipts',
        ],
      ],
    },
  ];
}
