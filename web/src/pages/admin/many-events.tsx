import type { EventsChange } from '@feierbild/contract/calls/events.ts';
import { EXTEND_DAYS_MAX, MANY_EVENTS_MAX } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { useCallback, useState } from 'react';
import { call } from '../../api/client.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTask } from '../../ui/use-form.ts';
import styles from './many-events.module.css';

/** Events that are chosen in the list, by id. */
export interface Picking {
  picked: ReadonlySet<string>;
  pick(ids: string[], on: boolean): void;
}

export function usePicking(): Picking {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const pick = useCallback((ids: string[], on: boolean) => {
    setPicked((before) => (on ? before.union(new Set(ids)) : before.difference(new Set(ids))));
  }, []);
  return { picked, pick };
}

/** The address under which cards or slips of events are printed. */
export const printPath = (what: 'karten' | 'zettel', events: Pick<AdminEvent, 'id'>[]): string =>
  `/admin/${what}?events=${events.map(({ id }) => id).join(',')}`;

interface ManyEventsProps extends Pick<Picking, 'pick'> {
  /** Those that are chosen, and shown. */
  events: AdminEvent[];
  /** Reads the list again. */
  onChanged(): Promise<unknown>;
}

/** What can be done with the events that are chosen; those that it was refused for stay chosen. */
export function ManyEvents({ events, pick, onChanged }: ManyEventsProps) {
  const { busy, failure, run } = useTask();
  const [days, setDays] = useState('7');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const tooMany = events.length > MANY_EVENTS_MAX;
  const number = /^\d{1,3}$/.test(days.trim()) ? Number(days) : 0;
  const fits = number >= 1 && number <= EXTEND_DAYS_MAX;

  async function change(wanted: EventsChange, done: string): Promise<void> {
    setOutcome(null);
    try {
      const { results } = await call('POST /admin/events/change', {
        body: { events: events.map(({ id, version }) => ({ id, version })), change: wanted },
      });
      const refused = results.flatMap(({ id, refused: why }) =>
        why ? [{ id, title: events.find((event) => event.id === id)?.title ?? '', why: why.error }] : [],
      );
      const count = results.length - refused.length;
      setOutcome({ done: count > 0 ? `${plural(count, '1 Event', '# Events')} ${done}.` : '', refused });
      pick(
        results.flatMap(({ id, refused: why }) => (why ? [] : [id])),
        false,
      );
    } finally {
      // Also where no answer came: some may be done.
      await onChanged();
    }
  }

  if (events.length === 0 && !outcome) return null;
  return (
    <section className={styles.many} aria-label="Auswahl">
      {outcome && <OutcomeNotice {...outcome} onClose={() => setOutcome(null)} />}
      {failure && <Notice kind="error">{failure}</Notice>}
      {events.length > 0 && (
        <div className={styles.bar}>
          <strong role="status">{formatNumber(events.length)} ausgewählt</strong>
          {tooMany && <span>Auf einmal gehen höchstens {MANY_EVENTS_MAX}.</span>}
          <div className={styles.actions}>
            <Button look="secondary" busy={busy} disabled={tooMany} onClick={() => void run(() => change({ open: false }, 'geschlossen'))}>
              Upload schließen
            </Button>
            <Button look="secondary" busy={busy} disabled={tooMany} onClick={() => void run(() => change({ open: true }, 'geöffnet'))}>
              Upload öffnen
            </Button>
            <form
              className={styles.extend}
              onSubmit={(submitted) => {
                submitted.preventDefault();
                void run(() => change({ extend_days: number }, `um ${plural(number, '1 Tag', '# Tage')} verlängert`));
              }}
            >
              <label>
                <span className="visually-hidden">Tage</span>
                <input inputMode="numeric" maxLength={3} value={days} onChange={({ target }) => setDays(target.value)} />
              </label>
              <Button type="submit" look="secondary" busy={busy} disabled={tooMany || !fits}>
                Tage verlängern
              </Button>
            </form>
            {!tooMany && (
              <>
                <ButtonLink look="secondary" href={printPath('karten', events)}>
                  Karten
                </ButtonLink>
                <ButtonLink look="secondary" href={printPath('zettel', events)}>
                  Zettel
                </ButtonLink>
              </>
            )}
            <Button
              look="quiet"
              onClick={() =>
                pick(
                  events.map(({ id }) => id),
                  false,
                )
              }
            >
              Auswahl aufheben
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

interface Outcome {
  /** What was done; empty where nothing was. */
  done: string;
  refused: { id: string; title: string; why: string }[];
}

/** What became of the events. */
export function OutcomeNotice({ done, refused, onClose }: Outcome & { onClose(): void }) {
  const close = (
    <span>
      <Button look="quiet" onClick={onClose}>
        Schließen
      </Button>
    </span>
  );
  if (refused.length === 0) {
    return (
      <Notice kind="success">
        <span>{done}</span>
        {close}
      </Notice>
    );
  }
  return (
    <Notice kind="error">
      <strong>
        {done}{' '}
        {plural(
          refused.length,
          '1 Event blieb, wie es war, und ist noch ausgewählt:',
          '# Events blieben, wie sie waren, und sind noch ausgewählt:',
        )}
      </strong>
      <ul className={styles.refused}>
        {refused.map(({ id, title, why }) => (
          <li key={id}>
            „{title}“: {why}
          </li>
        ))}
      </ul>
      {close}
    </Notice>
  );
}
