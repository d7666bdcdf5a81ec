import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
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
  type LucideIcon,
} from 'lucide-react';
import { useSite } from '../../lib/use-site.ts';
import styles from './home-page.module.css';
import { Screenshot } from './screenshot.tsx';

/** What a host wants to know first, and what is true of every installation; where its server stands, the operator names. */
export function Promises() {
  const { country } = useSite().business.privacy.hosting;
  return (
    <ul className={styles.promises} aria-label="Worauf Sie sich verlassen können">
      <li>
        <Server size={22} /> Server in {country}
      </li>
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

/** How it works, each step with the product's own picture of it. */
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

interface Card {
  Icon: LucideIcon;
  title: string;
  text: string;
}

const OCCASIONS: Pick<Card, 'Icon' | 'title'>[] = [
  { Icon: HeartHandshake, title: 'Hochzeit' },
  { Icon: Cake, title: 'Geburtstag' },
  { Icon: Building2, title: 'Firmenfeier' },
  { Icon: Users, title: 'Vereinsfest' },
];

/** What people celebrate with it, in one line. */
export function Occasions() {
  return (
    <section aria-labelledby="anlaesse" className={styles.occasions}>
      <h2 id="anlaesse">Für jedes Fest</h2>
      <ul>
        {OCCASIONS.map(({ Icon, title }) => (
          <li key={title}>
            <Icon size={22} /> {title}
          </li>
        ))}
      </ul>
    </section>
  );
}

const FEATURES: Card[] = [
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
