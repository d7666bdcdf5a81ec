import { PublicPage } from '../../ui/public-page.tsx';
import { DemoSection } from './demo-section.tsx';
import styles from './home-page.module.css';
import { JoinCard } from './join-card.tsx';
import { Prices } from './prices.tsx';
import { Screens } from './screens.tsx';
import { Features, Occasions, Steps } from './sections.tsx';

/** /: most who type the address are guests, so the code comes first; then what the product is. */
export default function HomePage() {
  return (
    <PublicPage width="full" contact>
      <div className={styles.page}>
        <div className={styles.hero}>
          <div className={styles.words}>
            <h1 tabIndex={-1}>
              Alle Fotos vom Fest. <span>An einem Ort.</span>
            </h1>
            <p>
              Ihre Gäste scannen einen Code und laden ihre Bilder hoch, ohne Konto und ohne App. Sie bekommen die Originale: verschlüsselt
              gespeichert, in einem ZIP am Morgen danach und nach 30 Tagen gelöscht.
            </p>
          </div>
          <JoinCard />
        </div>
        <Screens />
        <Steps />
        <DemoSection />
        <Occasions />
        <Features />
        <Prices />
      </div>
    </PublicPage>
  );
}
