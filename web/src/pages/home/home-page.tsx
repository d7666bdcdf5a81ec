import { PublicPage } from '../../ui/public-page.tsx';
import { DemoSection } from './demo-section.tsx';
import { Hero } from './hero.tsx';
import styles from './home-page.module.css';
import { Prices } from './prices.tsx';
import { Features, Occasions, Promises, Steps } from './sections.tsx';

/** /: most who type the address are guests, so the code comes first; then what the product is. */
export default function HomePage() {
  return (
    <PublicPage width="full" contact>
      <div className={styles.page}>
        <Hero />
        <Promises />
        <Steps />
        <DemoSection />
        <Features />
        <Occasions />
        <Prices />
      </div>
    </PublicPage>
  );
}
