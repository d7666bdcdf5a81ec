import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { errors, type ErrorBody } from '@feierbild/contract/errors.ts';
import { errorBody } from '../../http/errors.ts';
import { Refusal } from '../../lib/errors.ts';
import { guestView } from './event-views.ts';
import type { Events } from './events.ts';

/** The data to render the guests' page from: the event as every guest may see it, or why it cannot be opened. Contains no password. */
export type DrawnEvent = { event: GuestEvent; locked: boolean } | { refused: ErrorBody & { status: number } };

/**
 * The event of a code, with the same limits as GET /event/:code. `locked`: the event requires a password and the address contains
 * none; whether it is right is checked by that call. Null after an error of the server: then the page itself makes the call.
 */
export async function drawnEvent(
  { guests }: Pick<Events, 'guests'>,
  { code, address, hasPassword }: { code: string; address: string; hasPassword: boolean },
): Promise<DrawnEvent | null> {
  try {
    const event = guestView(await guests.find(code, address));
    return { event, locked: event.with_upload_password && !hasPassword };
  } catch (error) {
    if (!(error instanceof Refusal) || errors[error.code].status >= 500) return null;
    return { refused: { status: errors[error.code].status, ...errorBody(error) } };
  }
}
