import { PHOTOS_KEPT_DAYS } from '@feierbild/contract/constants.ts';
import {
  Building2,
  Cake,
  Download,
  HeartHandshake,
  Lock,
  MonitorPlay,
  QrCode,
  Smartphone,
  Timer,
  Users,
  type LucideIcon,
} from 'lucide-react';
import styles from './home-page.module.css';

const STEPS = [
  {
    title: 'Code auslegen',
    text: 'Sie drucken Karten mit dem QR-Code und stellen sie auf die Tische. Gäste scannen ihn mit der Kamera ihres Handys.',
  },
  {
    title: 'Fotos sammeln',
    text: 'Jeder wählt aus, was schön geworden ist. Das Hochladen geht weiter, auch wenn das Netz kurz fehlt, und auf dem Beamer erscheinen die Bilder nach Sekunden.',
  },
  {
    title: 'Gemeinsam erinnern',
    text: 'Am Morgen danach laden Sie alles in voller Qualität herunter: einzeln, als Auswahl oder in einem ZIP.',
  },
];

export function Steps() {
  return (
    <section aria-labelledby="schritte">
      <h2 id="schritte" className={styles.title}>
        In drei Schritten
      </h2>
      <ol className={styles.steps}>
        {STEPS.map(({ title, text }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
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

const OCCASIONS: Card[] = [
  {
    Icon: HeartHandshake,
    title: 'Hochzeit',
    text: 'Hundert Gäste, hundert Blickwinkel: auch die Bilder, die der Fotograf nicht sieht.',
  },
  { Icon: Cake, title: 'Geburtstag', text: 'Vom Auspusten der Kerzen bis zur Tanzfläche, ohne danach in zehn Chats zu suchen.' },
  { Icon: Building2, title: 'Firmenfeier', text: 'Ein Ort für alle Fotos, mit Passwort geschützt und pünktlich wieder gelöscht.' },
  { Icon: Users, title: 'Vereinsfest', text: 'Jung und Alt machen mit: Ein Name genügt, mehr wird nicht gefragt.' },
];

/** What people celebrate with it. */
export function Occasions() {
  return <Cards id="anlaesse" title="Für jedes Fest" cards={OCCASIONS} />;
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
  { Icon: QrCode, title: 'Karten für die Tische', text: 'QR-Code und Anleitung im Format A6, fertig zum Drucken und Ausschneiden.' },
  {
    Icon: Timer,
    title: 'Und dann ist Schluss',
    text: `${PHOTOS_KEPT_DAYS} Tage nach dem Event werden alle Fotos gelöscht und ihre Schlüssel vernichtet.`,
  },
];

export function Features() {
  return <Cards id="funktionen" title="Was dabei ist" cards={FEATURES} />;
}

function Cards({ id, title, cards }: { id: string; title: string; cards: Card[] }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      <ul className={cards.length % 3 === 0 ? `${styles.cards} ${styles.threes}` : styles.cards}>
        {cards.map(({ Icon, title: name, text }) => (
          <li key={name}>
            <Icon size={26} aria-hidden="true" />
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
