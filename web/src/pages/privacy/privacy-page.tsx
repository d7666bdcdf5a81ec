import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { useSite } from '../../lib/use-site.ts';
import { BusinessCard } from '../../ui/business-card.tsx';
import styles from '../../ui/prose.module.css';
import { PublicPage } from '../../ui/public-page.tsx';

/** /datenschutz: what happens to photos and data, exactly as the product does it. */
export default function PrivacyPage() {
  const business = useSite()?.business;
  return (
    <PublicPage>
      <div className={styles.prose}>
        <h1 tabIndex={-1}>Datenschutz</h1>
        <p className={styles.stand}>
          Stand 06.03.2025{business?.privacy.privacyUpdated && `, ergänzt am ${business.privacy.privacyUpdated}`}
        </p>
        <h2>Verantwortlich</h2>
        <BusinessCard business={business} />
        {business?.privacy.dpo && <p>Datenschutzbeauftragte: {business.privacy.dpo}</p>}
        <p>
          Wer ein Event veranstaltet (der Gastgeber), entscheidet, welche Fotos gesammelt werden. Wir speichern sie für ihn. Bitten um
          Löschung richten Sie deshalb zuerst an den Gastgeber; Gäste können ihre eigenen Fotos auf der Upload-Seite selbst ansehen,
          herunterladen und löschen.
        </p>
        <h2>Verschlüsselung</h2>
        <p>
          Fotos werden verschlüsselt gespeichert (AES-256). Aus Datenbank, Fotospeicher und Konfiguration allein kann der Anbieter keine
          Fotos lesen. Öffnen können sie der Gastgeber mit seinem Passwort, das hochladende Gerät seine eigenen und, wer einen gültigen
          Download-Link hat, dieses Foto. Beim Hochladen und Abrufen verarbeitet der Server sie kurz unverschlüsselt im Arbeitsspeicher. Die
          Verwaltung hat keine Fotoansicht; technisch könnte der Anbieter durch Zurücksetzen des Gastgeber-Passworts Zugang erlangen; jede
          Rücksetzung wird protokolliert und dem Gastgeber angezeigt.
        </p>
        <p>Auf dem Weg schützt TLS 1.2/1.3 die Übertragung, wo der Betreiber die Seite über https anbietet.</p>
        <h2>Was wir verarbeiten</h2>
        <ul>
          <li>
            Fotos mit ihren Metadaten (etwa Aufnahmezeit und -ort), Dateiname und der Name, den Sie angeben: damit der Gastgeber sie erhält
            (Art. 6 Abs. 1 lit. b DSGVO).
          </li>
          <li>
            Eine zufällige Gerätekennung in einem Cookie und im Speicher Ihres Browsers: damit Ihre Fotos Ihnen gehören (§ 25 Abs. 2 TDDDG).
          </li>
          <li>Der Name, den Sie eingeben, im Speicher Ihres Browsers: damit Sie ihn nicht noch einmal eingeben müssen.</li>
          <li>Ob ein Gastgeber in der Slideshow den QR-Code einblendet, im Speicher seines Browsers.</li>
          <li>Sitzungs-Cookies für Gastgeber, gesperrte Slideshow und Verwaltung; keine anderen Cookies, nichts von fremden Servern.</li>
          <li>
            Zugriffe nur mit gekürzter IP-Adresse; im Protokoll von Anmeldungen und Änderungen werden IP-Adressen nach 7 Tagen anonymisiert.
          </li>
        </ul>
        <h2>Löschung</h2>
        <p>
          Fotos werden spätestens {PHOTOS_KEPT_DAYS} Tage nach dem Event automatisch gelöscht, danach wird der Schlüssel vernichtet.
          Sicherungskopien werden höchstens 14 Tage aufbewahrt und lassen sich bis dahin mit denselben Passwörtern öffnen.
        </p>
        <h2>Empfänger</h2>
        {business && (
          <p>
            Der Server steht bei {business.privacy.hosting.name}, {business.privacy.hosting.address}, {business.privacy.hosting.country}.
          </p>
        )}
        <h2>Ihre Rechte</h2>
        <p>
          Sie haben das Recht auf Auskunft, Berichtigung, Löschung, Einschränkung, Datenübertragbarkeit und Widerspruch (Art. 15 bis 21
          DSGVO) und können sich bei der Aufsichtsbehörde beschweren{business && ` (${business.privacy.dataProtectionAuthority})`}.
          Automatisierte Entscheidungen gibt es nicht.
        </p>
      </div>
    </PublicPage>
  );
}
