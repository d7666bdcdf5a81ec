import {
  BACKUPS_KEPT_DAYS,
  DAY,
  DEMO_RESET,
  DEVICE_COOKIE,
  HOUR,
  KEPT_ON_DEVICE_DAYS,
  KNOWN_BROWSER_COOKIE,
  LANGUAGE_COOKIE,
  PHOTOS_KEPT_DAYS,
  UPLOAD_KEPT,
} from '@feierbild/contract/constants.ts';
import type { ReactNode } from 'react';
import type { PrivacyTexts } from '../../languages/spoken.ts';
import { DeviceLink } from './device-link.tsx';
import { keepersText } from './keepers.ts';
import { MONTHS, PROCESSING } from './processing.ts';
import { useReceiptKeys } from '../../lib/use-receipt-keys.ts';
import { useSite } from '../../lib/use-site.ts';
import { privacy } from '../../texts.ts';
import { said } from '../../texts/speech.ts';
import { Headline } from '../../ui/headline.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { BusinessCard, PublicPage } from '../../ui/public-page.tsx';
import styles from '../../ui/prose.module.css';
import { ReceiptKeys } from '../../ui/receipt-keys.tsx';

/** /datenschutz: the processing of photos and data, exactly as the product does it. */
export default function PrivacyPage() {
  const { business, said: checked } = useSite();
  const { identity, privacy: declared, contact, disputes, map } = business;
  const receiptKeys = useReceiptKeys();
  const abroad = contact.whatsapp !== undefined || map !== undefined;
  const { hosting } = declared;
  const ownServer = hosting && [identity.brand, identity.owner].includes(hosting.name);
  return (
    <Page>
      <p className={styles.stand}>
        Stand {privacy.stand}
        {declared.privacyUpdated && `, ergänzt am ${declared.privacyUpdated}`}
      </p>

      <h2>Das Wichtigste in Kürze</h2>
      <ul>
        <li>
          Gäste brauchen kein Konto. Alle Fotos bekommt der Gastgeber; zeigt er eine Slideshow, öffnet er die Galerie für Gäste, macht er
          ein Foto zum Titelbild oder gibt er Links weiter, sehen sie auch andere. Wer ein Foto sehen wird, steht auf der Upload-Seite,
          bevor es gesendet wird.
        </li>
        <li>Fotos werden verschlüsselt gespeichert und spätestens {PHOTOS_KEPT_DAYS} Tage nach dem Event gelöscht.</li>
        <li>Es gibt keine Werbung, keine Auswertung Ihres Verhaltens, nichts von fremden Servern und deshalb keinen Cookie-Hinweis.</li>
      </ul>

      <h2>1. Verantwortlich</h2>
      <BusinessCard />
      {declared.dpo && <p>Datenschutzbeauftragte Person: {declared.dpo}</p>}
      <p>
        Welche Fotos bei einem Event gesammelt werden und wer sie bekommt, entscheidet der Gastgeber. Bei privaten Feiern sind wir für den
        Betrieb des Dienstes verantwortlich. Ist der Gastgeber ein Unternehmen oder ein Verein, ist er selbst verantwortlich, und wir
        verarbeiten die Fotos in seinem Auftrag (Art. 28 DSGVO).
      </p>

      <h2>2. Wie Fotos geschützt sind</h2>
      <p>{privacy.encryption}</p>
      {checked?.https && (
        <p>
          Auf dem Weg zwischen Ihrem Gerät und dem Server schützt TLS 1.2/1.3 alle Daten; Sie erkennen es am „https“ in der Adresszeile.
        </p>
      )}
      <p>
        Der Gastgeber kann die Fotos seines Events entschlüsseln, ansehen und herunterladen; er erhält die Originale, auch mit Aufnahmeort,
        falls er gespeichert ist. Download-Links, die an andere gehen, liefern das Foto ohne Aufnahmeort.
      </p>

      <p>Ob Gäste die Fotos der anderen sehen, stellt der Gastgeber für sein Event ein:</p>
      <ul>
        <li>
          <strong>Briefkasten</strong> (so beginnt jedes Event): Fotos sieht nur der Gastgeber, und jeder Gast seine eigenen.
        </li>
        <li>
          <strong>Offen</strong>: Wer den Link zur Galerie hat oder mit diesem Gerät schon Fotos geschickt hat, sieht alle Fotos, die
          gezeigt werden, mit dem Namen des Gastes, wenn der Gastgeber Namen zeigt, aber ohne Dateinamen, Aufnahmezeit und Aufnahmeort. Nur
          wenn der Gastgeber es erlaubt, können Gäste Originale herunterladen, immer ohne Aufnahmeort.
        </li>
        <li>
          <strong>Enthüllung</strong>: dasselbe ab einem Moment, den der Gastgeber bestimmt; bis dahin sehen Gäste nur, wie viele Fotos es
          sind. Enthüllt er selbst, gibt es bis dahin keinen Schlüssel für Gäste. Hat er eine Uhrzeit eingestellt, sind die Schlüssel schon
          da, und der Server hält die Fotos bis dahin zurück.
        </li>
      </ul>
      <p>
        Davon unabhängig zeigt eine Slideshow allen vor Ort, was der Gastgeber nicht zurückhält; vor einer Enthüllung nur, wenn er das nicht
        abstellt.
      </p>
      <p>
        Mit „Freigabe“ zeigt der Gastgeber jedes neue Foto erst, nachdem er oder eine Person, der er einen eigenen Link dafür gibt, es
        angesehen hat. Hat er eingestellt, dass ein Foto ohne Entscheidung nach einiger Zeit von selbst gezeigt wird, sind die Schlüssel für
        Gäste schon vorher da, und der Server hält es bis dahin zurück. Was sonst nicht gezeigt wird, kann kein Schlüssel eines Gastes
        öffnen; nimmt der Gastgeber ein Foto heraus, wird dessen Schlüssel für Gäste gelöscht. Wer ein Foto schon angesehen hat, kann es
        behalten haben.
      </p>
      <p>
        Der Gastgeber kann einem <strong>Programm</strong>, etwa zum Sichern bei ihm zu Hause, Zugang geben: Es liest dann alle Fotos des
        Events, wie er selbst, ändert aber nichts. Der Zugang endet, wenn er ihn beendet oder ein neues Passwort bekommt, spätestens mit der
        Löschung der Fotos.
      </p>
      <p>
        Ein <strong>Titelbild</strong>, das der Gastgeber für sein Event wählt, ist öffentlich: Es wird verkleinert, ohne Aufnahmeort und
        unverschlüsselt gespeichert, und wer die Adresse oder den Code des Events hat, sieht es auch ohne Passwort. Gelöscht wird es mit dem
        Foto, aus dem es gemacht ist, und mit den Fotos des Events.
      </p>

      <h2>3. Was wir verarbeiten, wozu und wie lange</h2>
      <dl className={styles.list}>
        {PROCESSING.map(({ what, why, until }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>Wozu: {why}.</dd>
            <dd>Wie lange: {until}.</dd>
          </div>
        ))}
      </dl>
      <p>
        Sie müssen uns keine Daten geben. Ohne Gerätekennung und Fotos können Sie aber nichts hochladen, ohne Zugangsdaten kein Event
        verwalten.
      </p>

      <h2>4. Was in Ihrem Browser gespeichert wird</h2>
      <p>Nur, was für den Dienst nötig ist, den Sie aufrufen (§&nbsp;25 Abs. 2 Nr. 2 TDDDG):</p>
      <ul>
        <li>
          ein Cookie und ein Speichereintrag mit der zufälligen Gerätekennung ({DEVICE_COOKIE / DAY} Tage): damit Ihre Fotos Ihre bleiben,
        </li>
        <li>
          der Name, den Sie eingeben, und bei welchen Events Sie diesen Hinweisen zugestimmt haben: damit Sie es nicht noch einmal tun
          müssen,
        </li>
        <li>
          Fotos, die Sie auswählen, als Kopie mit Name, Größe und Zeit der Datei, bis sie angekommen sind, Sie sie wieder herausnehmen oder
          das Hochladen beenden, und die Vermerke, dass es sie gibt und dass der Browser gebeten wurde, sie zu behalten: damit nichts
          verloren geht, wenn Netz oder Browser ausfallen,
        </li>
        <li>ein Cookie mit der Sprache, die Sie auf Seiten für Gäste gewählt haben ({LANGUAGE_COOKIE / DAY} Tage),</li>
        <li>Größe und Zeit von Dateien, solange der Browser eine Vorschau von ihnen zeichnet: damit er an keiner zweimal abstürzt,</li>
        <li>
          bei Gastgebern und gesperrten Slideshows ein Sitzungs-Cookie und die Einstellung, ob die Slideshow den QR-Code zeigt, bei
          Gastgebern auch der Text, den sie zum Link schreiben,
        </li>
        <li>in der Galerie für Gäste und bei der Freigabe ein Sitzungs-Cookie, damit der Link nur einmal nötig ist,</li>
        <li>bei der Verwaltung ein Sitzungs-Cookie und welche Zeilen der Event-Liste aufgeklappt sind,</li>
        <li>
          nach einer Anmeldung ein Cookie, an dem die Anmeldung diesen Browser wiedererkennt ({KNOWN_BROWSER_COOKIE / DAY} Tage): damit
          Fehlversuche anderer am selben Anschluss Sie nicht aussperren.
        </li>
      </ul>
      <p>
        Schließen Sie die Upload-Seite, bevor alles angekommen ist, bleiben die Kopien in Ihrem Browser liegen. Dann entfernt sie erst Ihr
        nächster Besuch: auf der Upload-Seite desselben Events, sobald alles angekommen ist oder die Fotos des Events gelöscht sind; auf der
        eines anderen nach {KEPT_ON_DEVICE_DAYS} Tagen, und zwar wenn Sie danach an zwei Tagen eine öffnen; auf jeder nach einem Tag, wenn
        Sie nie auf „Hochladen“ gedrückt haben. Kommen Sie nicht wieder, etwa an einem geliehenen Gerät, löschen Sie die Daten dieser
        Website in den Einstellungen des Browsers: Das entfernt alles sofort.
      </p>

      <h2>5. Löschung</h2>
      <p>
        Fotos werden automatisch gelöscht, spätestens {PHOTOS_KEPT_DAYS} Tage nach dem Event; danach wird der Schlüssel vernichtet. Gäste
        können ihre eigenen Fotos auf der Upload-Seite ansehen, herunterladen und löschen. Bitten um Löschung anderer Fotos richten Sie an
        den Gastgeber, denn er entscheidet über seine Galerie. Erreichen Sie ihn nicht oder ist ein Foto rechtswidrig, melden Sie es uns
        über die <a href="/kontakt">Kontaktseite</a> oder an <a href={`mailto:${disputes.reportEmail}`}>{disputes.reportEmail}</a>.
      </p>
      <p>
        Bricht das Hochladen eines Fotos ab, bleibt {UPLOAD_KEPT / HOUR} Stunden lang verschlüsselt liegen, was schon angekommen ist, damit
        es weitergehen kann. Öffnen kann das nur das Gerät, das es hochlädt. Damit ein Foto gleich zu sehen ist, sendet das Gerät vor dem
        Original eine kleine Vorschau davon, ohne Aufnahmeort und andere Angaben. Sie wird wie das Foto verschlüsselt, gezeigt und gelöscht,
        auch wenn das Original nie kommt.
      </p>
      <p>
        {checked?.backups && `Sicherungskopien werden höchstens ${BACKUPS_KEPT_DAYS} Tage aufbewahrt. `}
        Sicherungskopien enthalten, solange es sie gibt, auch schon Gelöschtes und lassen sich mit denselben Passwörtern öffnen. Was vom
        Event selbst bleibt (Code, Titel, Untertitel, Tage, Einstellungen), löschen wir {MONTHS} Monate nach den Fotos, Einträge im
        Protokoll der Verwaltung und Meldungen {MONTHS} Monate nach ihrem Eingang.
      </p>
      <p>
        Über jede Löschung eines Events schreibt der Dienst ein Löschprotokoll ohne Namen: wie viele Fotos und Videos, wie viele Bytes, wann
        die Schlüssel vernichtet waren. Wir bewahren es {MONTHS} Monate auf (Art. 5 Abs. 2 DSGVO). Es ist unterschrieben; mit dem Programm{' '}
        <a href="/verify_receipt.py">verify_receipt.py</a> und diesem Schlüssel prüft es jeder selbst:
      </p>
      <ReceiptKeys read={receiptKeys} />

      <h2>6. Live-Demo</h2>
      <p>
        Was Sie in der öffentlichen Demo hochladen, sieht nur Ihr eigener Browser. Alle {DEMO_RESET / HOUR} Stunden wird die Demo
        vollständig gelöscht und neu angelegt.
      </p>

      <h2>7. Wer Daten erhält</h2>
      <p>
        Der Gastgeber erhält die Fotos seines Events, und Gäste, was er ihnen zeigt (Abschnitt 2).{' '}
        {hosting
          ? `Der Server steht bei ${hosting.name}, ${hosting.address}, ${hosting.country}`
          : 'Den Server betreiben wir selbst oder bei einem Anbieter, der die Daten in unserem Auftrag verarbeitet'}
        {hosting && !ownServer && '; der Anbieter verarbeitet die Daten in unserem Auftrag'}. {keepersText(checked?.keepers ?? [])} Schicken
        wir dem Gastgeber Mails, tut das ein Mailanbieter in unserem Auftrag. Richten wir Programme ein, die Events anlegen, verwalten oder
        im Kalender zeigen, erfahren sie deren Titel, Tage, Code und Auftragsnummer, aber weder Fotos noch Namen von Gästen. Ein solches
        Programm kann auch außerhalb der EU betrieben werden.{' '}
        {checked?.eea !== true
          ? `Dabei können Daten auch in Länder außerhalb der EU gelangen${abroad ? ', ebenso, wenn Sie selbst einen der folgenden Wege wählen:' : '.'}`
          : abroad
            ? 'Davon abgesehen übermitteln wir Daten nur dann in Länder außerhalb der EU, wenn Sie selbst einen der folgenden Wege wählen:'
            : 'Davon abgesehen übermitteln wir keine Daten in Länder außerhalb der EU.'}
      </p>
      {abroad && (
        <ul>
          {contact.whatsapp && (
            <li>
              <strong>WhatsApp:</strong> Schreiben Sie uns dort, verarbeitet die WhatsApp Ireland Ltd. Ihre Nachricht und Ihre Nummer, auch
              in den USA. Telefon und E&#8209;Mail sind gleichwertig.
            </li>
          )}
          {map && (
            <li>
              <strong>Karte:</strong> Die Karte auf der Kontaktseite lädt erst nach Ihrem Klick. Dann erhält die OpenStreetMap Foundation
              (Vereinigtes Königreich) Ihre IP&#8209;Adresse.
            </li>
          )}
        </ul>
      )}

      <h2>8. Ihre Rechte</h2>
      <p>
        Sie haben das Recht auf Auskunft, Berichtigung, Löschung, Einschränkung der Verarbeitung und Datenübertragbarkeit (Art. 15 bis 20
        DSGVO). Verarbeitungen, die auf einem berechtigten Interesse beruhen, können Sie widersprechen (Art. 21 DSGVO). Schreiben Sie an{' '}
        <a href={`mailto:${contact.email}`}>{contact.email}</a>. Weil wir Gäste nur an der Kennung ihres Geräts erkennen, gelingt vieles am
        schnellsten auf der Upload-Seite des Events. Möchten Sie Auskunft oder Löschung lieber von uns, nennen Sie uns die Kennung, unter
        der wir dieses Gerät bei einem Event kennen. Sie öffnet nichts und verrät uns nicht, wer Sie sind:
      </p>
      <DeviceLink />
      <p>
        Sie können sich bei einer Aufsichtsbehörde beschweren; für {identity.brand} zuständig ist: {declared.dataProtectionAuthority}.
        Automatisierte Entscheidungen über Sie gibt es nicht.
      </p>
    </Page>
  );
}

/** Frames the text. In languages other than German, the essentials for guests stand above the German text, which is binding. */
function Page({ children }: { children: ReactNode }) {
  const { email } = useSite().business.contact;
  const own = said<PrivacyTexts | null>('privacy', null);
  if (!own) return <PublicPage title="Datenschutz">{children}</PublicPage>;
  return (
    <PageShell width="reading">
      <div className={styles.prose}>
        <Headline>{own.title}</Headline>
        <h2>{own.essentials}</h2>
        <ul>
          {[...own.points, own.rights(email)].map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
        <p>
          <strong>{own.binding}</strong>
        </p>
      </div>
      <div className={styles.prose} lang="de" dir="ltr">
        {children}
      </div>
    </PageShell>
  );
}
