import {
  ADDRESSES_KEPT,
  BACKUPS_KEPT_DAYS,
  DAY,
  INVITATION_KEPT,
  LINK_LIFETIME,
  LOGIN_FAILURES,
  MINUTE,
  SESSIONS,
} from '@feierbild/contract/constants.ts';
import type { Known } from '../facts.ts';
import { contactLine, KEPT_AFTER, type Line, type PaperSection } from './paper.ts';

const CONFIDENTIAL = 'Art. 32 Abs. 1 lit. b DSGVO';
const SEALED = 'Art. 32 Abs. 1 lit. a DSGVO';

/** The measures by Art. 32, under the headings that auditors look for. */
export function tom(known: Known): PaperSection[] {
  const { database, store, mail, release, form } = known;
  const only = (applies: boolean, line: Line): Line[] => (applies ? [line] : []);
  return [
    {
      title: '1. Verschlüsselung und Pseudonymisierung',
      lines: [
        [
          'Jedes Foto wird beim Eingang mit AES-256-GCM unter einem eigenen zufälligen Schlüssel verschlüsselt. Dieser Schlüssel ist für den öffentlichen Schlüssel des Events versiegelt (HPKE, RFC 9180); dessen privater Schlüssel öffnet sich nur mit dem Passwort des Gastgebers, mit Passwort oder Wiederherstellungscode der Verwaltung, oder mit dem, was sie selbst ausgeben: einer Sitzung, einer Einladung, einem Link für Helfende, dem Token eines Programms, dem der Gastgeber Zugang gibt.',
          SEALED,
          'sealing',
        ],
        [
          'Aus Datenbank, Fotospeicher und Konfiguration zusammen lässt sich kein Foto öffnen. Beim Hochladen und Abrufen verarbeitet der Server Fotos kurz unverschlüsselt im Arbeitsspeicher.',
          SEALED,
          'sealing',
          'first-password',
          'keys',
        ],
        [
          'Davon ausgenommen ist allein ein Titelbild, das der Gastgeber wählt: Es ist öffentlich und liegt verkleinert und ohne Aufnahmeort unverschlüsselt in der Datenbank.',
          SEALED,
          'sealing',
        ],
        [
          'Namen von Gästen und Dateien sind ebenso versiegelt. Geräte kennt der Server nur als Prüfwert, für jedes Event einen anderen.',
          SEALED,
          'sealing',
          'devices',
        ],
        ['Zwischen Browser und Server schützt TLS alle Daten (https).', SEALED, 'https'],
        ...only(!database.local, ['Die Verbindung zur Datenbank ist verschlüsselt.', SEALED, 'database']),
        ...only(store !== null, [
          'Die Verbindung zum Fotospeicher ist verschlüsselt (https); dort liegen nur versiegelte Bytes.',
          SEALED,
          'store',
          'sealing',
        ]),
        ...only(mail !== null, [
          'E-Mails gehen verschlüsselt zum Mailserver. Sie enthalten weder Fotos noch Namen von Gästen.',
          SEALED,
          'mail',
        ]),
      ],
    },
    {
      title: '2. Vertraulichkeit: Zutritt und Zugang',
      lines: [
        ['Der Server steht in verschlossenen Räumen, die nur namentlich bekannte Personen betreten.', CONFIDENTIAL, 'premises'],
        [
          'Passwörter von Gastgebern und Verwaltung werden nicht gespeichert: Sie öffnen Schlüssel durch argon2id. Die für Gäste und Fotobox werden mit Prüfwerten nach argon2id verglichen; ihre Kopie für Gastgeber und Verwaltung öffnet nur der Schlüssel des Events.',
          CONFIDENTIAL,
          'passwords',
          'sealing',
        ],
        [
          `Die Einladung eines Gastgebers öffnet sein Event einmal und höchstens ${INVITATION_KEPT / DAY} Tage lang; eine neue macht sie ungültig. In keiner E-Mail steht ein Passwort.`,
          CONFIDENTIAL,
          'cleaning',
          'audit',
        ],
        [
          `Nach ${LOGIN_FAILURES.count} falschen Passwörtern in ${LOGIN_FAILURES.window / MINUTE} Minuten weist der Server weitere Versuche dieses Anschlusses für diesen Namen ab, auch nach einem Neustart.`,
          CONFIDENTIAL,
          'limits',
        ],
        ['Das erste, vom System vergebene Passwort der Verwaltung ist geändert.', CONFIDENTIAL, 'first-password'],
        ['Alle Zugänge der Verwaltung brauchen einen zweiten Faktor.', CONFIDENTIAL, 'second-factor'],
        [
          `Sitzungen der Verwaltung enden ${SESSIONS.admin.idle / (60 * MINUTE)} Stunden nach der letzten Nutzung, spätestens nach ${SESSIONS.admin.longest / DAY} Tagen, die von Gastgebern nach ${SESSIONS.user.idle / DAY} und ${SESSIONS.user.longest / DAY} Tagen.`,
          CONFIDENTIAL,
          'cleaning',
        ],
      ],
    },
    {
      title: '3. Vertraulichkeit: Zugriff und Trennung',
      lines: [
        [
          'Die Verwaltung hat keine Fotoansicht. Setzt sie das Passwort eines Gastgebers zurück, steht das im Protokoll und wird ihm angezeigt.',
          CONFIDENTIAL,
          'audit',
        ],
        [
          'Events sind durch eigene Schlüssel getrennt: Der Schlüssel des einen öffnet nichts des anderen.',
          CONFIDENTIAL,
          'sealing',
          'keys',
        ],
        [
          'Fotos anderer sehen Gäste nur, wenn der Gastgeber die Gästegalerie öffnet. Sie hat einen eigenen Schlüssel, der nur öffnet, was gezeigt wird; nimmt er ein Foto heraus, wird dessen Schlüssel für Gäste gelöscht. Ist eine Uhrzeit für die Enthüllung oder eine Zeit für die Freigabe eingestellt, hält der Server die Fotos bis dahin zurück.',
          CONFIDENTIAL,
          'sealing',
          'keys',
        ],
        [
          'Eine Fotobox legt Bilder mit eigenem Passwort ab, über WebDAV nur mit https. So abrufen lässt sich nur, was sie selbst gerade abgelegt hat.',
          CONFIDENTIAL,
          'https',
          'passwords',
        ],
        [
          'Helfende der Verwaltung haben eigene Zugänge, die keinen Schlüssel eines Events öffnen: Sie legen Events an und ändern sie, sehen keine Passwörter von Gästen und löschen nichts.',
          CONFIDENTIAL,
          'sealing',
          'audit',
        ],
        [
          `Andere Programme der Verwaltung haben eigene, widerrufliche Tokens, von denen der Server nur Prüfwerte speichert. Sie legen Events an und ändern sie, öffnen aber kein Foto und löschen nichts.${mail === null ? ' Laden sie dabei einen Gastgeber ein, erhalten sie den Link dafür zum Weitergeben.' : ''}`,
          CONFIDENTIAL,
          'limits',
          'audit',
        ],
        [
          `Links auf einzelne Fotos gelten ${LINK_LIFETIME / DAY} Tage; danach wird der Schlüssel, der in ihnen liegt, gelöscht.`,
          CONFIDENTIAL,
          'cleaning',
        ],
        [
          'Fotos werden in eigenen Prozessen gelesen, die keinen Schlüssel, kein Netz und keinen Zugriff auf andere Dateien haben.',
          CONFIDENTIAL,
          'isolation',
        ],
        [
          'Alle Personen mit Zugang sind zur Vertraulichkeit verpflichtet, auch über das Ende ihrer Tätigkeit hinaus.',
          'Art. 32 Abs. 4, Art. 29 DSGVO',
          'confidentiality',
        ],
        ['Sie sind in die Regeln des Datenschutzes eingewiesen.', 'Art. 32 Abs. 4, Art. 39 Abs. 1 lit. b DSGVO', 'training'],
      ],
    },
    {
      title: '4. Integrität: Weitergabe und Eingabe',
      lines: [
        [
          'Veränderte, vertauschte oder abgeschnittene Bytes eines Fotos werden beim Öffnen erkannt und nicht ausgeliefert.',
          CONFIDENTIAL,
          'sealing',
        ],
        [
          'Schlüssel, die in der Datenbank verändert wurden, lösen einen Alarm aus; das Event nimmt dann keine Fotos mehr an.',
          CONFIDENTIAL,
          'keys',
        ],
        [
          `Anmeldungen, Rücksetzungen, Anlegen, Ändern und Löschen stehen im Protokoll der Verwaltung. IP-Adressen darin werden nach ${ADDRESSES_KEPT / DAY} Tagen gekürzt.`,
          CONFIDENTIAL,
          'audit',
          'addresses',
        ],
        [
          'Meldungen an andere Programme (Webhooks) sind unterschrieben, gehen über https und enthalten weder Namen von Gästen noch von Dateien.',
          CONFIDENTIAL,
          'webhooks',
        ],
        [
          'Das Log des Servers enthält gekürzte IP-Adressen und weder Passwörter noch Namen von Gästen oder Dateien.',
          'Art. 5 Abs. 1 lit. c DSGVO',
          'log',
        ],
      ],
    },
    {
      title: '5. Verfügbarkeit und Belastbarkeit',
      lines: [
        ['Täglich wird gesichert; die letzte Sicherung ist jünger als zwei Tage.', 'Art. 32 Abs. 1 lit. b und c DSGVO', 'backup'],
        [
          'Ein Foto gilt erst als angekommen, wenn es auf dem Datenträger ist. In den letzten 35 Tagen wurde geprüft, dass jedes Foto ganz da ist.',
          CONFIDENTIAL,
          'look',
        ],
        ...only(database.engine === 'postgres', [
          'Mehrere gleiche Server bedienen den Dienst; fällt einer aus, tun es die anderen.',
          CONFIDENTIAL,
          'nodes',
        ]),
        [
          'Wiederherstellen lässt sich jeder aufbewahrte Stand der Sicherung mit einem Befehl; danach wird geprüft, ob jedes Foto da ist.',
          'Art. 32 Abs. 1 lit. c DSGVO',
          'backup',
        ],
      ],
    },
    {
      title: '6. Löschung',
      lines: [
        [
          'Fällige Events werden stündlich gelöscht: erst die Schlüssel, dann die Bytes. Über jedes wird ein Löschprotokoll unterschrieben.',
          'Art. 5 Abs. 1 lit. e, Art. 25 DSGVO',
          'cleaning',
          'receipts',
        ],
        ['Der Fotospeicher behält keine alten Versionen gelöschter Fotos.', 'Art. 17 Abs. 1 DSGVO', 'versions'],
        [`Sicherungen werden höchstens ${BACKUPS_KEPT_DAYS} Tage aufbewahrt.`, 'Art. 5 Abs. 1 lit. e DSGVO', 'old-backups'],
        [KEPT_AFTER, 'Art. 5 Abs. 1 lit. e und Abs. 2 DSGVO', 'cleaning', 'receipts', 'audit'],
      ],
    },
    {
      title: '7. Überprüfung, Voreinstellungen und Vorfälle',
      lines: [
        [
          'Voreingestellt ist der „Briefkasten“: Fotos sieht nur der Gastgeber, und jeder Gast seine eigenen. Videos und die Gästegalerie sind aus, bis sie jemand einschaltet.',
          'Art. 25 Abs. 2 DSGVO',
          'defaults',
        ],
        [
          `Vorfälle gehen an ${form.contact ?? '…'}, Telefon ${form.breachPhone ?? '…'}, ${contactLine(known)}. Veränderte Schlüssel, fehlende Sicherungen und überfällige Löschungen meldet die Verwaltung von selbst.`,
          'Art. 32 Abs. 1 lit. d, Art. 33 DSGVO',
          'contact',
          'breach',
        ],
        [
          `Was das System selbst feststellen kann, hat Feierbild ${release} beim Erzeugen dieses Papiers geprüft; das Übrige hat der Betrieb angegeben. Ist der Vertrag als ausgegeben vermerkt und ändert sich etwas davon, weist die Verwaltung darauf hin, dass er neu zu erzeugen ist.`,
          'Art. 32 Abs. 1 lit. d DSGVO',
          'business',
        ],
        ['Mit den Unterauftragsverarbeitern bestehen Verträge.', 'Art. 28 Abs. 4 DSGVO', 'contracts', 'processors'],
      ],
    },
  ];
}
