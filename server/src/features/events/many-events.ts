import { addDays } from '@feierbild/contract/berlin.ts';
import type { EventsChange, ManyChanged } from '@feierbild/contract/calls/events.ts';
import { GB } from '@feierbild/contract/constants.ts';
import { EventForm, type EventFormInput } from '@feierbild/contract/event-form.ts';
import { errorBody } from '../../http/errors.ts';
import type { Staff } from '../../http/visitor.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { EVENT_SWITCHES } from './event-views.ts';
import type { Events } from './events.ts';
import type { EventWithUse } from './events.store.ts';

/**
 * The same change of many events, one after the other, each as the form of one does it; an answer for each. Those that are done stay done where
 * another is refused, or database or store fail in between.
 */
export async function changeMany(
  events: Pick<Events, 'open' | 'update'>,
  by: Staff,
  { events: wanted, change }: { events: { id: string; version: number }[]; change: EventsChange },
  address: string,
): Promise<ManyChanged[]> {
  const results: ManyChanged[] = [];
  for (const { id, version } of wanted) {
    try {
      const form = formFor(await events.open(id), change);
      results.push({ id, event: await events.update(by, id, { ...form, version }, address), refused: null });
    } catch (error) {
      results.push({ id, event: null, refused: errorBody(refusalOf(error)) });
    }
  }
  return results;
}

/** An event's form with a change; passwords, host and notes are left. Throws Refusal for what the form does not allow. */
function formFor(event: EventWithUse, change: EventsChange): EventForm {
  const { title, subtitle, start_date, end_date, storage_limit } = event;
  const form: EventFormInput = {
    title,
    subtitle,
    start_date,
    end_date: 'extend_days' in change ? addDays(end_date, change.extend_days) : end_date,
    is_active: event.is_active === 1,
    ...Object.fromEntries(EVENT_SWITCHES.map((name) => [name, event[name] === 1])),
    storage_limit: storage_limit === null ? null : storage_limit / GB,
    keep_passwords: true,
    ...('open' in change && { with_user_upload: change.open, is_active: change.open && event.is_active === 1 }),
  };
  const { success, data } = EventForm.safeParse(form);
  if (!success) throw new Refusal('invalid_input');
  return data;
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Unavailable) return new Refusal('unavailable', { cause: error });
  throw error;
}
