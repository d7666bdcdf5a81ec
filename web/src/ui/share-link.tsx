import { Check, Copy, Share2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { openShareSheet } from '../lib/share-sheet.ts';
import { BY_COPYING, useCopy } from '../lib/use-copy.ts';
import { Button } from './button.tsx';
import styles from './share-link.module.css';

interface CopyLinkProps {
  url: string;
  look?: 'primary' | 'secondary';
  /** Called when the address was copied or shared. */
  onKept?: (() => void) | undefined;
}

/** An address to copy. */
export function CopyLink({ url, look = 'primary', onKept }: CopyLinkProps) {
  const { notice, copied, copy } = useCopy();
  const address = useRef<HTMLParagraphElement>(null);
  return (
    <>
      <p className={styles.url} ref={address} onCopy={onKept}>
        {url}
      </p>
      <Button wide look={look} onClick={() => void copy(url, 'Link kopiert', address.current).then((done) => done && onKept?.())}>
        {copied ? <Check size={20} /> : <Copy size={20} />}
        Link kopieren
      </Button>
      <p role="status">{notice}</p>
    </>
  );
}

/** An address to copy, or to share where the browser has a share sheet. */
export function ShareLink({ url, title, onKept }: CopyLinkProps & { title: string }) {
  const [notice, setNotice] = useState('');

  return (
    <>
      <CopyLink url={url} onKept={onKept} />
      {'share' in navigator && (
        <Button
          look="secondary"
          wide
          onClick={() =>
            void openShareSheet({ title, url }).then(
              (chosen) => chosen && onKept?.(),
              () => setNotice(BY_COPYING),
            )
          }
        >
          <Share2 size={20} /> Teilen …
        </Button>
      )}
      {notice && <p role="status">{notice}</p>}
    </>
  );
}
