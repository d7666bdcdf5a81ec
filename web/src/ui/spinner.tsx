import styles from './spinner.module.css';

/** The page's own address, whatever it is. */
const HERE = '';

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** A whole page that waits. `first`: for the page's own code; where that does not come, a link offers late to load it anew. */
export function Waiting({ first = false }: { first?: boolean }) {
  return (
    <div className={styles.waiting} role="status">
      <Spinner /> Einen Moment …
      {first && (
        <a href={HERE} className={styles.late}>
          Seite neu laden
        </a>
      )}
    </div>
  );
}
