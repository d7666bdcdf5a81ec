import type { GuestEvent } from '@feierbild/contract/entities.ts';
import styles from './upload-form.module.css';

/** What the event is called; `large` where nothing else matters yet. */
export function EventHead({ event, large = true }: { event: GuestEvent; large?: boolean }) {
  return (
    <div className={`${styles.head} ${large ? styles.large : ''}`}>
      <h1 tabIndex={-1}>{event.title}</h1>
      {event.subtitle && <p className={styles.subtitle}>{event.subtitle}</p>}
    </div>
  );
}
