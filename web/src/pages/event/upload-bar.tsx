import { useEffectEvent, useLayoutEffect, useRef } from 'react';
import { formatNumber } from '../../lib/format.ts';
import { upload } from '../../texts.ts';
import { Button } from '../../ui/button.tsx';
import { isSettled, remaining, shareSent, type Item } from './selection.ts';
import styles from './upload-bar.module.css';

interface UploadBarProps {
  items: readonly Item[];
  /** What the event takes. */
  kinds: 'Fotos' | 'Fotos und Videos';
  running: boolean;
  consent: boolean;
  /** Whether sending is possible at all yet. */
  ready: boolean;
  onConsent(given: boolean): void;
  onStart(): void;
}

/** At the bottom of the guest's window: the consent, and the one button, which is the progress bar while it runs. */
export function UploadBar({ items, kinds, running, consent, ready, onConsent, onStart }: UploadBarProps) {
  const box = useRef<HTMLInputElement>(null);
  // Ticked in the page as the server drew it, before this code ran.
  const takeEarly = useEffectEvent(() => box.current?.checked && !consent && onConsent(true));
  useLayoutEffect(() => void takeEarly(), []);
  const left = remaining(items);
  const done = isDone(items);
  const asks = left > 0 && !running && !consent;
  const look = running ? styles.running : done ? styles.done : '';
  return (
    <section className={styles.bottom} aria-label="Hochladen">
      <div className={styles.bar}>
        {!done && (
          <label className={`${styles.consent} ${asks ? styles.asked : ''}`}>
            <input ref={box} type="checkbox" checked={consent} onChange={({ target }) => onConsent(target.checked)} />
            <span>
              {asks && <strong className={styles.hint}>{HINT}</strong>}
              Ich habe die{' '}
              <a href="/datenschutz" target="_blank" rel="noopener">
                Datenschutzhinweise
              </a>{' '}
              gelesen und darf diese {kinds} teilen.
              <small className={styles.small}>Der Gastgeber erhält die Originale, auch mit Aufnahmeort, falls gespeichert.</small>
            </span>
          </label>
        )}
        <div className={styles.press}>
          <Button
            wide
            className={look}
            disabled={running || left === 0 || !consent || !ready}
            aria-describedby="upload-reason"
            onClick={onStart}
          >
            {running && <span className={styles.progress} style={{ transform: `scaleX(${shareSent(items)})` }} aria-hidden="true" />}
            <span className={styles.label}>{buttonLabel(items, left, running)}</span>
          </Button>
          {/* A disabled button gets no clicks: this one, which only pointers find, leads to the box that is missing. */}
          {asks && <button type="button" className={styles.lead} tabIndex={-1} aria-hidden="true" onClick={() => box.current?.focus()} />}
        </div>
        <span id="upload-reason" className="visually-hidden">
          {reason(items, left, running, consent)}
        </span>
      </div>
    </section>
  );
}

const HINT = 'Noch dieser Haken, dann kann es losgehen.';

/** All that was chosen is stored. */
export function isDone(items: readonly Item[]): boolean {
  return items.length > 0 && items.every(({ state }) => state === 'stored');
}

function buttonLabel(items: readonly Item[], left: number, running: boolean): string {
  const open = items.filter((item) => !isSettled(item)).length;
  if (running) return upload.running.replace('N', formatNumber(open));
  if (items.length === 0) return upload.nothing;
  return isDone(items) ? upload.done : upload.waiting.replace('N', formatNumber(left));
}

/** Why the button is off, for those who can't see the page. */
function reason(items: readonly Item[], left: number, running: boolean, consent: boolean): string {
  if (running) return 'Es wird gerade hochgeladen.';
  if (items.length === 0) return 'Bitte zuerst etwas auswählen.';
  if (isDone(items)) return 'Alles ist hochgeladen.';
  if (left === 0) return 'Was rot ist, lässt sich nicht hochladen.';
  return consent ? '' : HINT;
}
