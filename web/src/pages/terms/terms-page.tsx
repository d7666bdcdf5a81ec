import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { berlinDay } from '@feierbild/contract/berlin.ts';
import { useState } from 'react';
import { formatDay } from '../../lib/format.ts';
import styles from '../../ui/prose.module.css';
import { PublicPage } from '../../ui/public-page.tsx';

const CANCELLATION = [
  ['bis 30 Tage vor Beginn', '15 %'],
  ['bis 14 Tage vor Beginn', '30 %'],
  ['bis 7 Tage vor Beginn', '60 %'],
  ['bis 3 Tage vor Beginn', '80 %'],
  ['weniger als 3 Tage vor Beginn', '100 %'],
];

/** /agb: terms for rentals and for the photo service. */
export default function TermsPage() {
  const [today] = useState(() => berlinDay(Date.now()));
  return (
    <PublicPage>
      <div className={styles.prose}>
        <h1 tabIndex={-1}>Allgemeine Geschäftsbedingungen</h1>
        <p className={styles.stand}>Stand: {formatDay(today)}</p>
        <h2>Geltung</h2>
        <p>
          Diese Bedingungen gelten für die Vermietung von Cocktailmaschinen, Beamern, Partyzelten, Stehtischen und Bierzeltgarnituren und
          für den Fotodienst.
        </p>
        <h2>Angebote und Preise</h2>
        <p>
          Angebote gelten 14 Tage. Gemietet wird je 24 Stunden. Wird die Mietsache verschmutzt zurückgegeben, berechnen wir die Reinigung
          mit 40 Euro je Stunde, mindestens eine Stunde.
        </p>
        <h2>Rücktritt</h2>
        <p>
          Treten Sie von einer Miete zurück, berechnen wir diesen Anteil am Gesamtpreis. Ihnen bleibt der Nachweis, dass uns weniger Schaden
          entstanden ist.
        </p>
        <table>
          <thead>
            <tr>
              <th scope="col">Rücktritt</th>
              <th scope="col">Anteil</th>
            </tr>
          </thead>
          <tbody>
            {CANCELLATION.map(([when, share]) => (
              <tr key={when}>
                <td>{when}</td>
                <td>{share}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <h2>Cocktailmaschine</h2>
        <p>
          Für die Cocktailmaschine gelten dieselben Anteile vom Preis des Grundpakets; ab 3 Tagen vor Beginn kommen 50 % des geplanten
          Mehrverbrauchs hinzu. Das Grundpaket ist bis 7 Tage vor der Veranstaltung per Überweisung zu zahlen, der Mehrverbrauch wird
          innerhalb von 14 Tagen abgerechnet. Zusätzliche Cocktails zählen ab dem 101.; mindestens 50 % der vereinbarten nehmen Sie ab.
        </p>
        <h2>Fotodienst</h2>
        <p>
          Der Fotodienst ist in der Beta-Phase. Fotos bleiben {PHOTOS_KEPT_DAYS} Tage nach dem Event gespeichert und werden dann gelöscht;
          laden Sie sie vorher herunter. Laden Sie nur Fotos hoch, die Sie teilen dürfen; achten Sie das Recht am eigenen Bild (§ 22 KUG).
          Rechtswidrige Inhalte entfernen wir auf Hinweis (Art. 14 DSA).
        </p>
        <h2 id="widerruf">Widerruf</h2>
        <p>
          Beim Fotodienst können Sie Ihren Vertrag binnen 14 Tagen ohne Angabe von Gründen widerrufen; eine formlose Nachricht an uns
          genügt. Für Mieten zu einem festen Termin besteht kein Widerrufsrecht (§ 312g Abs. 2 Nr. 9 BGB).
        </p>
      </div>
    </PublicPage>
  );
}
