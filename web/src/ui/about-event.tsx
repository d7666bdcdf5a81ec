import type { GuestEvent } from '@feierbild/contract/entities.ts';
import styles from './message-page.module.css';

/** Which event's page a message stands on; nothing where that is not known. */
export function AboutEvent({ event }: { event: Pick<GuestEvent, 'title'> | null }) {
  return (
    event && (
      <p translate="no" className={styles.about}>
        <bdi>{event.title}</bdi>
      </p>
    )
  );
}
