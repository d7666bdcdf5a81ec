import { z } from 'zod';
import { typedText } from './typed-text.ts';

const noted = (max: number, lines = false) => typedText(max, { tooLong: `Bitte höchstens ${max.toLocaleString('de-DE')} Zeichen.`, lines });

/** The operator's own notes about an event. Neither hosts nor guests ever see them, and they are deleted with the event's photos. */
export const EventNotes = z.object({ customer: noted(200), order_number: noted(60), note: noted(2000, true) });
export type EventNotes = z.infer<typeof EventNotes>;
export const NO_NOTES: EventNotes = { customer: '', order_number: '', note: '' };
