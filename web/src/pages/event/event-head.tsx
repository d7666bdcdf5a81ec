import type { GuestEvent } from '@feierbild/contract/entities.ts';
import styles from './upload-form.module.css';

/** What the event is called. */
export function EventHead({ event }: { event: GuestEvent }) {
  return (
    <div className={styles.head}>
      <h1 tabIndex={-1}>{event.title}</h1>
      {event.subtitle && <p className={styles.subtitle}>{event.subtitle}</p>}
    </div>
  );
}
