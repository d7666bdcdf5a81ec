import { COPIED_NOTICE } from '@feierbild/contract/constants.ts';
import { Check, Copy, Share2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './share-link.module.css';

const COPIED = 'Link kopiert';

/** An address, and the ways to hand it on: copied, or by the phone's own share sheet where there is one. */
export function ShareLink({ url, title }: { url: string; title: string }) {
  const [notice, setNotice] = useState('');
  const address = useRef<HTMLParagraphElement>(null);

  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(''), COPIED_NOTICE);
    return () => clearTimeout(timer);
  }, [notice]);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(url);
      setNotice(COPIED);
    } catch {
      // Plain http has no clipboard: the address is selected instead.
      if (address.current) window.getSelection()?.selectAllChildren(address.current);
      setNotice('Bitte mit Strg+C oder über das Menü kopieren');
    }
  }

  /** Messengers, mail, AirDrop. */
  async function share(): Promise<void> {
    try {
      await navigator.share({ title, url });
    } catch (error) {
      // Closing the sheet without a choice is no failure.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setNotice('Bitte teilen Sie den Link durch Kopieren');
    }
  }

  return (
    <>
      <p className={styles.url} ref={address}>
        {url}
      </p>
      <Button wide onClick={() => void copy()}>
        {notice === COPIED ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
        Link kopieren
      </Button>
      {'share' in navigator && (
        <Button look="secondary" wide onClick={() => void share()}>
          <Share2 size={20} aria-hidden="true" /> Teilen …
        </Button>
      )}
      <p role="status">{notice}</p>
    </>
  );
}
