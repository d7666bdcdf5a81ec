import { addDays, berlinDay, endOfBerlinDay, isDay, startOfBerlinDay } from './berlin.ts';
import { DELETION_NEAR_DAYS, JOINABLE_DAYS_AFTER, JOINABLE_DAYS_BEFORE, PHOTOS_KEPT_DAYS } from './constants.ts';

interface Dates {
  start_date: string;
  end_date: string;
}

/** The range of an event's days: 9999-12-31, which other programs write for „never“, has no day of deletion. */
export const FIRST_DAY = '1900-01-01';
export const LAST_DAY = '2999-12-31';

/** Tells whether an event may be on that day. */
export function isEventDay(day: string): boolean {
  return isDay(day) && day >= FIRST_DAY && day <= LAST_DAY;
}

export interface EventStatus {
  label: 'aktiv' | 'inaktiv';
  colour: 'blue' | 'green' | 'yellow';
}

/** Returns the instants [opens, closes) between which an event is joinable by its dates. */
export function joinableWindow(event: Dates): { opens: number; closes: number } {
  return {
    opens: startOfBerlinDay(addDays(event.start_date, -JOINABLE_DAYS_BEFORE)),
    closes: endOfBerlinDay(addDays(event.end_date, JOINABLE_DAYS_AFTER)),
  };
}

/** Returns the badge of an event. The flag `is_active` can only extend the time that the dates allow. */
export function eventStatus(event: Dates & { is_active: boolean; purged_at?: string | null }, now: number): EventStatus {
  if (event.purged_at) return { label: 'inaktiv', colour: 'yellow' };
  if (event.is_active) return { label: 'aktiv', colour: 'blue' };
  const { opens, closes } = joinableWindow(event);
  return now >= opens && now < closes ? { label: 'aktiv', colour: 'green' } : { label: 'inaktiv', colour: 'yellow' };
}

/** Tells whether guests may join: exactly when the badge is "aktiv". */
export function isJoinable(event: Dates & { is_active: boolean; purged_at?: string | null }, now: number): boolean {
  return eventStatus(event, now).label === 'aktiv';
}

/** Returns the instant from which an event's photos are to be deleted. */
export function purgeDue(event: Pick<Dates, 'end_date'>): number {
  return endOfBerlinDay(addDays(event.end_date, PHOTOS_KEPT_DAYS));
}

/** Returns the latest end date, `YYYY-MM-DD`, whose purge is due at an instant: the inverse of `purgeDue`, for database queries. */
export function latestPurgeDue(now: number): string {
  return addDays(berlinDay(now), -PHOTOS_KEPT_DAYS - 1);
}

/** Returns the last day, `YYYY-MM-DD` in Berlin, before the photos are deleted; they are deleted in the night after it. */
export function deletionDay(event: Pick<Dates, 'end_date'>): string {
  return addDays(event.end_date, PHOTOS_KEPT_DAYS);
}

/** Tells whether the photos of an event that is not deleted go within a week. */
export function isDeletionNear(event: Pick<Dates, 'end_date'>, today: string): boolean {
  return deletionDay(event) <= addDays(today, DELETION_NEAR_DAYS);
}
