import { Check, Copy, Share2 } from 'lucide-react';
import { useRef } from 'react';
import { useCopy } from '../lib/use-copy.ts';
import { Button } from './button.tsx';
import styles from './share-link.module.css';

/** An address to copy, or to share where the browser has a share sheet. */
export function ShareLink({ url, title }: { url: string; title: string }) {
  const { notice, copied, say, copy } = useCopy();
  const address = useRef<HTMLParagraphElement>(null);

  /** Messengers, mail, AirDrop. */
  async function share(): Promise<void> {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // The sheet was closed without a choice.
      if (!(error instanceof DOMException && error.name === 'AbortError')) say('Bitte teilen Sie den Link durch Kopieren');
    }
  }

  return (
    <>
      <p className={styles.url} ref={address}>
        {url}
      </p>
      <Button wide onClick={() => void copy(url, 'Link kopiert', address.current)}>
        {copied ? <Check size={20} /> : <Copy size={20} />}
        Link kopieren
      </Button>
      {'share' in navigator && (
        <Button look="secondary" wide onClick={() => void share()}>
          <Share2 size={20} /> Teilen …
        </Button>
      )}
      <p role="status">{notice}</p>
    </>
  );
}
