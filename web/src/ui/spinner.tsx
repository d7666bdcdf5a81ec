import styles from './spinner.module.css';

export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}

/** A whole page that waits. */
export function Waiting() {
  return (
    <div className={styles.waiting} role="status">
      <Spinner /> Einen Moment …
    </div>
  );
}
