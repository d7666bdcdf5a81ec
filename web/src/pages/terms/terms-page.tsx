import { BACKUPS_KEPT_DAYS, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import { RENTED, type Rented } from '@feierbild/contract/rented.ts';
import { formatDay, formatList } from '../../lib/format.ts';
import { CANCELLED, useTerms, WITHDRAWAL_DAYS } from '../../lib/offer.ts';
import { useSite } from '../../lib/use-site.ts';
import styles from '../../ui/prose.module.css';
import { PublicPage } from '../../ui/public-page.tsx';

/** /agb: terms for rentals and for the photo service. */
export default function TermsPage() {
  const { business, today, said } = useSite();
  const { identity, contact } = business;
  const { offerValidDays, rentalHours, cleaning, cancellation, cocktails, rented } = useTerms();
  const things = (Object.keys(RENTED) as Rented[]).filter((thing) => rented?.[thing] !== false);
  const rents = things.length > 0;
  const hasCocktails = things.includes('cocktails');
  /** The sections in their order, without those on things that are not rented out. */
  const sections = ['scope', 'offer', 'prices', rents && 'handover', rents && 'cancellation', hasCocktails && 'cocktails'];
  const order = [...sections, 'photos', 'liability', 'withdrawal', 'end'].filter(Boolean);
  const number = (section: string): number => order.indexOf(section) + 1;
  return (
    <PublicPage title="Allgemeine Geschäftsbedingungen">
      <p className={styles.stand}>Stand: {formatDay(today)}</p>

      <h2>{number('scope')}. Geltung</h2>
      <p>
        Diese Bedingungen gelten für alle Verträge zwischen {identity.brand}, {identity.owner}, {identity.street}, {identity.zip}{' '}
        {identity.city} („wir“) und unseren Kundinnen und Kunden („Sie“) über{' '}
        {rents && `die Vermietung von ${formatList(things.map((thing) => RENTED[thing]))} sowie über `}
        den Fotodienst. Abweichende Bedingungen gelten nur, wenn wir ihnen in Textform zugestimmt haben.
      </p>

      <h2>{number('offer')}. Angebot und Vertragsschluss</h2>
      <p>
        Die Darstellung auf diesen Seiten ist noch kein Angebot. Auf Ihre Anfrage erhalten Sie ein Angebot in Textform; es gilt{' '}
        {offerValidDays} Tage. Der Vertrag kommt zustande, wenn Sie es innerhalb dieser Frist annehmen.
      </p>

      <h2>
        {number('prices')}. {rents ? 'Preise und Mietdauer' : 'Preise'}
      </h2>
      <p>
        Es gelten die Preise des Angebots.
        {rents &&
          ` Gemietet wird je ${rentalHours} Stunden; jede angefangene weitere Mietdauer von ${rentalHours} Stunden wird wie eine ganze berechnet. Lieferung, Aufbau und Abholung sind nur enthalten, wenn das Angebot sie nennt.`}
      </p>

      {rents && (
        <>
          <h2>{number('handover')}. Übergabe, Gebrauch und Rückgabe</h2>
          <p>
            Prüfen Sie die Mietsachen bei der Übergabe und sagen Sie uns gleich, wenn etwas fehlt oder nicht funktioniert. Gehen Sie sorgsam
            damit um, nutzen Sie sie nur für die vereinbarte Veranstaltung und geben Sie sie nicht an Dritte weiter.{' '}
            {things.includes('tents') && 'Zelte sind bei Sturm oder Gewitter zu räumen. '}Die Mietsachen kommen vollständig, sauber und
            pünktlich zurück.
          </p>
          <p>
            Kommt eine Mietsache verschmutzt zurück, berechnen wir die Reinigung mit {cleaning.eurosPerHour} Euro je Stunde, mindestens für{' '}
            {cleaning.minimumHours} {cleaning.minimumHours === 1 ? 'Stunde' : 'Stunden'}. Für Schäden und Verlust, die Sie zu vertreten
            haben, ersetzen Sie uns die Reparatur oder den Zeitwert.
          </p>

          <h2 id="stornierung">{number('cancellation')}. Stornierung von Mieten</h2>
          <p>
            Sie können eine Miete vor ihrem Beginn jederzeit in Textform stornieren. Wir berechnen dann den folgenden Anteil am Gesamtpreis.
            Ihnen bleibt der Nachweis, dass uns kein oder ein wesentlich geringerer Schaden entstanden ist (§&nbsp;309 Nr. 5 BGB).
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">Stornierung</th>
                <th scope="col">Anteil am Gesamtpreis</th>
              </tr>
            </thead>
            <tbody>
              {CANCELLED.map((when, n) => (
                <tr key={when}>
                  <td>{when}</td>
                  <td>{cancellation[n]} %</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}

      {hasCocktails && (
        <>
          <h2>{number('cocktails')}. Cocktailmaschine</h2>
          <p>
            Für die Cocktailmaschine mieten Sie ein Grundpaket. Es ist bis {cocktails.paidDaysBefore} Tage vor der Veranstaltung per
            Überweisung zu zahlen. Zusätzliche Cocktails sind auf Wunsch möglich; sie zählen ab dem {cocktails.included + 1}. Cocktail. Sie
            sichern uns zu, mindestens {cocktails.guaranteedShare} % der geplanten zusätzlichen Cocktails abzunehmen. Den Mehrverbrauch
            rechnen wir innerhalb von {cocktails.billedWithinDays} Tagen nach der Veranstaltung ab.
          </p>
          <p>
            Bei einer Stornierung gelten die Anteile aus Nummer {number('cancellation')} vom Preis des Grundpakets. Ab{' '}
            {cocktails.cancellationDays} Tagen vor Beginn kommen {cocktails.cancellationShare} % des geplanten Mehrverbrauchs hinzu. Auch
            hier bleibt Ihnen der Nachweis eines geringeren Schadens.
          </p>
        </>
      )}

      <h2>{number('photos')}. Fotodienst</h2>
      <p>
        Mit dem Fotodienst sammeln Sie die Fotos Ihrer Gäste: Die Gäste laden sie über einen Code hoch, Sie sehen sie in einer Galerie,
        zeigen sie in einer Slideshow und laden sie als ZIP herunter. Der Fotodienst ist in der Beta-Phase. Wir entwickeln ihn weiter und
        können Funktionen ändern, solange Ihr Zweck, die Fotos zu sammeln und zu erhalten, nicht leidet.
      </p>
      <ul>
        <li>
          <strong>Preis:</strong> Sie zahlen einmal je Event. Wie viel Speicher dazu gehört, steht im Angebot. Ist er voll, nimmt der Dienst
          keine weiteren Fotos an; was schon da ist, bleibt.
        </li>
        <li>
          <strong>Löschung:</strong> Spätestens {PHOTOS_KEPT_DAYS} Tage nach dem Ende des Events löschen wir alle Fotos und vernichten
          danach den Schlüssel. Laden Sie die Fotos vorher herunter.
          {said?.backups && ` Sicherungskopien behalten wir höchstens ${BACKUPS_KEPT_DAYS} Tage.`}
        </li>
        <li>
          <strong>Zugang:</strong> Ihr Passwort öffnet die Fotos. Geben Sie es nur Menschen, die alle Fotos sehen dürfen. Den Code des
          Events geben Sie Ihren Gästen.
        </li>
        <li>
          <strong>Erlaubte Inhalte:</strong> Hochgeladen werden darf nur, was der Hochladende teilen darf. Achten Sie das Recht am eigenen
          Bild (§&nbsp;22 KUG) und weisen Sie Ihre Gäste darauf hin. Verboten sind rechtswidrige Inhalte, vor allem solche, die Menschen
          entwürdigen, Kinder gefährden oder Rechte anderer verletzen.
        </li>
        <li>
          <strong>Meldungen:</strong> Wer ein Foto für rechtswidrig hält, kann es uns über die <a href="/kontakt">Kontaktseite</a> melden.
          Wir prüfen jede Meldung ohne automatisierte Mittel, entfernen rechtswidrige Fotos und können einen Zugang bei schweren oder
          wiederholten Verstößen sperren. Wer betroffen ist, erfährt den Grund und kann uns widersprechen (Art. 14 und 17 der Verordnung
          (EU) 2022/2065).
        </li>
      </ul>

      <h2>{number('liability')}. Haftung</h2>
      <p>
        Wir haften unbeschränkt für Vorsatz und grobe Fahrlässigkeit, für Schäden an Leben, Körper und Gesundheit und nach dem
        Produkthaftungsgesetz. Bei einfacher Fahrlässigkeit haften wir nur, wenn wir eine Pflicht verletzen, deren Erfüllung den Vertrag
        erst möglich macht und auf die Sie vertrauen dürfen, und nur für den vorhersehbaren, vertragstypischen Schaden. Im Übrigen ist
        unsere Haftung ausgeschlossen.
      </p>

      <h2 id="widerruf">{number('withdrawal')}. Widerruf</h2>
      <p>
        Sind Sie Verbraucherin oder Verbraucher, können Sie den Vertrag über den <strong>Fotodienst</strong> binnen {WITHDRAWAL_DAYS} Tagen
        ohne Angabe von Gründen widerrufen. Die Frist beginnt mit dem Vertragsschluss. Zum Widerruf genügt eine eindeutige Erklärung an{' '}
        {identity.brand}, {identity.street}, {identity.zip} {identity.city}, {contact.phone && `Telefon ${contact.phone.shown}, `}
        E&#8209;Mail {contact.email}, zum Beispiel: „Hiermit widerrufe ich den Vertrag über den Fotodienst für mein Event vom …“. Zur
        Wahrung der Frist genügt es, dass Sie die Erklärung vor ihrem Ablauf absenden.
      </p>
      <p>
        Widerrufen Sie, zahlen wir alle Zahlungen unverzüglich, spätestens binnen {WITHDRAWAL_DAYS} Tagen, auf demselben Weg zurück, auf dem
        wir sie erhalten haben. Haben Sie verlangt, dass der Dienst schon vorher beginnt, zahlen Sie den Teil, der bis zum Widerruf erbracht
        wurde. Das Widerrufsrecht erlischt, wenn wir den Dienst vollständig erbracht haben, nachdem Sie dem zugestimmt und Ihre Kenntnis
        davon bestätigt haben.
      </p>
      {rents && (
        <p>
          Für <strong>Mieten zu einem festen Termin</strong> besteht kein Widerrufsrecht (§&nbsp;312g Abs. 2 Nr. 9 BGB).
        </p>
      )}

      <h2>{number('end')}. Schluss</h2>
      <p>
        Es gilt deutsches Recht; zwingende Verbraucherrechte des Landes, in dem Sie wohnen, bleiben unberührt. Sind Sie Kaufmann, ist{' '}
        {identity.city} Gerichtsstand. Ist eine Bestimmung unwirksam, gelten die übrigen weiter. Wie wir mit Daten umgehen, steht auf der
        Seite <a href="/datenschutz">Datenschutz</a>.
      </p>
    </PublicPage>
  );
}
