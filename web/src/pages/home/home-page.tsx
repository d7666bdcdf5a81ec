import { DEMO_PHOTOS, DEMO_RESET, HOUR, PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import type { Prices as PriceList } from '@feierbild/contract/offer.ts';
import {
  Building2,
  Cake,
  Cookie,
  Download,
  HeartHandshake,
  Lock,
  MonitorPlay,
  QrCode,
  Server,
  Smartphone,
  Timer,
  Users,
} from 'lucide-react';
import { formatNumber } from '../../lib/format.ts';
import { formatEuros } from '../../lib/german-format.ts';
import { MEGABYTES_PER_PHOTO, requestPath, usePrices } from '../../lib/offer.ts';
import { useSite } from '../../lib/use-site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PublicPage } from '../../ui/public-page.tsx';
import { demoLogin, Hero, Screenshot } from './hero.tsx';
import styles from './home-page.module.css';

/** /: the code comes first, because most people who type the address are guests; then the product. */
export default function HomePage() {
  return (
    <PublicPage contact>
      <div className={styles.page}>
        <Hero />
        <Promises />
        <Steps />
        <DemoSection />
        <Features />
        <Occasions />
        {!usePrices().hidden && <Prices />}
      </div>
    </PublicPage>
  );
}

/** The main facts for hosts, true of every installation. The country is named only if no processor is in another one. */
export function Promises() {
  const { business, said } = useSite();
  const { hosting } = business.privacy;
  const isOneCountry = hosting && (said?.keepers ?? []).every(({ country }) => country === hosting.country);
  return (
    <ul className={styles.promises} aria-label="Worauf Sie sich verlassen können">
      {isOneCountry && (
        <li>
          <Server size={22} /> Server in {hosting.country}
        </li>
      )}
      <li>
        <Cookie size={22} /> Kein Tracking, kein Cookie-Banner
      </li>
      <li>
        <Timer size={22} /> Nach {PHOTOS_KEPT_DAYS} Tagen gelöscht
      </li>
    </ul>
  );
}

const STEPS = [
  {
    title: 'Code auslegen',
    text: 'Sie drucken Karten mit dem QR-Code und stellen sie auf die Tische. Gäste scannen ihn mit der Kamera ihres Handys.',
    className: styles.table,
    picture: { name: 'karte', width: 420, height: 592, pixels: 840 },
    alt: 'Tischkarte mit QR-Code, Code und drei Worten: Scannen. Auswählen. Fertig.',
  },
  {
    title: 'Fotos sammeln',
    text: 'Jeder wählt aus, was schön geworden ist. Das Hochladen geht weiter, auch wenn das Netz kurz fehlt, und auf dem Beamer erscheinen die Bilder nach Sekunden.',
    className: styles.wall,
    picture: { name: 'leinwand', width: 1440, height: 810, pixels: 1440 },
    alt: 'Die Slideshow auf der Leinwand: ein Foto, unten rechts der QR-Code',
  },
  {
    title: 'Gemeinsam erinnern',
    text: 'Am Morgen danach laden Sie alles in voller Qualität herunter: einzeln, als Auswahl oder in einem ZIP.',
    className: styles.screen,
    picture: { name: 'galerie', width: 1440, height: 900, pixels: 1440 },
    alt: 'Die Galerie eines Events mit vielen Fotos, nach Tagen geordnet',
  },
];

/** The steps of use, each with a picture of the product. */
export function Steps() {
  return (
    <section aria-labelledby="schritte">
      <h2 id="schritte" className={styles.title}>
        In drei Schritten
      </h2>
      <ol className={styles.steps}>
        {STEPS.map(({ title, text, className, picture, alt }) => (
          <li key={title}>
            <div>
              <h3>{title}</h3>
              <p>{text}</p>
            </div>
            <figure className={className}>
              <Screenshot {...picture} alt={alt} />
            </figure>
          </li>
        ))}
      </ol>
    </section>
  );
}

const OCCASIONS = [
  { Icon: HeartHandshake, title: 'Hochzeit' },
  { Icon: Cake, title: 'Geburtstag' },
  { Icon: Building2, title: 'Firmenfeier' },
  { Icon: Users, title: 'Vereinsfest' },
];

/** The occasions, in one line. */
export function Occasions() {
  return (
    <section aria-labelledby="anlaesse" className={styles.occasions}>
      <h2 id="anlaesse">Für jedes Fest</h2>
      <ul className="bare">
        {OCCASIONS.map(({ Icon, title }) => (
          <li key={title}>
            <Icon size={22} /> {title}
          </li>
        ))}
      </ul>
    </section>
  );
}

const FEATURES = [
  {
    Icon: Smartphone,
    title: 'Ohne App, ohne Konto',
    text: 'Code scannen, Namen eingeben, Fotos auswählen. Das geht auf jedem Handy mit Browser.',
  },
  { Icon: Download, title: 'Volle Qualität', text: 'Sie bekommen jede Datei genau so, wie sie aufgenommen wurde, auch HEIC vom iPhone.' },
  {
    Icon: Lock,
    title: 'Verschlüsselt gespeichert',
    text: 'Jedes Foto hat seinen eigenen Schlüssel (AES-256). Geöffnet wird er mit dem Passwort des Gastgebers.',
  },
  {
    Icon: MonitorPlay,
    title: 'Live auf dem Beamer',
    text: 'Die Slideshow zeigt neue Fotos von selbst, die ganze Nacht. Was nicht passt, nehmen Sie heraus.',
  },
  {
    Icon: QrCode,
    title: 'Karten für die Tische',
    text: 'Drei Entwürfe mit QR-Code, als Karte, Aufsteller oder Plakat, fertig zum Drucken.',
  },
  {
    Icon: Timer,
    title: 'Und dann ist Schluss',
    text: `${PHOTOS_KEPT_DAYS} Tage nach dem Event werden alle Fotos gelöscht und ihre Schlüssel vernichtet.`,
  },
];

export function Features() {
  return (
    <section aria-labelledby="funktionen">
      <h2 id="funktionen" className={styles.title}>
        Was dabei ist
      </h2>
      <ul className={styles.cards}>
        {FEATURES.map(({ Icon, title, text }) => (
          <li key={title}>
            <Icon size={26} />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The public demo, if the operator has switched it on. */
export function DemoSection() {
  const { demo } = useSite();
  if (!demo) return null;
  return (
    <section className={styles.demo} aria-labelledby="demo">
      <div>
        <h2 id="demo" className={styles.title}>
          Live-Demo
        </h2>
        <p>
          Sehen Sie sich das Event eines Gastgebers an: Galerie, Slideshow und ZIP, mit gezeichneten Beispielfotos. Was Sie selbst hochladen
          (bis {DEMO_PHOTOS} Fotos), sieht nur Ihr Browser. Alle Daten der Demo werden alle {DEMO_RESET / HOUR} Stunden gelöscht.
        </p>
      </div>
      <div className={styles.demoAccess}>
        <dl>
          <div>
            <dt>Code</dt>
            <dd>{demo.code}</dd>
          </div>
          <div>
            <dt>Passwort</dt>
            <dd>{demo.password}</dd>
          </div>
        </dl>
        <ButtonLink href={demoLogin(demo)} wide>
          Mit diesen Daten anmelden
        </ButtonLink>
      </div>
    </section>
  );
}

const offersOf = ({ packages, individual }: PriceList) => [
  ...packages.map(({ name, price, photos, gigabytes, popular = false }) => ({
    name,
    price: formatEuros(price),
    photos: `ca. ${formatNumber(photos)} Fotos`,
    storage: `${formatNumber(gigabytes)} GB Speicher`,
    popular,
  })),
  {
    name: individual.name,
    price: 'auf Anfrage',
    photos: 'mehr Fotos',
    storage: `${formatNumber(individual.gigabytes)}+ GB Speicher`,
    popular: false,
  },
];

/** The price table; during the beta each package has to be requested. */
export function Prices() {
  const { tax } = useSite().business;
  const offers = offersOf(usePrices());
  return (
    <section aria-labelledby="preise">
      <h2 id="preise" className={styles.title}>
        Preise
      </h2>
      <p className={styles.lead}>
        Einmal zahlen, so viele Gäste einladen, wie Sie wollen. In jedem Paket bleiben die Fotos bis {PHOTOS_KEPT_DAYS} Tage nach dem Event
        gespeichert.
      </p>
      <ul className={styles.prices}>
        {offers.map(({ name, price, photos, storage, popular }) => (
          <li key={name} className={popular ? styles.popular : undefined}>
            <h3>
              {name}
              {popular && <span>beliebt</span>}
            </h3>
            <p className={styles.price}>{price}</p>
            <p className={styles.photos}>{photos}</p>
            <p className={styles.storage}>{storage}</p>
            <ButtonLink href={requestPath(name)} look={popular ? 'primary' : 'secondary'} wide>
              {name} anfragen
            </ButtonLink>
          </li>
        ))}
      </ul>
      <p className={styles.footnote}>
        Einmalige Zahlung je Event, kein Abo, {tax.smallBusiness ? 'keine Umsatzsteuer nach §\u00a019 UStG' : 'inkl. MwSt.'}. Die Zahl der
        Fotos ist geschätzt, mit <span className={styles.together}>ca. {MEGABYTES_PER_PHOTO} MB</span> je Foto; mehr passen hinein, solange
        der Speicher reicht.
      </p>
    </section>
  );
}
