import type { GuestEvent } from '@feierbild/contract/entities.ts';
import styles from './message-page.module.css';

/** Names the event on a page with a message; renders nothing if the event is unknown. */
export function AboutEvent({ event }: { event: Pick<GuestEvent, 'title'> | null }) {
  return (
    event && (
      <p translate="no" className={styles.about}>
        <bdi>{event.title}</bdi>
      </p>
    )
  );
}
