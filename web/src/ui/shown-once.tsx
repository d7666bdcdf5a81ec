import { Check, Copy } from 'lucide-react';
import { useRef } from 'react';
import { useCopy } from '../lib/use-copy.ts';
import { useShownOnce } from '../lib/use-shown-once.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import styles from './shown-once.module.css';

/** A secret to copy that is shown only once; `what` is a feminine or neuter noun. */
export function ShownOnce({ what, value, hint }: { what: string; value: string; hint: string }) {
  const { notice, copied, copy } = useCopy();
  const shown = useRef<HTMLElement>(null);
  const { keep } = useShownOnce('Was hier steht,');
  return (
    <Notice kind="warning">
      <span>Nur dieses eine Mal zu sehen. {hint}</span>
      <code ref={shown} onCopy={keep} className={styles.secret} aria-label={what}>
        {value}
      </code>
      <span>
        <Button look="secondary" onClick={() => void copy(value, `${what} kopiert`, shown.current).then((done) => done && keep())}>
          {copied ? <Check size={20} /> : <Copy size={20} />} {what} kopieren
        </Button>
      </span>
      <span role="status">{notice}</span>
    </Notice>
  );
}
