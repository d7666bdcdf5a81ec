import { COPIED_NOTICE } from '@feierbild/contract/constants.ts';
import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import styles from './copy-link.module.css';

/** An address, and the button that copies it. */
export function CopyLink({ url }: { url: string }) {
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
      setNotice('Link kopiert');
    } catch {
      // Plain http has no clipboard: the address is selected instead.
      if (address.current) window.getSelection()?.selectAllChildren(address.current);
      setNotice('Bitte mit Strg+C oder über das Menü kopieren');
    }
  }

  return (
    <>
      <p className={styles.url} ref={address}>
        {url}
      </p>
      <Button wide onClick={() => void copy()}>
        {notice ? <Check size={20} aria-hidden="true" /> : <Copy size={20} aria-hidden="true" />}
        Link kopieren
      </Button>
      <p role="status">{notice}</p>
    </>
  );
}
