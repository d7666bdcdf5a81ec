import { addDays } from '@feierbild/contract/berlin.ts';
import type { EventsChange } from '@feierbild/contract/calls/events.ts';
import { EXTEND_DAYS_MAX, MANY_EVENTS_MAX } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { useCallback, useState } from 'react';
import { call } from '../../api/client.ts';
import { formatDay, formatNumber, plural } from '../../lib/format.ts';
import { germanNumber } from '../../lib/german-number.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from './many-events.module.css';

/** The events chosen in the list, by id. */
export interface Picking {
  picked: ReadonlySet<string>;
  pick(ids: string[], on: boolean): void;
}

export function usePicking(): Picking {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const pick = useCallback((ids: string[], on: boolean) => {
    setPicked((before) => new Set(on ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  }, []);
  return { picked, pick };
}

/** Returns the address at which cards or slips of events are printed. */
export const printPath = (what: 'karten' | 'zettel', events: Pick<AdminEvent, 'id'>[]): string =>
  `/admin/${what}?events=${events.map(({ id }) => id).join(',')}`;

interface ManyEventsProps extends Pick<Picking, 'pick'> {
  /** The chosen events that are shown. */
  events: AdminEvent[];
  /** Reads the list again. */
  onChanged(): Promise<unknown>;
}

/** The actions on chosen events. A refused event stays chosen. */
export function ManyEvents({ events, pick, onChanged }: ManyEventsProps) {
  const { busy, failure, run } = useAction();
  const [days, setDays] = useState('7');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  /** The events and the number in the question as it was asked; nobody may have seen later changes of the list. */
  const [asked, setAsked] = useState<{ of: AdminEvent[]; number: number } | null>(null);
  const tooMany = events.length > MANY_EVENTS_MAX;
  const number = germanNumber(days);
  const fits = Number.isInteger(number) && number >= 1 && number <= EXTEND_DAYS_MAX;

  /** Changes events; `undo` is the opposite change, with its own words for the result. */
  async function change(
    wanted: EventsChange,
    done: string,
    { of = events, undo }: { of?: Changed[]; undo?: { change: EventsChange; done: string } } = {},
  ): Promise<void> {
    setOutcome(null);
    try {
      const { results } = await call('POST /admin/events/change', {
        body: { events: of.map(({ id, version, until }) => ({ id, version, until })), change: wanted },
      });
      const changed = results.flatMap(({ event }) => event ?? []);
      const refused = results.flatMap(({ id, refused: why }) =>
        why ? [{ id, title: of.find((event) => event.id === id)?.title ?? '', why: why.error }] : [],
      );
      const count = results.length - refused.length;
      setOutcome({
        done: count > 0 ? `${plural(count, '1 Event', '# Events')} ${done}.` : '',
        refused,
        undo: undo && changed.length > 0 ? () => void run(() => change(undo.change, undo.done, { of: changed })) : undefined,
      });
      pick(
        results.flatMap(({ id, refused: why }) => (why ? [] : [id])),
        false,
      );
    } finally {
      // A call without an answer may also have changed events.
      await onChanged();
    }
  }

  if (events.length === 0 && !outcome) return null;
  return (
    <section className={styles.many} aria-label="Auswahl">
      {outcome && <OutcomeNotice {...outcome} onClose={() => setOutcome(null)} />}
      {failure && <Notice kind="error">{failure}</Notice>}
      {asked && (
        <ExtendDialog
          {...asked}
          onClose={() => setAsked(null)}
          onConfirm={async (of) => {
            const { number: count } = asked;
            await change({ extend_days: count }, `um ${daysOf(count)} verlängert`, {
              of,
              undo: { change: { extend_days: -count }, done: 'wieder wie vorher' },
            });
            setAsked(null);
          }}
        />
      )}
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
                setAsked({ of: events, number });
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

/** An event to change. `until`: the last day to which it is extended. */
type Changed = Pick<AdminEvent, 'id' | 'version' | 'title'> & { until?: string };

/** Number of events that a question names. */
const NAMED = 8;
const daysOf = (number: number): string => plural(number, '1 Tag', '# Tage');

interface ExtendDialogProps {
  of: AdminEvent[];
  number: number;
  onClose(): void;
  onConfirm(of: Changed[]): Promise<void>;
}

function ExtendDialog({ of, number, onClose, onConfirm }: ExtendDialogProps) {
  const longer = of.map((event) => ({ ...event, until: addDays(event.end_date, number) }));
  return (
    <ConfirmDialog
      title={`${plural(of.length, '1 Event', '# Events')} um ${daysOf(number)} verlängern?`}
      confirm="Verlängern"
      look="primary"
      onClose={onClose}
      onConfirm={() => onConfirm(longer)}
    >
      <p>Der letzte Tag rückt so weit nach hinten, und mit ihm der letzte Tag der Fotos:</p>
      <ul className={styles.refused}>
        {longer.slice(0, NAMED).map(({ id, title, end_date, until }) => (
          <li key={id}>
            „{title}“: {formatDay(end_date)} → {formatDay(until)}
          </li>
        ))}
        {of.length > NAMED && <li>und {plural(of.length - NAMED, '1 weiteres', '# weitere')}</li>}
      </ul>
    </ConfirmDialog>
  );
}

interface Outcome {
  /** The result in words; empty where nothing changed. */
  done: string;
  refused: { id: string; title: string; why: string }[];
  /** Undoes the change. */
  undo?: (() => void) | undefined;
}

/** The result of an action on events, with the refused ones. */
export function OutcomeNotice({ done, refused, undo, onClose }: Outcome & { onClose(): void }) {
  const close = (
    <span>
      {undo && (
        <Button look="secondary" onClick={undo}>
          Rückgängig
        </Button>
      )}
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
