import { GB } from '@feierbild/contract/constants.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import type { ReactNode } from 'react';
import { formatBytes, formatDay, formatNumber, plural } from '../../lib/format.ts';
import styles from './dashboard.module.css';
import { daysLeft } from './notices.tsx';
import { storageLevel } from './storage-level.ts';

/** Number of photos, used storage and remaining time. */
export function Facts({ event, now }: { event: HostEvent; now: number }) {
  return (
    <section className={styles.facts} aria-label="Auf einen Blick">
      <Fact label="Fotos" value={formatNumber(event.storage.photos.count)}>
        {event.storage.videos.count > 0 && plural(event.storage.videos.count, 'dazu ein Video, ', 'dazu # Videos, ')}
        {plural(event.device_count, 'von einem Gerät', 'von # Geräten')}
      </Fact>
      <StorageFact event={event} />
      <DeletionFact event={event} now={now} />
    </section>
  );
}

function Fact({ label, value, children }: { label: string; value: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <span className="soft">{label}</span>
      <strong className={styles.value}>{value}</strong>
      <span className={styles.small}>{children}</span>
    </div>
  );
}

function StorageFact({ event }: { event: HostEvent }) {
  const used = event.storage_stats.total_size;
  if (event.storage_limit === 'unlimited') {
    return (
      <Fact label="Speicher" value={formatBytes(used)}>
        unbegrenzt
      </Fact>
    );
  }
  const share = Math.min(1, used / (event.storage_limit * GB));
  const level = storageLevel(share);
  return (
    <Fact label="Speicher" value={formatBytes(used)}>
      <span
        className={styles.bar}
        role="meter"
        aria-label="Belegter Speicher"
        aria-valuenow={Math.floor(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <span style={{ width: `${share * 100}%` }} className={level === 'nearly' || level === 'full' ? styles.full : ''} />
      </span>
      von {formatBytes(event.storage_limit * GB)}
    </Fact>
  );
}

function DeletionFact({ event, now }: { event: HostEvent; now: number }) {
  const days = daysLeft(event, now);
  return (
    <Fact label="Verfügbar" value={days === 0 ? 'noch heute' : plural(days, 'noch 1 Tag', 'noch # Tage')}>
      bis {formatDay(event.deletion_date)}, danach gelöscht
    </Fact>
  );
}
