import { Check } from 'lucide-react';
import { counted } from './counted.ts';
import type { Item } from './selection.ts';
import type { Videos } from './video/use-videos.ts';
import styles from './thanks.module.css';

/** So many of the photos are shown as a fan. */
const FAN = 3;

interface ThanksProps {
  name: string;
  items: readonly Item[];
  videos: Videos | null;
}

/** When all is stored: the thanks, with the first photos. */
export function Thanks({ name, items, videos }: ThanksProps) {
  const fan = items.flatMap(({ id, thumbnail }) => (thumbnail ? [{ id, thumbnail }] : [])).slice(0, FAN);
  return (
    <div className={styles.thanks}>
      {fan.length > 0 && (
        <div className={styles.fan} aria-hidden="true">
          {fan.map(({ id, thumbnail }) => (
            <img key={id} src={thumbnail} alt="" />
          ))}
        </div>
      )}
      <span className={styles.disc} aria-hidden="true">
        <Check size={44} strokeWidth={3} />
      </span>
      <h2 className={styles.title}>{name ? `Danke, ${name}!` : 'Danke!'}</h2>
      <p className={styles.text}>{counted(videos, items, '1 Foto ist angekommen.', '# Fotos sind angekommen.')}</p>
    </div>
  );
}
