import { shell } from '../texts/guest/shell.ts';
import styles from './spinner.module.css';

/** The page's own address. */
const HERE = '';

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** A page that shows a spinner; a `late` one only where it takes long. `first`: while the page's code loads; if that takes long, a link to reload appears. */
export function Waiting({ first = false, late = false }: { first?: boolean; late?: boolean }) {
  return (
    <div className={`${styles.waiting} ${late ? styles.late : ''}`} role="status">
      <Spinner /> {shell.wait}
      {first && (
        <a href={HERE} className={styles.reload}>
          {shell.reload}
        </a>
      )}
    </div>
  );
}
