import { addDays, berlinDay } from '@feierbild/contract/berlin.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { call } from '../../api/client.ts';
import { plural } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import styles from './events-month.module.css';
import { Failed } from '../../ui/loaded.tsx';
import { monthPath } from './month.ts';

const MONTH = new Intl.DateTimeFormat('de-DE', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat('de-DE', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });
const WEEKDAYS = ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'];

/** Returns the days of a month's weeks, from Monday to Sunday. */
function daysOf(month: string): string[] {
  const first = `${month}-01`;
  const weekday = (new Date(first).getUTCDay() + 6) % 7;
  const next = shifted(month, 1);
  const days: string[] = [];
  for (let day = addDays(first, -weekday); day < `${next}-01` || days.length % 7 > 0; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns the month that is so many months later. */
function shifted(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** Number of events that a day names before it folds the others: a weekend may have dozens. */
const SHOWN = 4;

function Links({ events }: { events: AdminEvent[] }) {
  return events.map(({ id, code, title }) => (
    <a key={id} translate="no" href={`/admin?suche=${code}`}>
      {title}
    </a>
  ));
}

/** The events of a month by days; a phone shows only the days with events, one below the other. */
export function EventsMonth({ month }: { month: string }) {
  const days = daysOf(month);
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: ['month', month],
    queryFn: ({ signal }) => call('GET /admin/events', { query: { from, to, order: 'start' }, signal }),
    placeholderData: keepPreviousData,
  });
  const on = (day: string): AdminEvent[] => data?.events.filter(({ start_date, end_date }) => start_date <= day && day <= end_date) ?? [];
  const today = berlinDay(dataUpdatedAt);
  if (!data && !error) return <Waiting />;
  return (
    <section className={styles.month} aria-label={MONTH.format(new Date(`${month}-01`))}>
      <div className={styles.head}>
        <ButtonLink look="secondary" href={monthPath(shifted(month, -1))} aria-label="Ein Monat früher">
          <ChevronLeft size={20} />
        </ButtonLink>
        <h2>{MONTH.format(new Date(`${month}-01`))}</h2>
        <ButtonLink look="secondary" href={monthPath(shifted(month, 1))} aria-label="Ein Monat später">
          <ChevronRight size={20} />
        </ButtonLink>
      </div>
      {error && <Failed error={error} onRetry={() => void refetch()} />}
      <div className={styles.weekdays} aria-hidden="true">
        {WEEKDAYS.map((day) => (
          <span key={day}>{day}</span>
        ))}
      </div>
      <ol className={`bare ${styles.days}`}>
        {days.map((day) => {
          const events = on(day);
          const other = !day.startsWith(month);
          return (
            <li
              key={day}
              className={`${styles.day} ${other ? styles.other : ''} ${events.length === 0 ? styles.free : ''}`}
              aria-current={day === today ? 'date' : undefined}
            >
              <span className={styles.number} aria-hidden="true">
                {Number(day.slice(8))}
              </span>
              <span className={styles.name}>{DAY.format(new Date(day))}</span>
              <Links events={events.slice(0, SHOWN)} />
              {events.length > SHOWN && (
                <details className={styles.more}>
                  <summary>{plural(events.length - SHOWN, '1 weiteres', '# weitere')}</summary>
                  <Links events={events.slice(SHOWN)} />
                </details>
              )}
            </li>
          );
        })}
      </ol>
      {data?.events.length === 0 && <p className="soft">In diesem Monat ist kein Event.</p>}
    </section>
  );
}
