import { addDays } from '@feierbild/contract/berlin.ts';
import type { EventsChange, ManyChanged } from '@feierbild/contract/calls/events.ts';
import { GB } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { EventForm, type EventFormInput } from '@feierbild/contract/event-form.ts';
import { errorBody } from '../../http/errors.ts';
import type { Staff } from '../../http/visitor.ts';
import { Refusal, Unavailable } from '../../lib/errors.ts';
import { EVENT_SWITCHES } from './event-views.ts';
import type { Events } from './events.ts';
import type { EventWithUse } from './events.store.ts';

/**
 * Makes the same change to many events, one after the other, each by the rules of the event's form. Returns an answer for each. If one is
 * refused, or database or store fail in between, the events before it stay changed.
 */
export async function changeMany(
  events: Pick<Events, 'open' | 'update' | 'list'>,
  by: Staff,
  { events: wanted, change }: { events: { id: string; version: number; until?: string | undefined }[]; change: EventsChange },
  address: string,
): Promise<ManyChanged[]> {
  const results: ManyChanged[] = [];
  const shown = async (id: string): Promise<AdminEvent> => {
    const { events: found } = await events.list(by, { ids: id });
    if (!found[0]) throw new Refusal('event_not_found');
    return found[0];
  };
  for (const { id, version, until } of wanted) {
    try {
      const now = await events.open(id);
      // This change was made already, and its answer was lost.
      const isDone = version !== now.version && until === now.end_date;
      const event = isDone ? await shown(id) : await events.update(by, id, { ...formFor(now, change), version }, address);
      results.push({ id, event, refused: null });
    } catch (error) {
      results.push({ id, event: null, refused: errorBody(refusalOf(error)) });
    }
  }
  return results;
}

/** Returns an event's form with a change. Passwords, host and notes stay. Throws Refusal for values that the form does not allow. */
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
