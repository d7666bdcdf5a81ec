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
  /** Sentences about the viewers of the photos besides the host; '' if there are none. */
  seenBy: string;
  running: boolean;
  consent: boolean;
  /** Whether sending is possible yet. */
  ready: boolean;
  onConsent(given: boolean): void;
  onStart(): void;
  /** Content that replaces a given consent after the run, to choose more photos. */
  more?: ReactNode;
}

/** The bar at the bottom of the guest's window: the consent, and the button, which is the progress bar during a run. */
export function UploadBar({ items, takesVideos, seenBy, running, consent, ready, onConsent, onStart, more }: UploadBarProps) {
  const box = useRef<HTMLInputElement>(null);
  // The guest may have ticked the box in the server-rendered page, before this code ran.
  const takeEarly = useEffectEvent(() => box.current?.checked && !consent && onConsent(true));
  useLayoutEffect(() => void takeEarly(), []);
  const left = nextToSend(items).length;
  const done = !running && isDone(items);
  const open = left > 0 && !running;
  const asks = open && !consent;
  const may = open && consent && ready;
  // A pressed button is switched off without `disabled`, because a browser takes the focus from a disabled button.
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
          {/* A disabled button gets no clicks; this button, which only pointers reach, leads to the unticked box. */}
          {asks && <button type="button" className={styles.lead} tabIndex={-1} aria-hidden="true" onClick={() => box.current?.focus()} />}
        </div>
        <span id="upload-reason" className="visually-hidden">
          {whyOff}
        </span>
      </div>
    </section>
  );
}

/** Returns the button's label, and for screen readers the reason why it is off. */
function wordsOf(items: readonly Item[], left: number, running: boolean, consent: boolean): [label: string, whyOff: string] {
  if (running) return [t.bar.running(leftOf(items)), t.bar.off.running];
  if (left > 0) return [t.bar.send(left), consent ? '' : t.bar.hint];
  if (isDone(items)) return [t.bar.done, t.bar.off.done];
  return [t.bar.nothing, items.length === 0 ? t.bar.off.nothing : t.bar.off.hopeless];
}

/** Tells screen readers of progress in tenths, of obstacles, and of the end, once nothing remains to be sent. */
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
