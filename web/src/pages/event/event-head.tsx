import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { Headline } from '../../ui/headline.tsx';
import styles from './upload-form.module.css';

/** What the event is called; `large` where nothing else matters yet. */
export function EventHead({ event, large = true }: { event: GuestEvent; large?: boolean }) {
  return (
    <div className={`${styles.head} ${large ? styles.large : ''}`}>
      <Headline>{event.title}</Headline>
      {event.subtitle && <p className={styles.subtitle}>{event.subtitle}</p>}
    </div>
  );
}
