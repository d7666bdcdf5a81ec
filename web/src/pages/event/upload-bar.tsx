import { useEffectEvent, useLayoutEffect, useRef, type ReactNode } from 'react';
import { t } from '../../texts/guest/guest.ts';
import { Button } from '../../ui/button.tsx';
import { isUnsent, type Item } from './item.ts';
import { isRunning, isStuck, type QueueState } from './machine.ts';
import { isDone, leftOf, nextToSend, shareSent } from './queue/selection.ts';
import styles from './upload-bar.module.css';

interface UploadBarProps {
  items: readonly Item[];
  takesVideos: boolean;
  /** Who besides the host will see the photos; '': nobody. */
  seenBy: string;
  running: boolean;
  consent: boolean;
  /** Whether sending is possible at all yet. */
  ready: boolean;
  onConsent(given: boolean): void;
  onStart(): void;
  /** In place of a consent that is not missing, once the run is over: how to choose more. */
  more?: ReactNode;
}

/** At the bottom of the guest's window: the consent, and the one button, which is the progress bar while it runs. */
export function UploadBar({ items, takesVideos, seenBy, running, consent, ready, onConsent, onStart, more }: UploadBarProps) {
  const box = useRef<HTMLInputElement>(null);
  // Ticked in the page as the server drew it, before this code ran.
  const takeEarly = useEffectEvent(() => box.current?.checked && !consent && onConsent(true));
  useLayoutEffect(() => void takeEarly(), []);
  const left = nextToSend(items).length;
  const done = !running && isDone(items);
  const open = left > 0 && !running;
  const asks = open && !consent;
  const may = open && consent && ready;
  // Off without `disabled` once it was pressed: a browser takes the focus from a disabled button.
  const pressed = running || done;
  const [before, link, after] = t.bar.consent(takesVideos).split(/[[\]]/);
  const [label, whyOff] = wordsOf(items, left, running, consent);
  return (
    <section className={`${styles.bottom} ${items.length === 0 ? styles.low : ''}`} aria-label={t.bar.region}>
      <div className={styles.bar}>
        {more}
        {(more && !asks) || (
          <label className={`${styles.consent} ${asks ? styles.asked : ''}`}>
            <input ref={box} type="checkbox" checked={consent} onChange={({ target }) => onConsent(target.checked)} />
            <span>
              {asks && <strong className={styles.hint}>{t.bar.hint}</strong>}
              {before}
              <a href="/datenschutz" target="_blank" rel="noopener">
                {link}
              </a>
              {after}
              {items.length > 0 && !running && (
                <small className={styles.small}>
                  <span>{seenBy}</span> <span>{t.bar.originals}</span>
                </small>
              )}
            </span>
          </label>
        )}
        <div className={styles.press}>
          <Button
            wide
            className={running ? styles.running : done ? styles.done : ''}
            disabled={!may && !pressed}
            aria-disabled={pressed || undefined}
            aria-describedby="upload-reason"
            onClick={() => may && onStart()}
          >
            {running && <span className={styles.progress} style={{ transform: `scaleX(${shareSent(items)})` }} aria-hidden="true" />}
            <span className={styles.label}>{label}</span>
          </Button>
          {/* A disabled button gets no clicks: this one, which only pointers find, leads to the box that is missing. */}
          {asks && <button type="button" className={styles.lead} tabIndex={-1} aria-hidden="true" onClick={() => box.current?.focus()} />}
        </div>
        <span id="upload-reason" className="visually-hidden">
          {whyOff}
        </span>
      </div>
    </section>
  );
}

/** The button's words, and why it is off, for screen readers. */
function wordsOf(items: readonly Item[], left: number, running: boolean, consent: boolean): [label: string, whyOff: string] {
  if (running) return [t.bar.running(leftOf(items)), t.bar.off.running];
  if (left > 0) return [t.bar.send(left), consent ? '' : t.bar.hint];
  if (isDone(items)) return [t.bar.done, t.bar.off.done];
  return [t.bar.nothing, items.length === 0 ? t.bar.off.nothing : t.bar.off.hopeless];
}

/** Tells screen readers about progress in tenths, what the photos wait for, and the end: not while anything is still to be sent. */
export function Announcer(state: Pick<QueueState, 'items' | 'phase' | 'trouble'>) {
  const { items, trouble } = state;
  const settled = items.filter((item) => !isUnsent(item)).length;
  const failed = items.filter(({ failure }) => failure).length;
  let text = '';
  if (trouble !== null && isStuck(state)) text = t.said.stuck[trouble];
  else if (isRunning(state)) text = t.said.progress(items.length === 0 ? 0 : Math.floor((settled / items.length) * 10) * 10);
  else if (isDone(items)) text = t.said.done;
  else if (failed > 0 && settled === items.length) text = t.said.failed(failed);
  return (
    <p className="visually-hidden" aria-live="polite">
      {text}
    </p>
  );
}
