import { ImageOff } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { tryAgain } from '../../lib/backoff.ts';
import styles from './viewer.module.css';

/** Stands in the place of a picture that failed to load, and requests it until it comes, as the grid does. */
export function MissingPicture({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const picture = place.current?.closest('.yarl__slide')?.querySelector('img');
    if (!picture) return;
    const failed = (): void => setAttempt(attempt + 1);
    const cancel = tryAgain(attempt, () => {
      picture.addEventListener('error', failed, { once: true });
      picture.src = picture.getAttribute('src') as string;
    });
    return () => {
      cancel();
      picture.removeEventListener('error', failed);
    };
  }, [attempt]);
  return (
    <div ref={place} className={styles.missing}>
      <ImageOff size={40} />
      <p>{children}</p>
    </div>
  );
}
