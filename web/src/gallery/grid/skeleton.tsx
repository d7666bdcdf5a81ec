import { galleryTexts } from '../../texts/guest/gallery.ts';
import styles from './skeleton.module.css';

/** Placeholders while the first photos are being loaded. */
export function Skeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{galleryTexts.grid.loading}</span>
      {Array.from({ length: 10 }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  );
}
