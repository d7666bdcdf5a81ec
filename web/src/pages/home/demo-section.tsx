import { DEMO_PHOTOS, DEMO_RESET } from '@feierbild/contract/constants.ts';
import { useSite } from '../../lib/use-site.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { demoLogin } from './demo-login.ts';
import styles from './home-page.module.css';

const HOUR = 60 * 60 * 1000;

/** The public demo, where the operator has it on. */
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
