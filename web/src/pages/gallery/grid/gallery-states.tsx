import { ButtonLink } from '../../../ui/button.tsx';
import styles from './grid.module.css';

/** While the first photos are being loaded. */
export function Skeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">Fotos werden geladen</span>
      {Array.from({ length: 10 }, (_, n) => (
        <div key={n} />
      ))}
    </div>
  );
}

/** Before the first photo. */
export function EmptyGallery({ code }: { code: string }) {
  return (
    <div className={styles.empty}>
      <h2>Noch keine Fotos</h2>
      <p>Teilen Sie den Code mit Ihren Gästen. Was sie hochladen, erscheint hier von selbst.</p>
      <ButtonLink href={`/manage/${code}`}>Event teilen</ButtonLink>
    </div>
  );
}
