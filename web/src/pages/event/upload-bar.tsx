import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { upload } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { isSettled, remaining, shareSent, type Item } from './selection.ts';
import styles from './upload-form.module.css';

interface UploadBarProps {
  items: readonly Item[];
  running: boolean;
  consent: boolean;
  /** Whether sending is possible at all yet. */
  ready: boolean;
  onConsent(given: boolean): void;
  onStart(): void;
}

/** At the bottom of the guest's window: the consent, and the one button. */
export function UploadBar({ items, running, consent, ready, onConsent, onStart }: UploadBarProps) {
  const left = remaining(items);
  const disabled = items.length === 0 || left === 0 || running || !consent || !ready;
  const box = useRef<HTMLInputElement>(null);
  // Ticked in the page as the server drew it, before this code ran.
  const takeEarly = useEffectEvent(() => box.current?.checked && !consent && onConsent(true));
  useLayoutEffect(() => void takeEarly(), []);
  return (
    <div className={styles.bottom}>
      {running && <span className={styles.progress} style={{ transform: `scaleX(${shareSent(items)})` }} aria-hidden="true" />}
      <div className={styles.bar}>
        <label className={styles.consent}>
          <input ref={box} type="checkbox" checked={consent} onChange={({ target }) => onConsent(target.checked)} />
          <span>
            Ich habe die{' '}
            <a href="/datenschutz" target="_blank" rel="noopener">
              Datenschutzhinweise
            </a>{' '}
            gelesen und darf diese Fotos teilen.
            <small className={styles.small}>Der Gastgeber erhält die Originale, auch mit Aufnahmeort, falls gespeichert.</small>
          </span>
        </label>
        <Button wide disabled={disabled} aria-describedby="upload-reason" onClick={onStart}>
          {buttonLabel(items, left, running)}
        </Button>
        <span id="upload-reason" className="visually-hidden">
          {reason(items, left, running, consent)}
        </span>
      </div>
    </div>
  );
}

function buttonLabel(items: readonly Item[], left: number, running: boolean): string {
  const open = items.filter((item) => !isSettled(item)).length;
  if (running) return upload.running.replace('N', formatNumber(open));
  if (items.length === 0) return upload.nothing;
  return items.every(({ state }) => state === 'stored') ? upload.done : upload.waiting.replace('N', formatNumber(left));
}

/** Why the button is off, for those who can't see the page. */
function reason(items: readonly Item[], left: number, running: boolean, consent: boolean): string {
  if (running) return 'Die Fotos werden gerade hochgeladen.';
  if (items.length === 0) return 'Bitte wählen Sie zuerst Fotos aus.';
  if (items.every(({ state }) => state === 'stored')) return 'Alle Fotos sind hochgeladen.';
  if (left === 0) return 'Was rot ist, lässt sich nicht hochladen.';
  return consent ? '' : 'Bitte bestätigen Sie zuerst die Datenschutzhinweise.';
}
