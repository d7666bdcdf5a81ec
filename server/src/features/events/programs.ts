import { berlinDay } from '@feierbild/contract/berlin.ts';
import { MINUTE } from '@feierbild/contract/constants.ts';
import type { AdminEvent } from '@feierbild/contract/entities.ts';
import type { EventForm } from '@feierbild/contract/event-form.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { AssistantVisitor, TokenVisitor } from '../../http/visitor.ts';
import type { Clock } from '../../lib/clock.ts';
import { Refusal } from '../../lib/errors.ts';
import { actorOf } from '../audit/audit.ts';
import { PASSWORD_KINDS, staysStored, wantedPasswords, type PlainPasswords } from './event-passwords.ts';
import type { EventStore, EventWithUse } from './events.store.ts';
import type { createGuestEvents } from './guests.ts';

interface Deps {
  kysely: Kysely<Database>;
  store: Pick<EventStore, 'passwords'>;
  guests: Pick<ReturnType<typeof createGuestEvents>, 'checkPassword'>;
  clock: Clock;
}

const ALONE = 'Das ändert ein Programm nur an einem Event, das es selbst angelegt hat, solange weder Fotos noch ein Zugang da sind.';
const STARTED = 'Sobald Fotos oder ein Zugang da sind, ändert das nur, wer Feierbild verwaltet.';
const REFUSED_PROGRAM = {
  host: ALONE,
  user_upload_password: ALONE,
  fotobox_upload_password: ALONE,
  with_release: 'Die Freigabe schaltet ein Programm nicht aus.',
  end_date: 'In die Vergangenheit legt ein Programm das Ende nie, und früher nur, solange keine Fotos da sind.',
};
const REFUSED_ASSISTANT: typeof REFUSED_PROGRAM = {
  host: STARTED,
  user_upload_password: STARTED,
  fotobox_upload_password: STARTED,
  with_release: 'Die Freigabe schaltet nur aus, wer Feierbild verwaltet.',
  end_date: 'In die Vergangenheit legt das Ende nur, wer Feierbild verwaltet, und früher, sobald Fotos da sind.',
};
const FIELDS = { upload: 'user_upload_password', fotobox: 'fotobox_upload_password' } as const;

/**
 * Creates the limits of programs and assistants. They must not change an event so that others see its photos or that these are deleted
 * earlier. Addresses of invitations and links, and the guests' passwords, are fixed once somebody could be harmed. Programs may change only
 * events that they made.
 */
export function createProgramLimits({ kysely, store, guests, clock }: Deps) {
  /** Returns whether the audit log says that the program made the event, under its present name. */
  async function made(by: TokenVisitor, { id, created_at }: EventWithUse): Promise<boolean> {
    const entries = kysely.selectFrom('audit').select('id').where('event_id', '=', id).where('action', '=', 'event.created');
    const then = entries.where('at', '>=', created_at).where('at', '<', created_at + MINUTE);
    return (await then.where('actor', '=', actorOf(by)).executeTakeFirst()) !== undefined;
  }

  /** Returns whether the event has this password; attempts are limited like those of guests. Throws Refusal `too_many_attempts`. */
  async function samePassword(event: EventWithUse, kind: keyof PlainPasswords, wanted: string | null, address: string): Promise<boolean> {
    const stored = (await store.passwords(event.id)).some((one) => one.kind === kind);
    if (!stored || wanted === null) return !stored && wanted === null;
    return guests.checkPassword(event, wanted, { address, deviceId: null }).then(
      ({ who }) => who === (kind === 'upload' ? 'guest' : 'fotobox'),
      (error: unknown) => {
        if (error instanceof Refusal && error.code === 'wrong_event_password') return false;
        throw error;
      },
    );
  }

  /** Throws Refusal `token_change` or `assistant_forbidden` with the refused fields, and `too_many_attempts`. */
  return async function mustBeAllowed(
    by: TokenVisitor | AssistantVisitor,
    event: EventWithUse,
    form: EventForm,
    address: string,
  ): Promise<void> {
    const hasPhotos = event.photo_count + event.video_count + event.announced_count > 0;
    const own = 'assistantId' in by || (await made(by, event));
    const alone = own && !hasPhotos && event.host_created_at === null;
    const refused = new Set<keyof typeof REFUSED_PROGRAM>();

    const { host_email: email, host_name: name } = event;
    const sameHost = form.host === undefined || (own && (form.host?.email ?? null) === email && (form.host?.name ?? null) === name);
    // A program may correct an address, but neither add nor remove one after the creation.
    const mended = alone && ('assistantId' in by || (form.host && email !== null));
    if (!sameHost && !mended) refused.add('host');
    if (!alone)
      for (const kind of PASSWORD_KINDS)
        if (!staysStored(form, kind) && !(await samePassword(event, kind, wantedPasswords(form)[kind], address))) refused.add(FIELDS[kind]);
    if (event.with_release === 1 && !form.with_release) refused.add('with_release');
    if (form.end_date < event.end_date && (hasPhotos || form.end_date < berlinDay(clock.now()))) refused.add('end_date');

    if (refused.size === 0) return;
    const texts = 'assistantId' in by ? REFUSED_ASSISTANT : REFUSED_PROGRAM;
    const fields = Object.fromEntries([...refused].map((field) => [field, texts[field]]));
    throw new Refusal('assistantId' in by ? 'assistant_forbidden' : 'token_change', { fields });
  };
}

/** Removes the host's address and the operator's notes; the order's number stays, by which a program recognises its own orders. */
export const withoutPeople = <E extends object>(event: E) => ({ ...event, host: null, customer: '', note: '' });

/** Returns an event as a program sees it: of passwords and people only those that it sent itself. */
export function asSent(form: EventForm, event: AdminEvent): AdminEvent {
  const { upload, fotobox } = wantedPasswords(form);
  const { host, customer = '', note = '' } = form;
  return { ...event, host: host ?? null, customer, note, user_upload_password: upload, fotobox_upload_password: fotobox };
}
