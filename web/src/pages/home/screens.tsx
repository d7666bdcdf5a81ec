import styles from './home-page.module.css';
import { Screenshot } from './screenshot.tsx';

/** The product itself, as guests, hosts and the projector show it. */
export function Screens() {
  return (
    <div className={styles.screens}>
      <figure className={styles.wideScreen}>
        <Screenshot
          name="galerie"
          alt="Die Galerie eines Events mit vielen Fotos, nach Tagen geordnet"
          width={1440}
          height={900}
          pixels={1440}
          first
        />
        <figcaption>Die Galerie des Gastgebers</figcaption>
      </figure>
      <figure className={styles.phoneScreen}>
        <Screenshot
          name="hochladen"
          alt="Die Upload-Seite auf dem Handy: ausgewählte Fotos und ein Knopf zum Hochladen"
          width={390}
          height={844}
          pixels={780}
        />
        <figcaption>Die Seite der Gäste</figcaption>
      </figure>
    </div>
  );
}
