import { PublicPage } from '../../ui/public-page.tsx';
import { DemoSection } from './demo-section.tsx';
import { Hero } from './hero.tsx';
import styles from './home-page.module.css';
import { Prices } from './prices.tsx';
import { Screens } from './screens.tsx';
import { Features, Occasions, Steps } from './sections.tsx';

/** /: most who type the address are guests, so the code comes first; then what the product is. */
export default function HomePage() {
  return (
    <PublicPage width="full" contact>
      <div className={styles.page}>
        <Hero />
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
