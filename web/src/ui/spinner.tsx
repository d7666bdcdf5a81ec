import { shell } from '../texts/guest/shell.ts';
import styles from './spinner.module.css';

/** The page's own address. */
const HERE = '';

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** A page that shows a spinner; if `late`, only after a while. `first`: the page's code loads; after a while a link to reload appears. */
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
